import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as s from "../../src/tools/schema/mod.ts";
import { abortReason, PaddockError } from "../../src/base/errors.ts";
import { createLogger, type LogLevel } from "../../src/base/log.ts";
import { Stats } from "../../src/base/stats.ts";
import { Registry, type ToolHost } from "../../src/tools/registry.ts";
import { type Access, defineTool, type Tool, type ToolCall, type ToolOutput } from "../../src/tools/tool.ts";

interface Context {
  call: ToolCall;
}
type Value = { said: string };
type Run = (args: { text: string }, context: Context) => Promise<ToolOutput<Value>> | ToolOutput<Value>;

function tool(name: string, access: Access, run: Run): Tool<Context> {
  return defineTool({
    name,
    title: name,
    description: "A tool of this test.",
    access,
    input: s.strictObject({ text: s.string(), path: s.string().optional() }),
    output: s.object({ said: s.string() }),
    run,
  });
}

interface Options {
  timeoutMs?: number;
  level?: LogLevel;
  callLogLevel?: LogLevel;
  gate?: ToolHost<Context>["gate"];
  names?: Pick<ToolHost<Context>, "listedName" | "aliases" | "forPrograms">;
}

/** A registry of the given tools, its log as parsed lines, and the steps it requested from its host. */
function setUp(tools: Tool<Context>[], options: Options = {}) {
  const lines: Record<string, unknown>[] = [];
  const steps: string[] = [];
  const stats = new Stats();
  const registry = new Registry<Context>({
    tools,
    gate: (tool, args) => {
      steps.push("gate");
      options.gate?.(tool, args);
    },
    contextFor: (_tool, call) => {
      steps.push("context");
      return { call };
    },
    renderError: (error) => ({ content: [{ type: "text", text: `no: ${error.message}` }], isError: true }),
    logFields: (given) => ({ path: (given as { path?: string } | undefined)?.path }),
    ...options.names,
  }, {
    log: createLogger({
      level: options.level ?? "debug",
      format: "json",
      write: (line) => lines.push(JSON.parse(line)),
    }),
    stats,
    timeoutMs: options.timeoutMs ?? 60_000,
    callLogLevel: options.callLogLevel ?? "info",
  });
  const call = (name: string, args: unknown, signal = new AbortController().signal) =>
    registry.call(name, args, { signal, requestId: 7, client: "test" });
  return { registry, call, lines, steps, stats };
}

const echo = tool("echo", "read", ({ text }) => ({ value: { said: text } }));
const never = tool("never", "read", () => new Promise(() => {}));

/** Settles once the signal is aborted, a little later, like a change that was already in progress. */
function afterAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => setTimeout(resolve, 5)));
}

Deno.test("call answers with the value and its JSON, or with the tool's own text", async () => {
  const loud = tool("loud", "read", ({ text }) => ({ value: { said: text }, text: "read me" }));
  const { call, stats } = setUp([echo, loud]);
  assertEquals(await call("echo", { text: "é" }), {
    content: [{ type: "text", text: '{"said":"é"}' }],
    structuredContent: { said: "é" },
  });
  assertEquals((await call("loud", { text: "x" }))?.content, [{ type: "text", text: "read me" }]);
  assertEquals(stats.snapshot().errors, 0);
});

Deno.test("call answers with images and sounds after the text, and counts their bytes", async () => {
  const image = { type: "image" as const, data: "AAAA", mimeType: "image/png" };
  const picture = tool("picture", "read", () => ({ value: { said: "" }, text: "é", media: [image] }));
  const { call, lines } = setUp([picture]);
  assertEquals((await call("picture", { text: "" }))?.content, [{ type: "text", text: "é" }, image]);
  assertEquals(lines.map((line) => line.response_bytes), [6]);
});

