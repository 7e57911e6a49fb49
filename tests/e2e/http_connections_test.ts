/**
 * Useless connections: idle ones and half-sent requests, more of them than the process has descriptors. The limit is
 * set low from outside, so that few sockets are enough.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { SessionClient } from "../support/http_client.ts";
import { eventually, HttpServer } from "../support/http_server.ts";
import { needs, onLinux } from "../support/needs.ts";
import { tempFolder } from "../support/temp.ts";

const TOKEN = "0123456789abcdef0123456789abcdef";
const authorized = { headers: { authorization: `Bearer ${TOKEN}` } };

function openFiles(pid: number): number {
  return [...Deno.readDirSync(`/proc/${pid}/fd`)].length;
}

/** Connections without a token: every second one begins a request and does not continue it. */
async function strangers(port: number, count: number): Promise<AsyncDisposable> {
  const connections: Deno.Conn[] = [];
  for (let i = 0; i < count; i++) {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port });
    if (i % 2 === 1) {
      await connection.write(new TextEncoder().encode("POST /mcp HTTP/1.1\r\nHost: 12")).catch(() => {});
    }
    connections.push(connection);
  }
  return {
    [Symbol.asyncDispose]: () => {
      for (const connection of connections) connection.close();
      return Promise.resolve();
    },
  };
}

/** A client with its own connection, which reads a file whenever asked to. */
async function reader(server: HttpServer, root: string) {
  const client = Deno.createHttpClient({ poolMaxIdlePerHost: 1 });
  const session = await SessionClient.begin(server.url, "2025-06-18", { ...authorized, client });
  const read = async () => (await session.call("read_file", { root, path: "a.txt" })).text;
  return { read, [Symbol.dispose]: () => client.close() };
}

async function* reading(times: number, read: () => Promise<string>): AsyncGenerator<string> {
  for (let i = 0; i < times; i++) yield await read();
}

Deno.test({
  ...onLinux(
    "a server with 256 descriptors keeps serving while 400 connections without a token send nothing or half a request",
  ),
  fn: async () => {
    using folder = tempFolder();
    folder.write("a.txt", "hello\n");
    const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
    await using server = await HttpServer.start(["--log-level=warn", folder.path], {
      env: { PADDOCK_TOKEN: TOKEN },
      shell: "ulimit -n 256; exec $SERVER",
    });
    using before = await reader(server, root);
    assertEquals(await before.read(), "hello\n");
    await using _held = await strangers(server.port, 400);
    const open = await eventually(() => openFiles(server.pid), (count) => count < 256);
    assert(open < 256, "descriptors stay in reserve");
    assertEquals(await Array.fromAsync(reading(20, before.read)), Array(20).fill("hello\n"));
    using newcomer = await reader(server, root);
    assertEquals(await Array.fromAsync(reading(20, newcomer.read)), Array(20).fill("hello\n"));
    server.kill("SIGTERM");
    assertEquals(await server.exit(), 0);
  },
});

Deno.test({
  ...needs("prlimit")("a server whose accept fails for lack of descriptors keeps running, and serves again"),
  fn: async () => {
    using folder = tempFolder();
    folder.write("a.txt", "hello\n");
    const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
    await using server = await HttpServer.start(["--log-level=warn", folder.path], {
      env: { PADDOCK_TOKEN: TOKEN },
    });
    using before = await reader(server, root);
    assertEquals(await before.read(), "hello\n");
    const limit = openFiles(server.pid) + 40; // fewer than the server found at its start
    const args = [`--pid=${server.pid}`, `--nofile=${limit}:${limit}`];
    assertEquals((await new Deno.Command("prlimit", { args }).output()).success, true);
    await using _held = await strangers(server.port, 100);
    await server.logged("connections_refused");
    assertStringIncludes(server.log, "a connection could not be accepted: Too many open files");
    // Until the connections are released there may be no descriptor left for a file: then the answer says to try
    // again.
    const isFine = (text: string) => text === "hello\n" || text.startsWith("too many open files; try again");
    const texts = await Array.fromAsync(reading(20, before.read));
    assertEquals(texts.filter((text) => !isFine(text)), []);
    assertEquals(await eventually(before.read, (text) => text === "hello\n"), "hello\n");
    using newcomer = await reader(server, root);
    assertEquals(await eventually(newcomer.read, (text) => text === "hello\n"), "hello\n");
    server.kill("SIGTERM");
    assertEquals(await server.exit(), 0);
  },
});
