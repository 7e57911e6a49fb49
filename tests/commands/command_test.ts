import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { UsageError } from "../../src/base/errors.ts";
import { helpText } from "../../src/cli/flags.ts";
import { subcommandNamed, type SubcommandRecord, SUBCOMMANDS } from "../../src/cli/subcommands.ts";
import { readArguments } from "../../src/commands/command.ts";
import { runHere } from "./run_here.ts";

function setupRecord(): SubcommandRecord {
  const record = subcommandNamed("setup");
  if (record === undefined) throw new Error("there is no setup");
  return record;
}

Deno.test("readArguments accepts words, flags in either form, and what comes after --", () => {
  const args = ["cursor", "--write", "--file", "a=b", "dir", "--name=n", "-", "--", "--read-only", "-x"];
  assertEquals(readArguments(setupRecord(), args), {
    words: ["cursor", "dir", "-"],
    flags: { write: true, file: "a=b", name: "n" },
    rest: ["--read-only", "-x"],
  });
});

const MISTAKES: [args: string[], says: string][] = [
  [["--file"], "--file has no value, but must be the path of"],
  [["--file="], "--file has no value"],
  [["--write=maybe"], '--write is "maybe", but must be true or false'],
  [["-x"], 'unknown flag "-x"; paddock setup --help lists all flags'],
];

for (const [args, says] of MISTAKES) {
  Deno.test(`readArguments refuses ${args.join(" ")}`, () => {
    const { mistakes } = assertThrows(() => readArguments(setupRecord(), args), UsageError);
    assertEquals(mistakes.length, 1);
    assertStringIncludes(mistakes[0] ?? "", says);
  });
}

Deno.test("runCommand prints help for every command, with its flags, and the general help names them all", async () => {
  for (const { name, form, flags } of SUBCOMMANDS) {
    const { code, stdout, stderr } = await runHere([name, "--help"]);
    assertEquals([code, stderr], [0, ""]);
    assertStringIncludes(stdout, `paddock ${name} ${form}`.trimEnd());
    for (const flag of flags) assertStringIncludes(stdout, `--${flag.name}`);
    assertStringIncludes(helpText(), `  paddock ${name} ${form}`.trimEnd());
  }
  assertStringIncludes(helpText(), "to serve a folder of that name, write ./doctor");
});

Deno.test("runCommand refuses words that a command does not accept", async () => {
  const { code, stderr } = await runHere(["man", "page"]);
  assertEquals(code, 1);
  assertStringIncludes(
    stderr,
    'error: the command line has unexpected arguments ("page"), but must be paddock man',
  );
  const shell = await runHere(["completions", "tcsh"]);
  assertStringIncludes(shell.stderr, 'SHELL is "tcsh", but must be bash, zsh, fish or powershell');
});
