/** A test that is ignored says what it needs. */
import { assertEquals } from "@std/assert";
import { has, needs, PROGRAMS } from "../support/needs.ts";

const TESTS = new URL("../", import.meta.url);
const THE_PROBES = "support/needs.ts";

function* testFiles(folder = ""): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(new URL(folder, TESTS))) {
    if (isDirectory) yield* testFiles(`${folder}${name}/`);
    else if (name.endsWith(".ts") && folder + name !== THE_PROBES) yield folder + name;
  }
}

Deno.test("tests are ignored only through tests/support/needs.ts, which gives the reason", () => {
  const own = /^\s*ignore(?:: |,|\?: )|\{ ignore(?:,|:| \})|Deno\.test\.(?:ignore|only)\b/m;
  assertEquals([...testFiles()].filter((file) => own.test(Deno.readTextFileSync(new URL(file, TESTS)))), []);
});

Deno.test("needs ignores a test when something is missing, and says what", () => {
  const [there, missing] = has("an executable in PADDOCK_EXE")
    ? ["an executable in PADDOCK_EXE", "no executable in PADDOCK_EXE"] as const
    : ["no executable in PADDOCK_EXE", "an executable in PADDOCK_EXE"] as const;
  assertEquals(needs()("a test"), { name: "a test", ignore: false });
  assertEquals(needs(there)("a test"), { name: "a test", ignore: false });
  assertEquals(needs(there, missing)("a test"), { name: `a test [needs ${missing}]`, ignore: true });
});

Deno.test("CONTRIBUTING.md names every program that tests look for", () => {
  const text = Deno.readTextFileSync(new URL("../CONTRIBUTING.md", TESTS));
  assertEquals(PROGRAMS.filter((program) => !text.includes(`\`${program}\``)), []);
});
