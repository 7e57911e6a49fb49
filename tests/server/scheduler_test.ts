import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { type Kind, Scheduler } from "../../src/server/scheduler.ts";

interface Job {
  kind: Kind;
  /** How often the body lets others run before it reads or changes. */
  steps: number;
  fails: boolean;
  /** Whether it is cancelled as soon as all jobs are scheduled. */
  cancelled: boolean;
}

const job: fc.Arbitrary<Job> = fc.record({
  kind: fc.constantFrom<Kind>("read", "write"),
  steps: fc.nat(6),
  fails: fc.boolean(),
  cancelled: fc.boolean(),
});

/** What a body does to one shared value: a write reads it, waits, and changes it based on what it read. */
class Register {
  #value = 0;

  async run({ kind, steps, fails }: Job, index: number): Promise<number> {
    const before = this.#value;
    for (let i = 0; i < steps; i++) await Promise.resolve();
    if (kind === "write") this.#value = (before * 31 + index + 1) % 1_000_003;
    for (let i = 0; i < steps; i++) await Promise.resolve();
    if (fails) throw new Error(`job ${index} failed`);
    return kind === "write" ? this.#value : before * 2 + (before === this.#value ? 0 : 1);
  }
}

async function outcome(running: Promise<number>): Promise<string> {
  try {
    return String(await running);
  } catch (error) {
    return (error as Error).message;
  }
}

Deno.test("Scheduler has the effects and results of one call at a time, in order, whatever runs side by side", async () => {
  await fc.assert(fc.asyncProperty(fc.array(job, { maxLength: 24 }), async (jobs) => {
    const scheduler = new Scheduler();
    const register = new Register();
    const ran = new Set<number>();
    const controllers = jobs.map(() => new AbortController());
    const running = jobs.map((each, index) =>
      outcome(scheduler.run(each.kind, () => {
        ran.add(index);
        return register.run(each, index);
      }, controllers[index]?.signal))
    );
    for (const [index, { cancelled }] of jobs.entries()) {
      if (cancelled) controllers[index]?.abort(new Error("cancelled"));
    }
    const results = await Promise.all(running);

    const model = new Register();
    const expected: string[] = [];
    for (const [index, each] of jobs.entries()) {
      expected.push(ran.has(index) ? await outcome(model.run(each, index)) : "cancelled");
    }
    assertEquals(results, expected);
    for (const [index, { cancelled }] of jobs.entries()) {
      if (!cancelled) assertEquals(ran.has(index), true, `job ${index} never ran`);
    }
  }));
});

Deno.test("Scheduler lets calls that read overlap", async () => {
  const scheduler = new Scheduler();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await Promise.all([
    scheduler.run("read", () => (first.resolve(), second.promise)),
    scheduler.run("read", () => (second.resolve(), first.promise)),
  ]);
});

Deno.test("Scheduler runs a limited number of calls side by side, and eventually all of them", async () => {
  const scheduler = new Scheduler();
  let now = 0;
  let most = 0;
  const body = async () => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 0));
    return now--;
  };
  await Promise.all(Array.from({ length: 100 }, () => scheduler.run("read", body)));
  assertEquals([now, most], [0, 8]);
});

Deno.test("Scheduler holds back a write until the reads before it are done, and later reads until the write is", async () => {
  const scheduler = new Scheduler();
  const events: string[] = [];
  const gates = new Map<string, () => void>();
  const body = (name: string) => () => {
    events.push(`${name} begins`);
    return new Promise<void>((resolve) => gates.set(name, resolve)).then(() =>
      void events.push(`${name} ends`)
    );
  };
  const all = [
    scheduler.run("read", body("r1")),
    scheduler.run("write", body("w")),
    scheduler.run("read", body("r2")),
  ];
  for (const name of ["r1", "w", "r2"]) {
    while (!gates.has(name)) await new Promise((resolve) => setTimeout(resolve, 0));
    gates.get(name)?.();
  }
  await Promise.all(all);
  assertEquals(events, ["r1 begins", "r1 ends", "w begins", "w ends", "r2 begins", "r2 ends"]);
});

Deno.test("Scheduler never runs a call that was cancelled while it waited, and lets those behind it pass", async () => {
  const scheduler = new Scheduler();
  const gate = Promise.withResolvers<void>();
  const controller = new AbortController();
  let ran = false;
  const read = scheduler.run("read", () => gate.promise);
  const write = scheduler.run("write", () => Promise.resolve(ran = true), controller.signal);
  const behind = scheduler.run("read", () => Promise.resolve("behind"));
  controller.abort(new Error("no longer wanted"));
  await assertRejects(() => write, Error, "no longer wanted");
  assertEquals(await behind, "behind"); // while the first read is still running
  gate.resolve();
  await read;
  assertEquals(ran, false);
});

Deno.test("Scheduler refuses a call whose signal was aborted before, unless its turn is now", async () => {
  const scheduler = new Scheduler();
  const gate = Promise.withResolvers<void>();
  const write = scheduler.run("write", () => gate.promise);
  const waiting = scheduler.run("read", () => Promise.resolve(), AbortSignal.abort(new Error("too late")));
  await assertRejects(() => waiting, Error, "too late");
  gate.resolve();
  await write;
});

Deno.test("Scheduler continues when a body throws before it returns a promise", async () => {
  const scheduler = new Scheduler();
  const thrown = scheduler.run("write", () => {
    throw new Error("at once");
  });
  await assertRejects(() => thrown, Error, "at once");
  assertEquals(await scheduler.run("write", () => Promise.resolve("next")), "next");
});
