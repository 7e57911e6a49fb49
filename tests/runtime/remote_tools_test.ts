import { assertEquals, assertRejects } from "@std/assert";
import { ByteBudget } from "../../src/base/byte_budget.ts";
import type { Config } from "../../src/base/config.ts";
import { createLogger } from "../../src/base/log.ts";
import { Metrics } from "../../src/base/metrics.ts";
import { Stats } from "../../src/base/stats.ts";
import { countsOver, offerTools, RemoteTools } from "../../src/runtime/remote_tools.ts";
import type { ToolHolder } from "../../src/runtime/tool_holder.ts";
import { BudgetedTools } from "../../src/server/budgeted_tools.ts";
import type { Tools } from "../../src/server/methods.ts";
import { Registry } from "../../src/tools/registry.ts";
import { eventually } from "../support/http_server.ts";
import { parsePrometheus, valueOf } from "../support/prometheus.ts";
import { ToyHost } from "../support/toy_server.ts";

/** Both ends of a port, with toy tools at one of them. */
function remote() {
  const { port1, port2 } = new MessageChannel();
  const host = new ToyHost();
  const log = createLogger({ level: "error", format: "json", write: () => {} });
  const registry = new Registry(host, { log, ...countsOver(port2), timeoutMs: 10_000, callLogLevel: "info" });
  const reloaded: Config[] = [];
  const holder: ToolHolder = {
    tools: registry,
    bare: registry,
    resources: registry,
    reload: (config) => Promise.resolve(void reloaded.push(config)),
    lockWaits: () => Promise.resolve(7),
    retire: () => Promise.resolve(),
  };
  const offered = offerTools(port2, holder);
  const counts = { stats: new Stats(), metrics: new Metrics() };
  const tools = new RemoteTools(port1, counts);
  const end = async () => {
    for (const name of ["a", "b"]) host.open(name);
    await tools.retire();
    await offered;
  };
  return { tools, host, reloaded, ...counts, offered, [Symbol.asyncDispose]: end };
}

function call(signal = new AbortController().signal) {
  return { signal, requestId: 1, client: "test" };
}

Deno.test("RemoteTools answers like the tools at the other end", async () => {
  await using far = remote();
  const { tools, bare } = far.tools;
  assertEquals((await tools.list()).map(({ name }) => name), far.host.tools.map(({ name }) => name));
  assertEquals([await tools.accessOf("note"), await tools.accessOf("constructor")], ["write", undefined]);
  assertEquals((await tools.call("echo", { text: "hi" }, call()))?.content[0]?.text, "hi");
  assertEquals((await bare.call("echo", { text: "ho" }, call()))?.structuredContent, { text: "ho" });
  assertEquals(await tools.call("nothing", {}, call()), undefined);
  assertEquals((await tools.call("echo", { text: 5 }, call()))?.isError, true);
  assertEquals((await tools.call("coded", { text: "-32002" }, call()))?.rpcError, {
    code: -32002,
    message: "as the tool says",
    data: { more: 1 },
  });
  assertEquals(await far.tools.lockWaits(), 7);
});

Deno.test("RemoteTools keeps answers apart that arrive in another order", async () => {
  await using far = remote();
  const waiting = ["a", "b"].map((text) => far.tools.tools.call("wait", { text }, call()));
  assertEquals((await far.tools.tools.call("echo", { text: "c" }, call()))?.content[0]?.text, "c");
  for (const text of ["b", "a"]) far.host.open(text);
  assertEquals((await Promise.all(waiting)).map((answer) => answer?.content[0]?.text), ["a", "b"]);
});

Deno.test("RemoteTools cancels a call at the other end, even one cancelled before it is made", async () => {
  await using far = remote();
  const controller = new AbortController();
  const running = far.tools.tools.call("wait", { text: "a" }, call(controller.signal));
  await eventually(() => far.host.journal.length, (length) => length === 1);
  controller.abort();
  assertEquals((await running)?.isError, true);
  assertEquals(far.host.journal, ["a begins", "a ends"]);
  assertEquals((await far.tools.tools.call("wait", { text: "b" }, call(controller.signal)))?.isError, true);
});

