import { assert, assertEquals, assertMatch } from "@std/assert";
import { Stats } from "../../src/base/stats.ts";
import type { BareMethods } from "../../src/server/methods.ts";
import { openApi, Rest } from "../../src/transports/rest.ts";
import type { ToolCall, ToolResult } from "../../src/tools/tool.ts";

const LISTING = {
  name: "echo",
  title: "Echo",
  description: "Says it again.",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
  outputSchema: { type: "object" },
  annotations: { title: "Echo", readOnlyHint: true, destructiveHint: false, openWorldHint: false },
};

/** Methods that return what they were given, fail as told, or wait until released. */
function toyRest({ maxBytes = 1_000, timeoutMs = 1_000 } = {}) {
  const calls: { args: unknown; call: ToolCall }[] = [];
  const gate = Promise.withResolvers<void>();
  const bare: BareMethods = {
    methods: ["echo", "fail", "wait", "vanish"],
    tools: {
      list: () => [LISTING],
      accessOf: () => "read",
      call: async (name, args, call): Promise<ToolResult | undefined> => {
        calls.push({ args, call });
        if (name === "vanish") return undefined;
        if (name === "wait") await gate.promise;
        const value = name === "fail"
          ? { code: -32001, status: 404, message: "no", data: { a: 1 } }
          : { args };
        return { content: [{ type: "text", text: "" }], structuredContent: value, isError: name === "fail" };
      },
    },
  };
  const stats = new Stats();
  return { rest: new Rest(bare, { body: { maxBytes, timeoutMs }, stats }), calls, gate, stats };
}

function request(path: string, body?: BodyInit, init: RequestInit = {}): [Request, string] {
  const headers = { "content-type": "application/json", ...init.headers };
  const sent = { method: "POST", ...init, headers, ...(body === undefined ? {} : { body }) };
  return [new Request(`http://localhost${path}`, sent), path];
}

async function answered(response: Promise<Response | undefined>) {
  const answer = await response;
  assert(answer !== undefined);
  return { status: answer?.status, headers: answer?.headers, body: await answer?.json() };
}

Deno.test("handle calls the method that the path names, with the object in the body", async () => {
  const { rest, stats, calls } = toyRest();
  const { status, headers, body } = await answered(rest.handle(...request("/echo", '{"text":"é"}')));
  assertEquals([status, body], [200, { args: { text: "é" } }]);
  assertEquals(headers?.get("content-type"), "application/json; charset=utf-8");
  assertEquals(stats.snapshot().requests, 1);
  assertEquals(calls[0]?.call.requestId, undefined);
  for (const empty of ["", " \n"]) {
    assertEquals((await answered(rest.handle(...request("/echo", empty)))).body, { args: {} });
  }
});

Deno.test("handle leaves paths alone that are not methods", async () => {
  const { rest } = toyRest();
  for (const path of ["/", "/other", "/echo/", "//echo", "/constructor", "/Echo"]) {
    assertEquals(await rest.handle(...request(path, "{}")), undefined, path);
  }
});

Deno.test("handle gives an error its status, and returns the rest of it", async () => {
  const { rest } = toyRest();
  const { status, body } = await answered(rest.handle(...request("/fail", "{}")));
  assertEquals([status, body], [404, { error: { code: -32001, message: "no", data: { a: 1 } } }]);
});

Deno.test("handle refuses other methods, types and bodies, each with its status and code", async () => {
  const { rest, calls } = toyRest({ maxBytes: 10, timeoutMs: 20 });
  const slow = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array([0x7b])),
  });
  const cases: [sent: [Request, string], status: number, code: number, message: RegExp][] = [
    [request("/echo", undefined, { method: "GET" }), 405, -32600, /^Method not allowed; use POST$/],
    [request("/echo", "{}", { method: "PUT" }), 405, -32600, /^Method not allowed/],
    [
      request("/echo", "{}", { headers: { "content-type": "text/json" } }),
      400,
      -32600,
      /^Content-Type must be/,
    ],
    [request("/echo", "{"), 400, -32700, /^Parse error: the body is not valid JSON$/],
    [request("/echo", new Uint8Array([0xff])), 400, -32700, /^Parse error: the body is not valid UTF-8$/],
    [request("/echo", " ".repeat(11)), 413, -32600, /^Request too large$/],
    [request("/echo", slow), 408, -32600, /^Request timeout$/],
    [request("/openapi.json", "{}"), 405, -32600, /^Method not allowed; use GET$/],
  ];
  for (const [sent, status, code, message] of cases) {
    const answer = await answered(rest.handle(...sent));
    assertEquals([answer.status, answer.body.error.code], [status, code], String(message));
    assertMatch(answer.body.error.message, message);
  }
  assertEquals(calls, []);
});

