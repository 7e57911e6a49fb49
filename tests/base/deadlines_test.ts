import { assertEquals } from "@std/assert";
import { Deadlines } from "../../src/base/deadlines.ts";

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

Deno.test("Deadlines.set reports each missed deadline, in order, and none that was met", async () => {
  const deadlines = new Deadlines(20);
  const missed: number[] = [];
  const done = Promise.withResolvers<void>();
  const met = [1, 2, 3].map((n) => deadlines.set(() => missed.push(n)));
  met[1]?.();
  await pause(10);
  deadlines.set(() => {
    missed.push(4);
    done.resolve();
  });
  await done.promise;
  assertEquals(missed, [1, 3, 4]);
});

Deno.test("Deadlines.set works again after all earlier deadlines have passed", async () => {
  const deadlines = new Deadlines(1);
  for (let i = 0; i < 3; i++) await new Promise<void>((resolve) => deadlines.set(resolve));
});

Deno.test("Deadlines.close drops open deadlines", async () => {
  const deadlines = new Deadlines(1);
  let missed = false;
  deadlines.set(() => missed = true);
  deadlines.close();
  await pause(10);
  assertEquals(missed, false);
});

Deno.test("Deadlines at different distances are missed in order of time", async () => {
  const deadlines = new Deadlines(1_000);
  const missed: string[] = [];
  const last = Promise.withResolvers<void>();
  deadlines.set(() => {
    missed.push("late");
    last.resolve();
  }, 400); // later than the others, however slow the machine
  const met = deadlines.set(() => missed.push("met"), 10);
  deadlines.set(() => missed.push("early"), 20);
  met();
  met(); // calling it twice changes nothing
  await last.promise;
  assertEquals(missed, ["early", "late"]);
});

Deno.test("Deadlines share one timer, also when all earlier ones have been met", () => {
  const timeout = AbortSignal.timeout;
  let timers = 0;
  AbortSignal.timeout = (ms) => {
    timers++;
    return timeout.call(AbortSignal, ms);
  };
  try {
    const deadlines = new Deadlines(60_000);
    for (let i = 0; i < 100; i++) deadlines.set(() => {})();
    deadlines.close();
  } finally {
    AbortSignal.timeout = timeout;
  }
  assertEquals(timers, 1);
});
