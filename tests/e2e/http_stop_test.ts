/** How a server over HTTP stops: calls in flight are answered, the rest is closed, the exit code is 0. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ModernClient, post, rawExchange, SessionClient } from "../support/http_client.ts";
import { eventually, HttpServer } from "../support/http_server.ts";
import { onUnix } from "../support/needs.ts";
import { tempFolder } from "../support/temp.ts";

/** How long idle clients stay; far longer than any machine needs to stop a server. */
const PATIENCE_MS = 120_000;

Deno.test({
  // Windows has no signal that only asks a process to end.
  ...onUnix("SIGTERM lets calls in flight finish, refuses new ones, closes the streams, and ends with 0"),
  fn: async () => {
    using folder = tempFolder();
    const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
    const paths = ["one.txt", "two.txt", "three.txt"];
    const files = paths.map((path) =>
      Deno.openSync(folder.write(path, "before"), { read: true, write: true })
    );
    for (const file of files) file.lockSync(true);
    await using server = await HttpServer.start([folder.path]);
    const [client, modern] = [await SessionClient.begin(server.url), new ModernClient(server.url)];
    const [standing, sse] = [await client.stream(), await fetch(`${server.url}/mcp/stream`)];
    const args = (i: number) => ({ root, path: paths[i], content: "after", mode: "overwrite" });
    const params = { name: "write_file", arguments: args(2), _meta: { progressToken: 1 } };
    const streamed = await client.send({ jsonrpc: "2.0", id: 9, method: "tools/call", params });
    const calls = [client.call("write_file", args(0)), modern.call("write_file", args(1))];
    await eventually(() => server.metric("calls_in_flight"), (count) => count === 3);

    server.kill("SIGTERM");
    await server.logged("server_stopping");
    const refused = await post(`${server.url}/mcp`, { jsonrpc: "2.0", id: 1, method: "ping" }, {
      headers: client.headers,
    });
    assertEquals([refused.status, refused.headers.get("connection")], [503, "close"]);
    assertStringIncludes((await refused.json()).error.message, "the server is stopping");
    for (const file of files) file.close();
    assertEquals((await Promise.all(calls)).map(({ isError }) => isError), [false, false]);
    assertStringIncludes(await streamed.text(), '"id":9');
    assertEquals(paths.map((path) => folder.read(path)), ["after", "after", "after"]);
    assertEquals(await standing.text(), "");
    assertStringIncludes(await sse.text(), "event: endpoint");
    assertEquals(await server.exit(), 0);
    assertStringIncludes(server.log, "server_stopped");
    await assertRejects(() => fetch(`${server.url}/health`), TypeError);
  },
});

Deno.test({
  ...onUnix(
    "SIGINT does not wait for an endless call, or for a client that does nothing, and ends with 0",
  ),
  fn: async () => {
    using folder = tempFolder();
    const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
    Deno.truncateSync(folder.write("endless.txt", "a line\n".repeat(10_000)), 16 * 1024 ** 3);
    await using server = await HttpServer.start(["--timeout=300", folder.path]);
    const client = await SessionClient.begin(server.url);
    const args = { root, path: "endless.txt", offset_lines: 1, limit_lines: 1 };
    const params = { name: "read_file", arguments: args };
    const endless = client.send({ jsonrpc: "2.0", id: 9, method: "tools/call", params });
    const half = rawExchange(server.port, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-", {
      waitMs: PATIENCE_MS,
    });
    const slow = rawExchange(
      server.port,
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
      { waitMs: PATIENCE_MS },
    );
    await eventually(() => server.metric("calls_in_flight"), (count) => count === 1);
    let isConnected = true;
    const patience = setTimeout(() => isConnected = false, PATIENCE_MS);
    server.kill("SIGINT");
    assertEquals(await server.exit().finally(() => clearTimeout(patience)), 0);
    assert(isConnected, "the server waited until its clients had gone");
    const { id, result } = await (await endless).json();
    assertEquals([id, result.isError], [9, true]);
    assertStringIncludes(result.content[0].text, "the server is stopping");
    assertStringIncludes(server.log, "outcome=cancelled");
    await Promise.all([half, slow]);
    assertStringIncludes(server.log, "server_stopped");
  },
});