Deno.test("call accepts a tool's other names, list and names have the listed one, the log its own", async () => {
  const { call, registry, lines } = setUp([echo], {
    names: { listedName: () => "say/echo", aliases: ({ name }) => [`say/${name}`, "parrot"] },
  });
  for (const name of ["echo", "say/echo", "parrot"]) {
    assertEquals((await call(name, { text: "x" }))?.structuredContent, { said: "x" });
    assertEquals(registry.accessOf(name), "read");
  }
  assertEquals([registry.names, registry.list().map((tool) => tool.name)], [["say/echo"], ["say/echo"]]);
  assertEquals(lines.map((line) => line.tool), ["echo", "echo", "echo"]);
});

Deno.test("call returns undefined if there is no such tool, whatever objects inherit", async () => {
  const { call, registry, lines } = setUp([echo]);
  for (const name of ["nope", "constructor", "__proto__", ""]) {
    assertEquals(await call(name, {}), undefined);
    assertEquals(registry.accessOf(name), undefined);
  }
  assertEquals(lines, []);
});

Deno.test("call first validates, then asks the gate, and finally makes a context", async () => {
  const gate = () => {
    throw new PaddockError("NOT_ALLOWED", "closed");
  };
  const ran: string[] = [];
  const spy = tool("spy", "read", ({ text }) => (ran.push(text), { value: { said: text } }));
  const open = setUp([spy]);
  await open.call("spy", { text: "a" });
  assertEquals([open.steps, ran], [["gate", "context"], ["a"]]);
  const invalid = setUp([spy], { gate });
  assertEquals(
    (await invalid.call("spy", { text: 1 }))?.content[0]?.text,
    "no: text must be a string; 1 was given",
  );
  assertEquals(invalid.steps, []);
  const shut = setUp([spy], { gate });
  assertEquals(await shut.call("spy", { text: "b" }), {
    content: [{ type: "text", text: "no: closed" }],
    isError: true,
  });
  assertEquals([shut.steps, ran, shut.stats.snapshot().errors], [["gate"], ["a"], 1]);
});

Deno.test("call gives up on a read when the time is up, and tells the tool", async () => {
  let signal: AbortSignal | undefined;
  const slow = tool("slow", "read", (_args, { call }) => {
    signal = call.signal;
    return afterAbort(call.signal).then(() => {
      throw new Error("too late for anybody to notice");
    });
  });
  const { call, lines } = setUp([slow], { timeoutMs: 10 });
  const result = await call("slow", { text: "" });
  assertEquals(result?.isError, true);
  assertStringIncludes(result?.content[0]?.text ?? "", "timed out after 0.01 s; ask for less");
  assertEquals(signal?.aborted, true);
  await afterAbort(AbortSignal.timeout(1)); // what it threw meanwhile must not have ended the process
  assertEquals(lines.map(({ event, code }) => [event, code]), [["tool_call", "TIMEOUT"]]);
});

Deno.test("call waits for a write that continues after the time is up, and reports its outcome", async () => {
  const stubborn = tool("stubborn", "write", async (_args, { call }) => {
    await afterAbort(call.signal);
    return { value: { said: "written" } };
  });
  const polite = tool("polite", "write", async (_args, { call }) => {
    await afterAbort(call.signal);
    throw abortReason(call.signal);
  });
  const { call } = setUp([stubborn, polite], { timeoutMs: 10 });
  assertEquals((await call("stubborn", { text: "" }))?.structuredContent, { said: "written" });
  assertStringIncludes((await call("polite", { text: "" }))?.content[0]?.text ?? "", "timed out");
});

Deno.test("call never ends a tool at its time limit once that has begun to change something, only when cancelled", async () => {
  const late = tool("late", "write", async (_args, { call }) => {
    call.begin?.();
    await new Promise((end) => setTimeout(end, 40));
    if (call.signal.aborted) throw abortReason(call.signal);
    return { value: { said: "done" } };
  });
  const { call } = setUp([late], { timeoutMs: 10 });
  assertEquals((await call("late", { text: "" }))?.structuredContent, { said: "done" });
  const cancelled = await call("late", { text: "" }, AbortSignal.timeout(20));
  assertStringIncludes(cancelled?.content[0]?.text ?? "", "the call was cancelled");
});

