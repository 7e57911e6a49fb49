import { assert, assertEquals } from "@std/assert";
import { after, every } from "../../src/base/timer.ts";

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

Deno.test("after calls once, in the order of time, whatever the number looks like", async () => {
  const called: string[] = [];
  const last = Promise.withResolvers<void>();
  after(60, () => last.resolve());
  after(30.5, () => called.push("later"));
  after(-1, () => called.push("at once"));
  await last.promise;
  assertEquals(called, ["at once", "later"]);
});

Deno.test("after does nothing once it is cleared, however often", async () => {
  let called = 0;
  const timer = after(1, () => called++);
  timer.clear();
  timer.clear();
  const done = after(1, () => {});
  await pause(20);
  done.clear();
  assertEquals(called, 0);
});

Deno.test("every calls again and again until it is cleared, also from within", async () => {
  let called = 0;
  const third = Promise.withResolvers<void>();
  const timer = every(1, () => {
    if (++called < 3) return;
    timer.clear();
    third.resolve();
  });
  await third.promise;
  await pause(20);
  assertEquals(called, 3);
});

Deno.test("every goes on after a call that failed", async () => {
  const failures: string[] = [];
  const note = (event: ErrorEvent) => {
    event.preventDefault();
    failures.push(event.message);
  };
  addEventListener("error", note);
  const twice = Promise.withResolvers<void>();
  const timer = every(1, () => {
    if (failures.length >= 2) twice.resolve();
    throw new Error("no");
  });
  await twice.promise;
  timer.clear();
  removeEventListener("error", note);
  assert(failures.length >= 2);
});
