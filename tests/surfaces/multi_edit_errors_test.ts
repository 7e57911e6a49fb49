import { assert, assertEquals } from "@std/assert";
import { ERROR_CODES, type ErrorCode, PaddockError } from "../../src/base/errors.ts";
import { multiEditError, pathMustBeAbsolute } from "../../src/surfaces/multi_edit_errors.ts";
import { StringEditError } from "../../src/text/string_edits.ts";

const CODES: Record<ErrorCode, [code: number, message: string]> = {
  NOT_FOUND: [-32001, "File not found: /srv/a.txt"],
  PERMISSION_DENIED: [-32002, "Permission denied: /srv/a.txt"],
  OUT_OF_BOUNDS: [-32002, "Permission denied: /srv/a.txt"],
  NOT_ALLOWED: [-32002, "Permission denied: /srv/a.txt"],
  UNSUPPORTED: [-32004, "Cannot edit binary file: /srv/a.txt"],
  TOO_LARGE: [-32005, "the reason"],
  TIMEOUT: [-32006, "the reason"],
  CONFLICT: [-32013, "the reason"],
  ALREADY_EXISTS: [-32013, "the reason"],
  INVALID_INPUT: [-32602, "the reason"],
  INTERNAL: [-32603, "the reason"],
};

for (const name of ERROR_CODES) {
  Deno.test(`multiEditError has a code and a message for ${name}, and gives the reason`, () => {
    const error = new PaddockError(name, "the reason", {
      data: { size: 5 },
      audit: { resolved_path: "/host" },
    });
    const { code, message, data } = multiEditError(error, { path: "/srv/a.txt" });
    assertEquals([code, message], CODES[name]);
    assertEquals([data?.code, data?.size], [name, 5]);
    assertEquals(message === "the reason" || data?.reason === "the reason", true);
    assert(!JSON.stringify(data).includes("/host"));
  });
}

Deno.test("multiEditError passes on the errors of edits as they are", () => {
  const error = new StringEditError(-32010, "Edit 0: String not found: x", { edit_index: 0 });
  const expected = { code: -32010, message: "Edit 0: String not found: x", data: { edit_index: 0 } };
  assertEquals(multiEditError(error, { path: "/a" }), expected);
  assertEquals(multiEditError(pathMustBeAbsolute("a"), {}).message, "Path must be absolute: a");
});

Deno.test("multiEditError does not blame the path when it was another argument", () => {
  const error = new PaddockError("NOT_FOUND", "unknown root: x", { data: { argument: "root" } });
  assertEquals(multiEditError(error, { path: "a" }), {
    code: -32602,
    message: "unknown root: x",
    data: { code: "NOT_FOUND", argument: "root" },
  });
});

Deno.test("multiEditError accepts any arguments, and gives each error its own data", () => {
  const error = new PaddockError("NOT_FOUND", "gone");
  for (const given of [undefined, null, 5, [], { path: 5 }]) {
    assertEquals(multiEditError(error, given).message, "File not found: ");
  }
  const edit = new StringEditError(-32011, "twice");
  assert(multiEditError(edit, {}).data !== multiEditError(edit, {}).data);
});
