/** Calls whose clients cancel or disappear: they end, and nothing is left of them. */
import { assert, assertEquals } from "@std/assert";
import { ModernClient, SessionClient } from "../support/http_client.ts";
import { eventually, HttpServer } from "../support/http_server.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

let folder: TempFolder;
let server: HttpServer;
let root: string;

Deno.test.beforeAll(async () => {
  folder = tempFolder();
  root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
  // Counting the lines of 16 GiB takes longer than any of these tests; all but the beginning is a hole.
  Deno.truncateSync(folder.write("endless.txt", "a line\n".repeat(10_000)), 16 * 1024 ** 3);
  server = await HttpServer.start(["--timeout=300", folder.path]);
});

Deno.test.afterAll(async () => {
  await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** Not a small request: for small ones it is noticed at once that the client has gone. */
function slowCall(id: number, meta: Record<string, unknown> = {}) {
  const args = { root, path: "endless.txt", offset_lines: 1, limit_lines: 1 };
  return {
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "read_file", arguments: args, _meta: { ...meta, filler: "x".repeat(1_000) } },
  };
}

function inFlight(count: number): Promise<number> {
  return eventually(() => server.metric("calls_in_flight"), (value) => value === count);
}

const CANCELLED = 'tool_calls_total{tool="read_file",outcome="cancelled"}';

/** Runs something that abandons this many calls, and waits until they have ended. */
async function endsCalls(count: number, leave: () => Promise<unknown>): Promise<void> {
  const before = await server.metric(CANCELLED) || 0;
  await leave();
  assertEquals(await inFlight(0), 0);
  assertEquals(
    await eventually(() => server.metric(CANCELLED), (now) => now === before + count),
    before + count,
  );
}

Deno.test("notifications/cancelled ends the call and its POST, without an answer", async () => {
  const client = await SessionClient.begin(server.url);
  const plain = client.send(slowCall(1));
  const streamed = await client.send(slowCall(2, { progressToken: 1 }));
  assertEquals(await inFlight(2), 2);
  await endsCalls(2, async () => {
    for (const requestId of [1, 2]) {
      const params = { requestId, reason: "changed my mind" };
      const accepted = await client.send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
      assertEquals([accepted.status, await accepted.text()], [202, ""]);
    }
  });
  const response = await plain;
  assertEquals([response.ok, await response.text(), await streamed.text()], [true, "", ""]);
  assertEquals((await client.request("ping", undefined, 1)).result, {}); // the id is free again
});

const CLIENTS: [name: string, send: (signal: AbortSignal) => Promise<Promise<Response>[]>][] = [
  ["that waits for JSON", async (signal) => {
    const client = await SessionClient.begin(server.url);
    return [client.send(slowCall(1), { signal }), client.send(slowCall(2), { signal })];
  }],
  ["that reads a stream", async (signal) => {
    const client = await SessionClient.begin(server.url);
    return [1, 2].map((id) => client.send(slowCall(id, { progressToken: id }), { signal }));
  }],
  ["that has sent a batch", async (signal) => {
    const client = await SessionClient.begin(server.url, "2025-03-26");
    return [client.send([slowCall(1), slowCall(2)], { signal })];
  }],
  ["without a session", (signal) => {
    const client = new ModernClient(server.url);
    const args = { root, path: "endless.txt", offset_lines: 1, limit_lines: 1 };
    const call = () => client.send("tools/call", { name: "read_file", arguments: args }, { signal });
    return Promise.resolve([call(), call()]);
  }],
];

for (const [name, send] of CLIENTS) {
  Deno.test(`calls are cancelled when a client ${name} disappears`, async () => {
    const controller = new AbortController();
    const answers = (await send(controller.signal)).map((answer) =>
      answer.then((response) => response.text())
    );
    const results = Promise.allSettled(answers);
    assertEquals(await inFlight(2), 2);
    await endsCalls(2, () => Promise.resolve(controller.abort()));
    for (const { status } of await results) assertEquals(status, "rejected");
  });
}

Deno.test("a client of the old transport that closes its stream cancels its calls", async () => {
  const controller = new AbortController();
  const stream = await fetch(`${server.url}/sse`, { signal: controller.signal });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("\n\nevent: endpoint\ndata: ")) text += (await reader?.read())?.value;
  const [, path] = /data: (\S+)/.exec(text) ?? [];
  for (const id of [1, 2]) {
    const accepted = await fetch(server.url + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(slowCall(id)),
    });
    assertEquals([accepted.status, await accepted.text()], [202, "Accepted"]);
  }
  assertEquals(await inFlight(2), 2);
  await endsCalls(2, async () => {
    const ended = reader?.read().catch(() => undefined);
    controller.abort();
    await ended;
  });
});

Deno.test("DELETE cancels the calls of its session, and no others", async () => {
  const [client, other] = [await SessionClient.begin(server.url), await SessionClient.begin(server.url)];
  const answer = client.send(slowCall(1));
  const controller = new AbortController();
  const unharmed = other.send(slowCall(1), { signal: controller.signal });
  assertEquals(await inFlight(2), 2);
  await (await client.end()).body?.cancel();
  const { id, error } = await (await answer).json();
  assertEquals([id, error.code, error.message], [1, -32001, "Session not found: it was closed"]);
  assertEquals(await inFlight(1), 1);
  await endsCalls(1, async () => {
    controller.abort();
    await unharmed.catch(() => {});
  });
});

Deno.test("a cancelled call is logged as cancelled, and not as an error", async () => {
  await server.logged("outcome=cancelled");
  assert(!/outcome=error/.test(server.log), server.log);
});