Deno.test("calls counts what is in progress", async () => {
  const { rest, gate } = toyRest();
  const waiting = rest.handle(...request("/wait", "{}"));
  assertEquals(rest.calls, 1);
  gate.resolve();
  await waiting;
  assertEquals(rest.calls, 0);
  await rest.handle(...request("/echo", "{"));
  assertEquals(rest.calls, 0);
});

Deno.test("handle passes on that the client has gone", async () => {
  const { rest, calls } = toyRest();
  const gone = new AbortController();
  await rest.handle(...request("/echo", "{}", { signal: gone.signal }));
  gone.abort();
  assertEquals(calls[0]?.call.signal.aborted, true);
});

Deno.test("answer returns a method's result or error as JSON-RPC, without the call's metadata", async () => {
  const { rest, calls } = toyRest();
  const [http] = request("/mcp");
  const message = (method: string, params?: Record<string, unknown>) => ({
    jsonrpc: "2.0" as const,
    id: "x",
    method,
    ...(params === undefined ? {} : { params }),
  });
  const answer = async (method: string, params?: Record<string, unknown>) =>
    await (await rest.answer(message(method, params), http))?.json();
  const result = await answer("echo", { text: "a", _meta: { progressToken: 1 } });
  assertEquals(result, { jsonrpc: "2.0", id: "x", result: { args: { text: "a" } } });
  assertEquals(calls[0]?.call.requestId, "x");
  assertEquals(await answer("echo"), { jsonrpc: "2.0", id: "x", result: { args: {} } });
  assertEquals(await answer("fail"), {
    jsonrpc: "2.0",
    id: "x",
    error: { code: -32001, message: "no", data: { a: 1 } },
  });
  assertEquals(await answer("vanish"), { jsonrpc: "2.0", id: "x", result: {} });
});

Deno.test("answer leaves other messages alone: other methods, notifications, answers", () => {
  const { rest } = toyRest();
  const [http] = request("/mcp");
  assertEquals(rest.answer({ jsonrpc: "2.0", id: 1, method: "tools/list" }, http), undefined);
  assertEquals(rest.answer({ jsonrpc: "2.0", method: "echo" }, http), undefined);
  assertEquals(rest.answer({ jsonrpc: "2.0", id: 1, result: {} }, http), undefined);
});

Deno.test("openApi has one path with one post for each operation", () => {
  const { openapi, paths } = openApi([LISTING]);
  assertEquals([openapi, Object.keys(paths)], ["3.1.0", ["/echo"]]);
  const { post } = paths["/echo"] as { post: Record<string, unknown> };
  assertEquals([post.operationId, post.summary, post.description], ["echo", "Echo", "Says it again."]);
  assertEquals(post.requestBody, {
    required: true,
    content: { "application/json": { schema: LISTING.inputSchema } },
  });
});

Deno.test("handle returns the description at /openapi.json", async () => {
  const { rest } = toyRest();
  const { status, body } = await answered(
    rest.handle(new Request("http://localhost/openapi.json"), "/openapi.json"),
  );
  assertEquals([status, body], [200, JSON.parse(JSON.stringify(openApi([LISTING])))]);
});

Deno.test("handle refuses JSON that is nested too deeply, or has too many elements", async () => {
  const { rest, calls } = toyRest({ maxBytes: 1_000_000 });
  for (const body of ["[".repeat(200) + "]".repeat(200), `{"text":[${Array(60_000).fill(1)}]}`]) {
    const answer = await answered(rest.handle(...request("/echo", body)));
    assertEquals([answer.status, answer.body.error.code], [400, -32600]);
    assertMatch(
      answer.body.error.message,
      /^Request too complex: the JSON of the body has \d+ .*, \d+ are allowed/,
    );
  }
  assertEquals(calls, []);
});
