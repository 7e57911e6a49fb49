import { assertEquals } from "@std/assert";
import { commandMeantBy } from "../../src/cli/subcommands.ts";

const CASES: [word: string, meant: string | undefined][] = [
  ["help", "--help"],
  ["Help", "--help"],
  ["version", "--version"],
  ["verison", "--version"],
  ["doctr", "doctor"],
  ["setpu", "setup"],
  ["install", "setup"],
  ["projects", undefined],
  ["./doctr", undefined],
  ["constructor", undefined],
  ["", undefined],
];

for (const [word, meant] of CASES) {
  Deno.test(`commandMeantBy returns ${meant} for the word ${JSON.stringify(word)}`, () => {
    assertEquals(commandMeantBy(word), meant);
  });
}
