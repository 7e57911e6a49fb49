import { assert, assertEquals } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import { fromOsError } from "../../src/confine/os_errors.ts";
import { DENIED } from "../support/engine.ts";

const SECRET = "os error at /srv/secret/a.txt";
const IN_USE = "in use (open in another program, which has to close it first, or a mount point)";

const TABLE: [error: Error, said: string][] = [
  [new Deno.errors.Busy(SECRET), `CONFLICT: ${IN_USE}: "d/a.txt"`],
  [withCode("EBUSY"), `CONFLICT: ${IN_USE}: "d/a.txt"`],
  [new Deno.errors.PermissionDenied(SECRET), `${DENIED}: "d/a.txt"`],
  [withCode("EPERM"), `${DENIED}: "d/a.txt"`],
  [withCode("EROFS"), 'PERMISSION_DENIED: the file system is read-only: "d/a.txt"'],
  [new Deno.errors.NotFound(SECRET), "NOT_FOUND: file not found: d/a.txt"],
  [
    new Deno.errors.NotADirectory(SECRET),
    'INVALID_INPUT: a part of the path is a file, not a folder: "d/a.txt"',
  ],
  [new Deno.errors.IsADirectory(SECRET), 'INVALID_INPUT: path is a directory, not a file: "d/a.txt"'],
  [withCode("ENOSPC"), 'INTERNAL: no space left on the device for "d/a.txt"'],
];

function withCode(code: string): Error {
  return Object.assign(new Error(SECRET), { code });
}

for (const [error, said] of TABLE) {
  Deno.test(`fromOsError describes ${error.name} ${(error as { code?: string }).code ?? ""} as ${said.split(":")[0]}, with the client's path`, () => {
    const made = fromOsError(error, { given: "d/a.txt" });
    assert(made instanceof PaddockError);
    assertEquals(`${made.code}: ${made.message}`, said);
    assertEquals(made.cause, error);
  });
}

Deno.test("fromOsError leaves alone what it does not know", () => {
  const other = new Error("of a program");
  assertEquals(fromOsError(other, { given: "a" }), other);
  const ours = new PaddockError("TIMEOUT", "ours");
  assertEquals(fromOsError(ours, { given: "a" }), ours);
});
