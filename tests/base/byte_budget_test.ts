import { assertEquals, assertRejects } from "@std/assert";
import { ByteBudget, Hold } from "../../src/base/byte_budget.ts";
import { PaddockError } from "../../src/base/errors.ts";

/** Takes bytes, and records when they were granted. */
function taker(budget: ByteBudget) {
  const had: string[] = [];
  return {
    had,
    take: async (name: string, bytes: number, signal?: AbortSignal) => {
      await budget.take(bytes, signal);
      had.push(name);
    },
  };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("ByteBudget.take grants what is free at once, and the rest first come, first served", async () => {
  const budget = new ByteBudget(1_000);
  const { had, take } = taker(budget);
  assertEquals(budget.take(600), undefined);
  const taken = [take("a", 500), take("b", 300), take("c", 300)];
  await turn();
  assertEquals([had, budget.waiting], [[], 3]); // b would fit, but came later
  budget.add(-600);
  await turn();
  assertEquals([had, budget.used], [["a", "b"], 800]);
  budget.add(-500);
  await Promise.all(taken);
  assertEquals([had, budget.used, budget.waiting], [["a", "b", "c"], 600, 0]);
});

Deno.test("ByteBudget.take lets small requests go ahead of large ones", () => {
  const budget = new ByteBudget(1_000);
  budget.take(600);
  budget.take(500);
  assertEquals([budget.waiting, budget.take(3), budget.used], [1, undefined, 603]);
  budget.add(397);
  budget.take(3); // nothing is left
  assertEquals(budget.waiting, 2);
});

Deno.test("ByteBudget.take serves a request larger than the budget when almost nothing is in use", async () => {
  const budget = new ByteBudget(1_000);
  const { had, take } = taker(budget);
  budget.take(200);
  const taken = take("huge", 5_000);
  await turn();
  assertEquals(had, []);
  budget.add(-100);
  await taken;
  assertEquals(budget.used, 5_100);
  const next = take("next", 10);
  await turn();
  assertEquals(had, ["huge"]);
  budget.add(-5_000);
  await next;
});

Deno.test("ByteBudget.take stops waiting when its signal is aborted, and lets the next one continue", async () => {
  const budget = new ByteBudget(1_000);
  const { had, take } = taker(budget);
  budget.take(600);
  const controller = new AbortController();
  const given = assertRejects(() => take("a", 900, controller.signal), PaddockError, "cancelled");
  const next = take("b", 300);
  controller.abort();
  await Promise.all([given, next]);
  assertEquals([had, budget.used], [["b"], 900]);
  const late = assertRejects(() => take("c", 900, AbortSignal.abort()), PaddockError);
  await late;
  assertEquals([budget.waiting, budget.used], [0, 900]);
});

Deno.test("Hold.take releases what it has while it waits for more, so that two holds cannot block each other", async () => {
  const budget = new ByteBudget(1_000);
  const holds = [new Hold(budget), new Hold(budget)];
  for (const hold of holds) assertEquals(hold.take(500), undefined);
  const waits = holds.map((hold) => hold.take(200));
  await waits[0];
  assertEquals([holds[0]?.bytes, budget.used], [700, 700]);
  holds[0]?.release();
  await waits[1];
  assertEquals([holds[1]?.bytes, budget.used], [700, 700]);
});

Deno.test("Hold.release releases everything, including what is added later", async () => {
  const budget = new ByteBudget(1_000);
  const hold = new Hold(budget);
  hold.add(400);
  budget.take(500);
  const waiting = hold.take(300);
  assertEquals([hold.bytes, budget.used], [0, 500]);
  hold.release();
  budget.add(-500);
  await waiting;
  assertEquals([hold.bytes, budget.used], [0, 0]);
});

Deno.test("Hold.take releases everything that was taken by several calls at once", async () => {
  const budget = new ByteBudget(1_000);
  budget.take(900);
  const hold = new Hold(budget);
  const waits = [300, 3, 200].map((bytes) => hold.take(bytes));
  budget.add(-900);
  await Promise.all(waits);
  assertEquals([hold.bytes, budget.used], [503, 503]);
  hold.release();
  assertEquals(budget.used, 0);
});

Deno.test("Hold.take never holds bytes while waiting for more, even with several calls at once", async () => {
  const budget = new ByteBudget(1_000);
  budget.take(900);
  const calls = [1, 2, 3].map(async () => {
    const hold = new Hold(budget);
    await Promise.all([300, 300, 300].map((bytes) => hold.take(bytes)));
    hold.release();
  });
  budget.add(-900);
  await Promise.all(calls);
  assertEquals([budget.used, budget.waiting], [0, 0]);
});
