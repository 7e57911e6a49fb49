import { assert, assertEquals, assertLess, assertRejects, assertStringIncludes } from "@std/assert";
import { createLogger } from "../../src/base/log.ts";
import { Stats } from "../../src/base/stats.ts";
import { GRACE_MS, type Listener, RunLoop, type RunLoopOptions } from "../../src/server/lifecycle.ts";
import { MemoryOutput } from "../support/streams.ts";
import { runningToy, toyCall } from "../support/toy_server.ts";

/** A listener that does as it is told and records what was asked of it. */
class ToyListener implements Listener {
  readonly asked: string[] = [];
  readonly end = Promise.withResolvers<string>();
  readonly ended = this.end.promise;
  readonly #opening: Promise<void>;
  onStop: () => void = () => {};

  constructor(opening: Promise<void> = Promise.resolve()) {
    this.#opening = opening;
  }

  open(): Promise<void> {
    this.asked.push("open");
    return this.#opening;
  }

  stop(graceMs: number): Promise<void> {
    this.asked.push(`stop ${graceMs}`);
    this.onStop();
    return Promise.resolve();
  }
}

function newLoop(options: Partial<RunLoopOptions> = {}) {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => lines.push(JSON.parse(line));
  const stats = new Stats();
  const log = createLogger({ level: "info", format: "json", write });
  const loop = new RunLoop({ log, stats, toolNames: ["a", "b"], ...options });
  return { loop, stats, lines, events: () => lines.map(({ event }) => event) };
}

Deno.test("RunLoop goes from ready through running and stopping to stopped", async () => {
  const { loop, stats, lines, events } = newLoop({ startFields: () => ({ surface: "toys" }) });
  const listener = new ToyListener();
  const states = [loop.state];
  listener.onStop = () => states.push(loop.state);
  const ended = loop.run(listener);
  states.push(loop.state);
  stats.request();
  listener.end.resolve("the input ended");
  await ended;
  states.push(loop.state);
  assertEquals(states, ["ready", "running", "stopping", "stopped"]);
  assertEquals(listener.asked, ["open", `stop ${GRACE_MS}`]);
  assertEquals(events(), ["server_starting", "server_stopping", "server_stopped"]);
  const [starting, stopping, stopped] = lines;
  assert(Number(starting?.startup_ms) >= 0);
  assertEquals([starting?.surface, starting?.tool_count, starting?.tools], ["toys", 2, ["a", "b"]]);
  assertEquals(stopping?.reason, "the input ended");
  assertEquals([stopped?.total_requests, stopped?.total_errors], [1, 0]);
  assertEquals(typeof stopped?.uptime_seconds, "number");
});

Deno.test("RunLoop.shutdown ends run with its reason, however often and early it is called", async () => {
  for (const early of [true, false]) {
    const { loop, lines } = newLoop();
    if (early) loop.shutdown("SIGINT");
    const ended = loop.run(new ToyListener());
    if (!early) await Promise.resolve();
    loop.shutdown(early ? "SIGTERM" : "SIGINT");
    loop.shutdown("SIGTERM");
    await ended;
    loop.shutdown("again");
    assertEquals(lines[1]?.reason, "SIGINT");
    assertEquals(loop.state, "stopped");
  }
});

Deno.test("RunLoop refuses to run twice, while it runs and after", async () => {
  const { loop } = newLoop();
  const ended = loop.run(new ToyListener());
  const second = new ToyListener();
  await assertRejects(() => loop.run(second), Error, "Server is already running");
  assertEquals([loop.state, second.asked], ["running", []]);
  loop.shutdown("done");
  await ended;
  await assertRejects(() => loop.run(second), Error, "already running");
});

for (const toolNames of [[], () => Promise.resolve([])]) {
  const how = typeof toolNames === "function" ? "loaded while it starts" : "given";
  Deno.test(`RunLoop refuses to run without tools when they are ${how}`, async () => {
    const { loop, events } = newLoop({ toolNames });
    await assertRejects(() => loop.run(new ToyListener()), Error, "zero tools registered");
    assertEquals(events().includes("server_starting"), false);
  });
}

Deno.test("RunLoop logs and rethrows when the listener cannot open, and still ends", async () => {
  const { loop, stats, lines, events } = newLoop();
  const listener = new ToyListener(Promise.reject(new Error("stdin is closed")));
  await assertRejects(() => loop.run(listener), Error, "stdin is closed");
  assertEquals(events(), ["server_error", "server_stopped"]);
  assertEquals([lines[0]?.error, stats.snapshot().errors, loop.state], ["stdin is closed", 1, "stopped"]);
  assertEquals(listener.asked, ["open", `stop ${GRACE_MS}`]);
});