Deno.test("call ends a read that is cancelled, before it began or while it runs", async () => {
  const { call } = setUp([never]);
  const controller = new AbortController();
  const running = call("never", { text: "" }, controller.signal);
  controller.abort("no longer wanted");
  assertEquals((await running)?.content[0]?.text, "no: the call was cancelled");
  assertEquals((await call("never", { text: "" }, AbortSignal.abort()))?.isError, true);
});

Deno.test("call hides the message of an unexpected exception, and logs it with its stack", async () => {
  const broken = tool("broken", "read", () => {
    throw new TypeError("cannot read /home/secret");
  });
  const odd = tool("odd", "write", () => Promise.reject("just text"));
  const { call, lines, stats } = setUp([broken, odd]);
  const result = await call("broken", { text: "x" });
  assertEquals(result?.content[0]?.text, "no: internal error in broken; the server's log says more");
  const [error, done] = lines;
  assertEquals([error?.event, error?.level, error?.tool, error?.request_id], [
    "tool_error",
    "error",
    "broken",
    7,
  ]);
  assertEquals(error?.error, "TypeError: cannot read /home/secret");
  assertStringIncludes(String(error?.stack), "registry_test.ts");
  assertEquals([done?.event, done?.code], ["tool_call", "INTERNAL"]);
  await call("odd", { text: "x" });
  assertEquals([lines[2]?.error, lines[2]?.stack], ["just text", undefined]);
  assertEquals(stats.snapshot().errors, 2);
});

Deno.test("call logs what was done, to what and with which outcome, and no contents", async () => {
  const { call, lines } = setUp([echo]);
  await call("echo", { text: "the content é", path: "a.txt" });
  const [line = {}] = lines;
  assertEquals(Object.keys(line), [
    "timestamp",
    "level",
    "event",
    "tool",
    "path",
    "outcome",
    "duration_ms",
    "response_bytes",
    "request_id",
  ]);
  assertEquals([line.level, line.event, line.tool, line.path], ["info", "tool_call", "echo", "a.txt"]);
  assertEquals([line.outcome, line.response_bytes, line.request_id], ["success", 25, 7]);
  assert(typeof line.duration_ms === "number" && line.duration_ms >= 0);
  await call("echo", { text: "the content", path: 5 });
  assertEquals([lines[1]?.outcome, lines[1]?.code], ["error", "INVALID_INPUT"]);
  assertEquals(lines[1]?.error, "invalid arguments: path");
  assertEquals(JSON.stringify(lines).includes("content"), false);
});

Deno.test("call logs a warning for denied calls, with the facts that are only for the log", async () => {
  const audit = { attempted_path: "../x", resolved_path: "/x", root: "docs" };
  const outside = tool("outside", "read", () => {
    throw new PaddockError("OUT_OF_BOUNDS", "outside", { audit });
  });
  const { call, lines } = setUp([outside], { level: "info", callLogLevel: "debug" });
  assertEquals((await call("outside", { text: "content", path: "../x" }))?.content[0]?.text, "no: outside");
  const [line = {}] = lines.map(({ timestamp: _, ...rest }) => rest);
  assertEquals(line, {
    level: "warn",
    event: "security_denied",
    tool: "outside",
    path: "../x",
    ...audit,
    reason: "outside",
    request_id: 7,
  });
  assertEquals(lines.length, 1, "tool_call is below the log's level here");
});

Deno.test("call logs a warning for NOT_ALLOWED too, and for no other refusal", async () => {
  for (
    const code of ["NOT_ALLOWED", "OUT_OF_BOUNDS", "NOT_FOUND", "PERMISSION_DENIED", "CONFLICT"] as const
  ) {
    const refusing = tool("refusing", "write", () => {
      throw new PaddockError(code, "no");
    });
    const { call, lines } = setUp([refusing]);
    await call("refusing", { text: "" });
    const warned = lines.some(({ event }) => event === "security_denied");
    assertEquals(warned, code === "NOT_ALLOWED" || code === "OUT_OF_BOUNDS", code);
  }
});

