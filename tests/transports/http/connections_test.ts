import { assertEquals } from "@std/assert";
import {
  type Connection,
  type ConnectionLimits,
  Connections,
  connectionsFor,
} from "../../../src/transports/http/connections.ts";

const NEVER = 1_000_000;

/** A table that is closed at the end of its test. */
function table(limits: Partial<ConnectionLimits> = {}) {
  const all = { maxConnections: 3, firstRequestMs: NEVER, quietMs: NEVER, latelyMs: NEVER, ...limits };
  const connections = new Connections(all);
  return {
    connections,
    add: () => connections.add() as Connection,
    [Symbol.asyncDispose]: () => connections.shutdown(),
  };
}

/** A request that has passed the guard and is being answered until `answer` is called. */
function ask(connection: Connection) {
  const { promise, resolve } = Promise.withResolvers<void>();
  connection.visit({ completed: promise }).welcome();
  return {
    answer: async () => {
      resolve();
      await promise;
    },
  };
}

const ended = (connections: Connection[]) => connections.map(({ signal }) => signal.aborted);

Deno.test("connectionsFor reserves a quarter of the descriptors, and at least 64, for calls", () => {
  const cases: [number | undefined, number][] = [
    [undefined, 768],
    [1_024, 768],
    [256, 192],
    [100, 36],
    [48, 8],
    [1_048_576, 4_000],
  ];
  for (const [openFiles, wanted] of cases) assertEquals(connectionsFor(openFiles), wanted);
});

Deno.test("Connections.add ends the oldest connection without a request when there are too many", async () => {
  await using one = table();
  const [known, first, second] = [one.add(), one.add(), one.add()];
  await ask(known).answer();
  const fourth = one.add();
  assertEquals(ended([known, first, second, fourth]), [false, true, false, false]);
  assertEquals(one.connections.size, 3);
});

Deno.test("Connections.add refuses a newcomer when all others are being answered or were lately", async () => {
  await using one = table();
  const all = [one.add(), one.add(), one.add()];
  const asked = all.map((connection) => ask(connection));
  await asked[0]?.answer();
  assertEquals(one.connections.add(), undefined);
  assertEquals(ended(all), [false, false, false]);
});

Deno.test("Connections.add ends the one that has been quiet longest when none was answered lately", async () => {
  await using one = table({ latelyMs: 0 });
  const all = [one.add(), one.add(), one.add()];
  const asked = all.map((connection) => ask(connection));
  for (const which of [2, 0]) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    await asked[which]?.answer();
  }
  await new Promise((resolve) => setTimeout(resolve, 2));
  one.add();
  assertEquals(ended(all), [false, false, true]);
});

Deno.test("Connections ends clients that do not ask in time, and those that have been quiet for too long", async () => {
  await using one = table({ firstRequestMs: 10, quietMs: 40 });
  const [silent, known, busy] = [one.add(), one.add(), one.add()];
  const asked = ask(known);
  ask(busy);
  await new Promise((resolve) => silent.signal.addEventListener("abort", resolve));
  assertEquals(ended([known, busy]), [false, false]);
  await asked.answer();
  await new Promise((resolve) => known.signal.addEventListener("abort", resolve));
  assertEquals(ended([busy]), [false]);
});

Deno.test("Connections.shrink closes a quarter, and accepts fewer from then on", async () => {
  await using one = table({ maxConnections: 100 });
  const all = Array.from({ length: 40 }, () => one.add());
  ask(all[0] as Connection);
  one.connections.shrink();
  assertEquals(one.connections.size, 30);
  assertEquals(ended(all.slice(0, 11)), [false, ...Array(10).fill(true)]);
  one.add();
  assertEquals(one.connections.size, 30);
});
