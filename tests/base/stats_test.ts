import { assert, assertEquals } from "@std/assert";
import { Stats } from "../../src/base/stats.ts";

Deno.test("Stats counts requests and errors separately", () => {
  const stats = new Stats();
  for (let i = 0; i < 5; i++) stats.request();
  for (let i = 0; i < 2; i++) stats.error();
  const { requests, errors } = stats.snapshot();
  assertEquals({ requests, errors }, { requests: 5, errors: 2 });
});

Deno.test("Stats has no start time and no uptime before start", () => {
  const stats = new Stats();
  assertEquals(stats.startedAt, undefined);
  assertEquals(stats.snapshot(), { requests: 0, errors: 0, uptimeSeconds: 0 });
});

Deno.test("Stats measures the uptime from start, in seconds to the millisecond", async () => {
  const stats = new Stats();
  const before = performance.timeOrigin + performance.now();
  stats.start();
  await new Promise((resolve) => setTimeout(resolve, 5));
  const { uptimeSeconds } = stats.snapshot();
  const bound = (performance.timeOrigin + performance.now() - before) / 1000;
  assert(stats.startedAt !== undefined && stats.startedAt >= before);
  assert(uptimeSeconds > 0 && uptimeSeconds <= bound + 0.001, `${uptimeSeconds} of ${bound}`);
  assertEquals(Math.round(uptimeSeconds * 1000), uptimeSeconds * 1000);
});

Deno.test("Stats on shared memory shows the other thread's counts, and returns the closing ones once", () => {
  const memory = Stats.memory();
  const [server, main] = [new Stats(memory), new Stats(memory)];
  assertEquals(main.closing(), undefined); // nothing has begun
  server.start();
  server.request();
  server.error();
  const { total_requests, total_errors } = main.closing() ?? {};
  assertEquals({ total_requests, total_errors }, { total_requests: 1, total_errors: 1 });
  assertEquals(server.closing(), undefined);
});