Deno.test("call logs a system failure with its cause, and shows the client only its own message", async () => {
  const cause = new Error("EIO: input/output error, read '/host/path'");
  const broken = tool("broken", "read", () => {
    throw new PaddockError("INTERNAL", "the disk failed", { cause });
  });
  const { call, lines } = setUp([broken]);
  const result = await call("broken", { text: "" });
  assertEquals(result?.content, [{ type: "text", text: "no: the disk failed" }]);
  const [line] = lines.filter(({ event }) => event === "tool_error");
  assertEquals([line?.level, line?.tool, line?.request_id], ["error", "broken", 7]);
  assertEquals([line?.error, line?.cause], ["PaddockError: the disk failed", `Error: ${cause.message}`]);
});

Deno.test("list leaves out bounds, except for programs", () => {
  const counting = defineTool({
    name: "count",
    title: "count",
    description: "A tool of this test.",
    access: "read",
    input: s.strictObject({ from: s.int(), to: s.int().min(1).max(9) }),
    output: s.object({}),
    run: (_args, _context: Context) => ({ value: {} }),
  });
  const [listed] = setUp([counting]).registry.list();
  assertEquals(listed?.inputSchema.properties, { from: { type: "integer" }, to: { type: "integer" } });
  const [full] = setUp([counting], { names: { forPrograms: true } }).registry.list();
  assertEquals(full?.inputSchema.properties, {
    from: { type: "integer" },
    to: { type: "integer", minimum: 1, maximum: 9 },
  });
});

Deno.test("call logs why a call failed, with the message for the log, and warns about what the system forbids", async () => {
  const failing = (error: PaddockError) => tool("failing", "read", () => Promise.reject(error));
  const shown = new PaddockError("CONFLICT", 'line 3 is "TOPSECRET"', { forLog: "line 3 is another" });
  const one = setUp([failing(shown)]);
  await one.call("failing", { text: "" });
  assertEquals(one.lines.map(({ level, error }) => [level, error]), [["info", "line 3 is another"]]);
  const denied = new PaddockError("PERMISSION_DENIED", "permission denied: a.txt");
  const other = setUp([failing(denied)], { level: "info", callLogLevel: "debug" });
  await other.call("failing", { text: "" });
  assertEquals(other.lines.map(({ level, event, error }) => [level, event, error]), [
    ["warn", "tool_call", "permission denied: a.txt"],
  ]);
});

Deno.test("call counts no error that a client has cancelled, and one that a stopping server has ended", async () => {
  const { call, stats } = setUp([never]);
  await call("never", { text: "" }, AbortSignal.abort());
  assertEquals(stats.snapshot().errors, 0);
  const reason = new PaddockError("TIMEOUT", "the server is stopping");
  const result = await call("never", { text: "" }, AbortSignal.abort(reason));
  assertEquals([result?.content[0]?.text, stats.snapshot().errors], ["no: the server is stopping", 1]);
});

Deno.test("Registry.call says that a call waited for room if its time runs out meanwhile", async () => {
  const begun: string[] = [];
  const { registry } = setUp([
    tool("read", "read", () => ({ value: { said: begun.push("read").toString() } })),
    tool("write", "write", () => ({ value: { said: begun.push("write").toString() } })),
  ], { timeoutMs: 10 });
  const room = (_: number, signal?: AbortSignal) =>
    new Promise<void>((_, reject) =>
      signal?.addEventListener("abort", () => reject(abortReason(signal)), { once: true })
    );
  const call = { signal: new AbortController().signal, requestId: 1, client: undefined, room };
  const result = await registry.call("read", { text: "" }, call);
  assertEquals(result?.isError, true);
  assertStringIncludes(
    result?.content[0].text ?? "",
    "timed out after 0.01 s of waiting for room: too many large requests and answers are in flight; try again",
  );
  assertEquals((await registry.call("write", { text: "" }, call))?.isError, undefined);
  assertEquals(begun, ["write"]);
});
