import { assertEquals, assertStringIncludes } from "@std/assert";
import { createLogger } from "../../src/base/log.ts";
import { CallsInFlight } from "../../src/server/calls_in_flight.ts";
import type { Tools } from "../../src/server/methods.ts";
import type { ToolCall, ToolResult } from "../../src/tools/tool.ts";

const DONE: ToolResult = { content: [{ type: "text", text: "done" }] };

/** Calls of one tool that does what `run` does. */
function inFlight(run: (call: ToolCall) => Promise<ToolResult>, hasRoom?: () => Promise<void>) {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger({ level: "debug", format: "json", write: (line) => lines.push(JSON.parse(line)) });
  const calls = new CallsInFlight({ log, ...(hasRoom && { hasRoom }) });
  const tools: Tools = {
    list: () => [],
    accessOf: () => "write",
    call: (_name, _args, call) => run(call),
  };
  const counted = calls.of(tools);
  const call = (signal = new AbortController().signal) =>
    counted.call("toy", {}, { signal, requestId: 7, client: undefined });
  return { calls, call, lines };
}

const untilAborted = ({ signal }: ToolCall) =>
  signal.aborted || new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));

Deno.test("CallsInFlight leaves calls alone until it is stopped, including a client's cancellation", async () => {
  const { call, lines } = inFlight(async (call) => (await untilAborted(call), DONE));
  const client = new AbortController();
  const ended = call(client.signal);
  client.abort();
  assertEquals(await ended, DONE);
  assertEquals(await call(client.signal), DONE);
  assertEquals(lines, []);
});

Deno.test("CallsInFlight.stop returns the call's own answer if it ends when told to", async () => {
  const reasons: unknown[] = [];
  const { calls, call, lines } = inFlight(async (call) => {
    await untilAborted(call);
    reasons.push(call.signal.reason.message);
    return DONE;
  });
  const ended = call();
  await Promise.resolve();
  await calls.stop(10_000);
  assertEquals(await ended, DONE);
  assertStringIncludes(String(reasons[0]), "the server is stopping");
  assertEquals(lines, []);
});

Deno.test("CallsInFlight.stop answers a call that does not end, says that its outcome is unknown, and logs it", async () => {
  const { calls, call, lines } = inFlight(() => new Promise(() => {}));
  const ended = call();
  await Promise.resolve();
  await calls.stop(1);
  const result = await ended;
  assertEquals([result?.isError, result?.rpcError?.code], [true, -32000]);
  assertStringIncludes(
    result?.rpcError?.message ?? "",
    "may or may not have been made; check before you repeat it",
  );
  assertEquals(result?.structuredContent?.status, 503);
  assertEquals(lines.map(({ level, event, request_id }) => [level, event, request_id]), [
    ["warn", "call_refused", 7],
  ]);
});

Deno.test("CallsInFlight.stop refuses calls that wait for room or come later, and they never run", async () => {
  let runs = 0;
  const gate = Promise.withResolvers<void>();
  const { calls, call, lines } = inFlight(() => (runs++, Promise.resolve(DONE)), () => gate.promise);
  const waiting = call();
  await calls.stop(1);
  gate.resolve();
  for (const result of [await waiting, await call()]) {
    assertStringIncludes(result?.rpcError?.message ?? "", "the call did not begin");
  }
  assertEquals([runs, lines.length], [0, 2]);
});
