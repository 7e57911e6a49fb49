import { assertEquals, assertRejects } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import { fromOsError } from "../../src/confine/os_errors.ts";
import { retryTransient, systemCode, whileInUse } from "../../src/engine/transient.ts";

function osError(code: string): Error {
  return Object.assign(new Error(`${code}: something of the system`), { code });
}

/** Fails with these errors, one after the other, and then succeeds. */
function failing(...errors: Error[]) {
  let calls = 0;
  return {
    calls: () => calls,
    action: () => {
      const error = errors[calls++];
      return error === undefined ? Promise.resolve("done") : Promise.reject(error);
    },
  };
}

Deno.test("retryTransient tries again after a temporary error", async () => {
  for (const code of ["EAGAIN", "EWOULDBLOCK", "EBUSY", "EMFILE", "ENFILE", "ESTALE", "EINTR"]) {
    const { action, calls } = failing(osError(code));
    assertEquals([await retryTransient(action), calls()], ["done", 2], code);
  }
});

Deno.test("retryTransient examines the cause of an error", async () => {
  const busy = new PaddockError("INTERNAL", "busy", { cause: new Error("why", { cause: osError("EBUSY") }) });
  const worded = fromOsError(osError("EMFILE"), { given: "a.txt" });
  for (const error of [busy, worded]) {
    const { action, calls } = failing(error as Error);
    assertEquals([await retryTransient(action), calls()], ["done", 2]);
  }
});

Deno.test("retryTransient gives up after the second attempt", async () => {
  const second = osError("EBUSY");
  const { action, calls } = failing(osError("EMFILE"), second);
  const error = await assertRejects(() => retryTransient(action));
  assertEquals([error === second, calls()], [true, 2]);
});

Deno.test("retryTransient does not try again after any other error", async () => {
  const others = [
    osError("ENOENT"),
    osError("EIO"),
    osError("ENOSPC"),
    new PaddockError("NOT_FOUND", "no"),
    new TypeError("an internal error"),
    Object.assign(new Error("of node"), { code: "ERR_EBUSY" }),
  ];
  for (const error of others) {
    const { action, calls } = failing(error);
    assertEquals(await assertRejects(() => retryTransient(action)), error);
    assertEquals(calls(), 1);
  }
});

Deno.test("retryTransient does not try again if something may have been changed", async () => {
  const { action, calls } = failing(osError("EBUSY"));
  await assertRejects(() => retryTransient(action, () => false));
  assertEquals(calls(), 1);
});

Deno.test("systemCode returns the system's code, and nothing if there is none", () => {
  const cases: [error: unknown, code: string | undefined][] = [
    [osError("EIO"), "EIO"],
    [new Deno.errors.NotFound("x"), "ENOENT"],
    [new PaddockError("INTERNAL", "x", { cause: osError("ENOSPC") }), "ENOSPC"],
    [new PaddockError("INTERNAL", "x"), undefined],
    [new TypeError("x"), undefined],
    [Object.assign(new Error("x"), { code: "ERR_INVALID_ARG_TYPE" }), undefined],
    ["EIO", undefined],
    [undefined, undefined],
  ];
  for (const [error, code] of cases) assertEquals(systemCode(error), code);
});

Deno.test("whileInUse keeps trying while another program has a file open, and in no other case", async () => {
  const scanned = failing(osError("EBUSY"), osError("EBUSY"), osError("EBUSY"));
  assertEquals([await whileInUse(scanned.action), scanned.calls()], ["done", 4]);
  const missing = failing(osError("ENOENT"));
  await assertRejects(() => whileInUse(missing.action));
  assertEquals(missing.calls(), 1);
  const held = failing(...Array.from({ length: 1_000 }, () => osError("EBUSY")));
  const error = await assertRejects(() => whileInUse(held.action));
  assertEquals([systemCode(error), held.calls() > 2, held.calls() < 1_000], ["EBUSY", true, true]);
});
