/** The errors of multi_edit_text_file as clients receive them, with their own codes, over every transport. */
import { assert, assertEquals } from "@std/assert";
import { eventsIn, ModernClient, modernMessage, post, SessionClient } from "../../support/http_client.ts";
import { HttpServer } from "../../support/http_server.ts";
import { type Message, TestServer } from "../../support/server.ts";
import { type TempFolder, tempFolder } from "../../support/temp.ts";

let folder: TempFolder;
let http: HttpServer;
let stdio: TestServer;

Deno.test.beforeAll(async () => {
  folder = tempFolder();
  folder.write("field/a.txt", "x\n");
  [http, stdio] = [
    await HttpServer.start([`${folder.path}/field`]),
    new TestServer([`${folder.path}/field`]),
  ];
});
Deno.test.afterAll(async () => {
  await http[Symbol.asyncDispose]();
  await stdio[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

type Params = { name: string; arguments: Record<string, unknown>; _meta?: Record<string, unknown> };

function call(path: string, old_string: string): Params {
  return { name: "multi_edit_text_file", arguments: { path, edits: [{ old_string, new_string: "y" }] } };
}

/** A call over HTTP+SSE: posted, and answered on the stream. */
async function overSse(params: Params): Promise<Message> {
  const stream = await fetch(`${http.url}/sse`, { headers: { accept: "text/event-stream" } });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  assert(reader !== undefined);
  let text = "";
  const until = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = pattern.exec(text)?.[1];
      if (found !== undefined) return found;
      const { value, done } = await reader.read();
      if (done) throw new Error(`the stream has ended: ${text}`);
      text += value;
    }
  };
  const address = http.url + await until(/^event: endpoint\ndata: (.+)\n\n/m);
  await (await post(address, { jsonrpc: "2.0", id: 7, method: "tools/call", params })).body?.cancel();
  const answer = await until(/^data: (.*"id":7.*)\n\n/m);
  await reader.cancel();
  return JSON.parse(answer);
}

const WAYS: Record<string, (params: Params) => Promise<Message>> = {
  "stdio, in a batch": async (params) => {
    await using server = new TestServer([`${folder.path}/field`]);
    await server.initialize("2025-03-26");
    const answer = server.answerTo(5);
    await server.send([{ jsonrpc: "2.0", id: 5, method: "tools/call", params }]);
    return await answer;
  },
  "stdio, revision 2026-07-28": async (params) => {
    const answer = stdio.answerTo(11);
    await stdio.send(modernMessage("tools/call", params, 11));
    return await answer;
  },
  "Streamable HTTP": async (params) =>
    await (await SessionClient.begin(http.url)).request("tools/call", params),
  "Streamable HTTP, as a stream": async (params) => {
    const client = await SessionClient.begin(http.url);
    const message = { jsonrpc: "2.0", id: 3, method: "tools/call", params };
    const response = await client.send(message, { headers: { accept: "text/event-stream" } });
    return eventsIn(await response.text())[0] ?? {};
  },
  "Streamable HTTP, revision 2026-07-28": async (params) =>
    await new ModernClient(http.url).request("tools/call", { ...params }),
  "Streamable HTTP, revision 2026-07-28, as a stream": async (params) => {
    const message = modernMessage("tools/call", { ...params }, 4);
    message.params._meta.progressToken = "p";
    const headers = {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": params.name,
    };
    return eventsIn(await (await post(`${http.url}/mcp`, message, { headers })).text())[0] ?? {};
  },
  "HTTP+SSE": overSse,
};

for (const [way, send] of Object.entries(WAYS)) {
  Deno.test(`multi_edit_text_file keeps its error codes over ${way}`, async () => {
    const denied = await send(call("/etc/passwd", "x"));
    assertEquals([denied.result, denied.error?.code], [undefined, -32002], JSON.stringify(denied));
    assertEquals(denied.error?.message, "Permission denied: /etc/passwd");
    assertEquals(denied.error?.data.code, "OUT_OF_BOUNDS");
    if (way === "stdio, in a batch") return;
    const missing = await send(call(`${folder.path}/field/a.txt`, "z"));
    assertEquals(missing.error?.code, -32010, JSON.stringify(missing));
  });
}

Deno.test("multi_edit_text_file keeps all of 20 changes that are made at once over HTTP", async () => {
  const lines = Array.from({ length: 20 }, (_, i) => `line ${i};`);
  const path = folder.write("field/shared.txt", lines.join("\n"));
  const answers = await Promise.all(
    lines.map((line) => new ModernClient(http.url).call("multi_edit_text_file", call(path, line).arguments)),
  );
  assertEquals(answers.map(({ value }) => value.applied_count), lines.map(() => 1));
  assertEquals(folder.read("field/shared.txt"), lines.map(() => "y").join("\n"));
});

Deno.test("a failed multi_edit_text_file is counted as one error", async () => {
  const before = await http.metric("errors_total");
  await new ModernClient(http.url).request("tools/call", { ...call("/etc/passwd", "x") });
  await (await SessionClient.begin(http.url)).request("tools/call", call("/etc/passwd", "x"));
  assertEquals(await http.metric("errors_total") - before, 2);
});
