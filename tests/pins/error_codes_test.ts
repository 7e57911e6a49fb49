import { assertEquals } from "@std/assert";
import { ERROR_CODES } from "../../src/base/errors.ts";

Deno.test("ERROR_CODES are the ones clients and logs are promised", () => {
  assertEquals([...ERROR_CODES], [
    "INVALID_INPUT",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "OUT_OF_BOUNDS",
    "NOT_ALLOWED",
    "TOO_LARGE",
    "CONFLICT",
    "TIMEOUT",
    "UNSUPPORTED",
    "INTERNAL",
  ]);
});
