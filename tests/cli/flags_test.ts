import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { VERSION } from "../../src/base/version.ts";
import { flagExample, type FlagRecord, FLAGS, flagsMarkdown, helpText } from "../../src/cli/flags.ts";
import { allowedText, readText } from "../../src/cli/values.ts";

const RECORDS: readonly FlagRecord[] = FLAGS;

Deno.test("FLAGS has every name, variable and config key once", () => {
  for (const field of ["name", "short", "env", "fileKey"] as const) {
    const given = RECORDS.flatMap((flag) => flag[field] ?? []);
    assertEquals(given.length, new Set(given).size, field);
  }
});

Deno.test("FLAGS has an example that its own kind accepts, and says what is allowed", () => {
  for (const flag of RECORDS) {
    assert(allowedText(flag.kind) !== "", flag.name);
    assert(flag.kind.type === "toggle" || flag.example !== undefined, `${flag.name} needs an example`);
    if (flag.example !== undefined) assert("value" in readText(flag.kind, flag.example), flagExample(flag));
  }
});

Deno.test("helpText mentions every flag, variable, config key and default", () => {
  const help = helpText();
  assertStringIncludes(help, VERSION);
  for (const flag of RECORDS) {
    assertStringIncludes(help, `\n  --${flag.name}`);
    assertStringIncludes(help, flag.description);
    if (flag.short !== undefined) assertStringIncludes(help, `, -${flag.short}\n`);
    if (flag.env !== undefined) assertStringIncludes(help, `Environment: ${flag.env}.`);
    if (flag.fileKey !== undefined) assertStringIncludes(help, `Config file: ${flag.fileKey}.`);
    if (flag.kind.type !== "toggle") assertStringIncludes(help, `Default: ${flag.default}.`);
  }
});

Deno.test("helpText has no line wider than 110 characters", () => {
  assertEquals(helpText().split("\n").filter((line) => line.length > 110), []);
});

Deno.test("flagsMarkdown has one row per flag, each with five cells", () => {
  const lines = flagsMarkdown().trimEnd().split("\n");
  assertEquals(lines.length, 2 + RECORDS.length);
  RECORDS.forEach((flag, index) => {
    const row = lines[index + 2] ?? "";
    assertStringIncludes(row, `\`--${flag.name}`);
    assertEquals(row.split(/(?<!\\)\|/).length, 7, row);
  });
});
