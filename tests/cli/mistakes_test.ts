import { assertEquals, assertMatch } from "@std/assert";
import { didYouMean, escapeHidden, nearest, quote, refusal } from "../../src/cli/mistakes.ts";

Deno.test("nearest finds a word that is one slip away, and no other", () => {
  const known = ["port", "host", "allowed_tools", "read_file", "log-level"];
  const cases: [string, string | undefined][] = [
    ["prot", "port"],
    ["ports", "port"],
    ["PORT", "port"],
    ["hots", "host"],
    ["alowed_tool", "allowed_tools"],
    ["readfile", "read_file"],
    ["loglevel", "log-level"],
    ["xyz", undefined],
    ["", undefined],
    ["remove_folder", undefined],
  ];
  for (const [word, expected] of cases) assertEquals(nearest(word, known), expected, word);
});

Deno.test("didYouMean is empty when nothing is near", () => {
  assertEquals(didYouMean("prot", ["port"]), " (did you mean port?)");
  assertEquals(didYouMean("zzz", ["port"]), "");
});

Deno.test("quote escapes what a terminal would act on, and cuts long text", () => {
  assertEquals(quote('a"b\n\x1b[31m\x9b\u202e\u2028'), '"a\\"b\\n\\u001b[31m\\u009b\\u202e\\u2028"');
  assertMatch(quote("x".repeat(1000)), /^"x{120}…"$/);
});

Deno.test("escapeHidden leaves visible text alone", () => {
  assertEquals(escapeHidden('é "日本"\t\0'), 'é "日本"\\u0009\\u0000');
});

Deno.test("refusal says what was given, what is allowed, why, and an example", () => {
  const common = { problem: "is 1", allowed: "2", example: "x=2" };
  assertEquals(refusal("x", common), "x is 1, but must be 2; example: x=2");
  assertEquals(refusal("x", { ...common, reason: "odd" }), "x is 1, but must be 2 (odd); example: x=2");
});