Deno.test("RemoteTools asks here for the room that answers there will take, and waits for it", async () => {
  const { port1, port2 } = new MessageChannel();
  const steps: string[] = [];
  const roomy: Tools = {
    list: () => [],
    accessOf: () => "read",
    call: async (name, bytes, { room }) => {
      await room?.(bytes as number);
      steps.push(name);
      return undefined;
    },
  };
  const none = () => Promise.resolve();
  const lockWaits = () => Promise.resolve(0);
  const offered = offerTools(port2, {
    tools: roomy,
    bare: roomy,
    resources: roomy,
    reload: none,
    lockWaits,
    retire: none,
  });
  const far = new RemoteTools(port1, { stats: new Stats(), metrics: new Metrics() });
  const budget = new ByteBudget(10_000_000);
  budget.take(9_000_000);
  const tools = new BudgetedTools(far.tools, budget);
  const large = tools.call("large", 1_000_000, call());
  await eventually(() => budget.waiting, (waiting) => waiting === 1);
  await tools.call("small", 1_000, call());
  budget.add(-9_000_000);
  await large;
  await eventually(() => budget.used, (used) => used === 0);
  assertEquals(steps, ["small", "large"]);
  await far.retire();
  await offered;
});

Deno.test("RemoteTools counts here what happens there", async () => {
  await using far = remote();
  await far.tools.tools.call("echo", { text: "hi" }, call());
  await far.tools.tools.call("offline", {}, call());
  await far.tools.lockWaits(); // what is counted arrives before this answer
  const samples = parsePrometheus(far.metrics.render({}));
  assertEquals(valueOf(samples, "paddock_tool_calls_total", { tool: "echo", outcome: "success" }), 1);
  assertEquals(valueOf(samples, "paddock_tool_calls_total", { tool: "offline", outcome: "error" }), 1);
  assertEquals(far.stats.snapshot().errors, 1);
});

Deno.test("RemoteTools rejects when the other end throws", async () => {
  await using far = remote();
  far.host.logFields = () => {
    throw new Error("a bug");
  };
  await assertRejects(() => far.tools.tools.call("echo", {}, call()), Error, "a bug");
});

Deno.test("RemoteTools.retire waits for the calls that have begun, and then releases the other end", async () => {
  const { tools, host, offered } = remote();
  const running = tools.tools.call("hold", { text: "a" }, call());
  await eventually(() => host.journal.length, (length) => length === 1);
  let retired = false;
  const retiring = tools.retire().then(() => retired = true);
  await tools.lockWaits();
  assertEquals(retired, false);
  host.open("a");
  assertEquals((await running)?.content[0]?.text, "a");
  await retiring;
  await offered;
});

Deno.test("RemoteTools.reload passes the configuration on", async () => {
  await using far = remote();
  const config = { configPath: "x.yaml" } as Config;
  await far.tools.reload(config);
  assertEquals(far.reloaded, [config]);
});

Deno.test("RemoteTools passes on the progress of calls if wanted, and counts of the cache", async () => {
  const { port1, port2 } = new MessageChannel();
  const { metrics: far } = countsOver(port2);
  const wanted: boolean[] = [];
  const tools: Tools = {
    list: () => [],
    accessOf: () => "read",
    call(name, _args, { progress }) {
      wanted.push(progress !== undefined);
      progress?.({ progress: 1, message: name });
      far.recordSearchCache(5, 3);
      return Promise.resolve({ content: [{ type: "text", text: name }] });
    },
  };
  const offered = offerTools(port2, {
    tools,
    bare: tools,
    resources: tools,
    reload: () => Promise.resolve(),
    lockWaits: () => Promise.resolve(0),
    retire: () => Promise.resolve(),
  });
  const metrics = new Metrics();
  const remote = new RemoteTools(port1, { stats: new Stats(), metrics });
  const told: unknown[] = [];
  await remote.tools.call("a", {}, { ...call(), progress: (done) => told.push(done) });
  await remote.tools.call("b", {}, call());
  assertEquals([told, wanted], [[{ progress: 1, message: "a" }], [true, false]]);
  const numbers = parsePrometheus(metrics.render({}));
  assertEquals(valueOf(numbers, "paddock_search_cache_lookups_total"), 10);
  assertEquals(valueOf(numbers, "paddock_search_cache_hits_total"), 6);
  await remote.retire();
  await offered;
});
