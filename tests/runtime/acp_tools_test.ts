import { assertEquals } from "@std/assert";
import { createLogger } from "../../src/base/log.ts";
import { AcpTools } from "../../src/runtime/acp_tools.ts";
import type { Tools } from "../../src/server/methods.ts";
import type { ToolResult } from "../../src/tools/tool.ts";

const ANSWER: ToolResult = {
  content: [{ type: "text", text: "{}" }],
  structuredContent: { diff: "the diff" },
};

/** Tools that always answer the same, reported to a sink that does as it is told. */
function telling(write: (line: string) => void, answer: ToolResult | undefined = ANSWER) {
  const order: string[] = [];
  const logged: string[] = [];
  const tools: Tools = {
    list: () => [],
    accessOf: () => "write",
    call: () => {
      order.push("call");
      return Promise.resolve(answer);
    },
  };
  const sink = {
    write: (line: string) => {
      write(line);
      order.push("event");
    },
    flushed: async () => {
      await Promise.resolve();
      order.push("flushed");
    },
  };
  const log = createLogger({ level: "error", format: "json", write: (line) => logged.push(line) });
  const acp = new AcpTools(tools, { sessionId: "s", sink, log, locate: ({ path }) => path as string });
  const call = (name: string, args: unknown) =>
    acp.call(name, args, { signal: new AbortController().signal, requestId: 1, client: undefined });
  return { acp, call, order, logged };
}

Deno.test("AcpTools has each event flushed before the call continues", async () => {
  const events: string[] = [];
  const { call, order } = telling((line) => events.push(line));
  assertEquals(await call("multi_edit_text_file", { path: "/a", edits: [{}] }), ANSWER);
  assertEquals(order, ["event", "flushed", "call", "event", "flushed"]);
  const [begun, ended] = events.map((line) => JSON.parse(line).params.update);
  assertEquals([begun.title, begun.locations], ["multi_edit_text_file (1 edit)", [{ path: "/a" }]]);
  assertEquals(ended.fields.content, [{ type: "text", text: "the diff" }]);
});

Deno.test("AcpTools reports no other tool", async () => {
  const { acp, call, order } = telling(() => {});
  assertEquals(await call("read_file", {}), ANSWER);
  assertEquals([order, await acp.list(), await acp.accessOf("read_file")], [["call"], [], "write"]);
});

Deno.test("AcpTools continues, and logs, when events cannot be written", async () => {
  const { call, logged } = telling(() => {
    throw new Deno.errors.WriteZero("no space left on device");
  });
  assertEquals(await call("multi_edit_text_file", {}), ANSWER);
  assertEquals(logged.map((line) => JSON.parse(line).event), ["acp_events_failed", "acp_events_failed"]);
});
