import { assert, assertEquals, assertRejects } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import { giveWay, inSteps, Pace } from "../../src/base/pace.ts";

/** Keeps the thread busy. */
function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

Deno.test("giveWay lets timers and the steps of other calls go first", async () => {
  let [timers, steps, others] = [0, 0, true];
  const timer = setInterval(() => timers++, 1);
  const other = (async () => {
    while (others) {
      await Deno.stat(".");
      steps++;
    }
  })();
  for (let turn = 0; turn < 200 && (timers < 5 || steps < 5); turn++) {
    work(5);
    await giveWay();
  }
  const seen = { timers, steps };
  others = false;
  clearInterval(timer);
  await other;
  assert(seen.timers >= 5 && seen.steps >= 5, JSON.stringify(seen));
});

Deno.test("giveWay and Pace throw when their signal is aborted", async () => {
  const controller = new AbortController();
  const given = giveWay(controller.signal);
  controller.abort(new PaddockError("TIMEOUT", "stopped"));
  await assertRejects(() => given, Error, "stopped");
  await assertRejects(() => new Pace(controller.signal).step(), Error, "stopped");
});

Deno.test("Pace gives way once in so many milliseconds of work", async () => {
  let given = 0;
  const pace = new Pace(undefined, 20, () => Promise.resolve(void given++));
  for (let i = 0; i < 1_000; i++) await pace.step();
  const early = given;
  work(25);
  assert(pace.isDue);
  await pace.step();
  assertEquals([given - early, pace.isDue], [1, false]);
});

Deno.test("Pace lets timers have their turns, however busy the machine is", async () => {
  const pace = new Pace(undefined, 1);
  let fired = 0;
  const timer = setInterval(() => fired++, 1);
  for (let turn = 0; turn < 3; turn++) {
    work(60);
    await pace.step();
  }
  clearInterval(timer);
  assert(fired >= 2, `${fired} turns`);
});

Deno.test("inSteps returns what the steps return", async () => {
  function* steps(): Generator<void, string> {
    for (let i = 0; i < 3; i++) yield work(2);
    return "done";
  }
  assertEquals(await inSteps(steps(), new Pace(undefined, 1)), "done");
});