Deno.test("StdioListener.stop refuses new calls and answers those in flight", async () => {
  const { input, output, host, listener, loop, ended } = runningToy();
  input.send(toyCall(1, "wait", "slow"));
  while (host.journal.length === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  const stopped = listener.stop(5_000);
  input.send(toyCall(2, "note", "too late"));
  const { error } = await output.answerTo(2);
  assertEquals(error?.code, -32000);
  assertStringIncludes(error?.message ?? "", "the server is stopping: the request was not accepted");
  host.open("slow");
  await stopped;
  assertEquals(output.messages.map(({ id }) => id), [2, 1]);
  loop.shutdown("done");
  await ended;
  assertEquals(host.journal, ["slow begins", "slow ends"]);
});

Deno.test("StdioListener.stop ends a call that does not end in time by itself, answers it, and lets it log that", async () => {
  const { input, output, host, listener, loop, logLines, stats, ended } = runningToy();
  input.send(toyCall(1, "wait", "for ever"));
  while (host.journal.length === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  await listener.stop(20);
  loop.shutdown("done");
  await ended;
  assertEquals(host.journal, ["for ever begins", "for ever ends"]);
  const { result } = await output.answerTo(1);
  assertEquals([output.lines.length, result.isError, stats.snapshot().errors], [1, true, 1]);
  const outcomes = logLines.filter(({ event }) => event === "tool_call").map(({ outcome }) => outcome);
  assertEquals(outcomes, ["cancelled"]);
});

Deno.test("StdioListener.stop lets a change that was told to stop finish", async () => {
  const { input, host, listener, loop, ended } = runningToy();
  input.send(toyCall(1, "tidy", "change"));
  while (host.journal.length === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  await listener.stop(20);
  assertEquals(host.journal, ["change begins", "change ends"]);
  loop.shutdown("done");
  await ended;
});

Deno.test("StdioListener.stop runs what was read before it, even if it is queued, and refuses what never gets its turn", async () => {
  const { input, output, host, listener, loop, logLines, ended } = runningToy();
  input.put(
    [toyCall(1, "hold", "a"), toyCall(2, "note", "b")].map((call) => JSON.stringify(call) + "\n").join(""),
  );
  while (host.journal.length === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  const stopped = listener.stop(5_000);
  host.open("a");
  await stopped;
  assertEquals(host.journal, ["a begins", "a ends", "b"]);
  assertEquals(output.messages.map(({ id, error }) => [id, error]), [[1, undefined], [2, undefined]]);
  loop.shutdown("done");
  await ended;

  const other = runningToy();
  other.input.send(toyCall(1, "hold", "a"), toyCall(2, "note", "b"));
  while (other.host.journal.length === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  await other.listener.stop(100);
  assertEquals(other.host.journal, ["a begins", "a ends"]);
  const { error } = await other.output.answerTo(2);
  assertEquals(error?.code, -32000);
  assertStringIncludes(error?.message ?? "", "the call did not begin");
  const [refused] = other.logLines.filter(({ event }) => event === "call_refused");
  assertEquals([refused?.level, refused?.tool, refused?.request_id], ["warn", "note", 2]);
  assertEquals(logLines.some(({ event }) => event === "call_refused"), false);
  other.loop.shutdown("done");
  await other.ended;
});

Deno.test("StdioListener.stop ends in time, with its last line whole, when the client does not read", async () => {
  const never = new Promise<number>(() => {});
  const sizes: number[] = [];
  const output = new MemoryOutput((bytes) => (sizes.push(bytes.length), never));
  const { input, listener, loop, logLines, ended } = runningToy({ output });
  for (let id = 0; id < 100; id++) input.send(toyCall(id, "large", "1000"));
  while (sizes.length === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  await listener.stop(50);
  loop.shutdown("done");
  await ended;
  assertEquals(logLines.at(-1)?.event, "server_stopped");
  assertEquals(sizes.length, 1);
  assertLess(sizes[0] ?? Infinity, 4_097); // which a pipe accepts whole or not at all
});

Deno.test("RunLoop fails when the listener does", async () => {
  const { loop, stats, events } = newLoop();
  const listener = new ToyListener();
  const ended = loop.run(listener);
  listener.end.reject(new Error("the input failed"));
  await assertRejects(() => ended, Error, "the input failed");
  assertEquals(events(), ["server_starting", "server_error", "server_stopped"]);
  assertEquals(stats.snapshot().errors, 1);
});

Deno.test("RunLoop reports how long the start took from its beginning, and warns if that is over the target", async () => {
  for (const [startTargetMs, warned] of [[60_000, true], [120_000_000, false]] as const) {
    const { loop, lines } = newLoop({ begunAt: Date.now() - 3_600_000, startTargetMs });
    const ended = loop.run(new ToyListener());
    loop.shutdown("done");
    await ended;
    const [starting, next] = lines;
    assert(Number(starting?.startup_ms) >= 3_600_000);
    assertEquals([next?.event === "slow_start", next?.level], warned ? [true, "warn"] : [false, "info"]);
  }
});

Deno.test("RunLoop.shutdown does not wait for tools that are still being loaded", async () => {
  const { loop, lines, events } = newLoop({ toolNames: () => new Promise(() => {}) });
  const ended = loop.run(new ToyListener());
  loop.shutdown("SIGTERM");
  await ended;
  assertEquals(events(), ["server_starting", "server_stopping", "server_stopped"]);
  assertEquals(lines[0]?.tools, undefined);
});
