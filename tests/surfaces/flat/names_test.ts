import { assertEquals, assertThrows } from "@std/assert";
import { PaddockError } from "../../../src/base/errors.ts";
import { checkFileName, isFileName } from "../../../src/surfaces/flat/names.ts";

const GOOD = ["a", "A-Z_0.9", ".env", "...", "-", "x".repeat(255), "..a", "a.."];
const BAD = [
  "",
  ".",
  "..",
  "/",
  "a/b",
  "a\\b",
  "a b",
  "a\n",
  "\na",
  "a\0",
  "é",
  "a\u0301",
  "x".repeat(256),
  undefined,
  null,
  0,
  true,
  [],
  ["a"],
  {},
];

Deno.test("isFileName accepts names of letters, digits, dots, dashes and underscores, and nothing else", () => {
  assertEquals(GOOD.filter((name) => !isFileName(name)), []);
  assertEquals(BAD.filter((name) => isFileName(name)), []);
});

Deno.test("checkFileName returns a valid name and refuses any other with a fixed message", () => {
  for (const name of GOOD) assertEquals(checkFileName(name), name);
  for (const name of BAD) {
    const error = assertThrows(() => checkFileName(name), PaddockError);
    assertEquals([error.code, error.message], ["INVALID_INPUT", "Invalid filename format"]);
  }
});
