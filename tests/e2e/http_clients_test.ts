/** The official clients, of both major versions and over every transport, against the server as people start it. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import {
  Client as SecondClient,
  SSEClientTransport as SecondSse,
  StreamableHTTPClientTransport as SecondHttp,
  type VersionNegotiationMode,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as SecondStdio } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport as FirstSse } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport as FirstHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport as FirstTransport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { SERVER_INFO } from "../../src/server/server_info.ts";
import { eventually, HttpServer } from "../support/http_server.ts";
import { clientEnv, serverCommand } from "../support/server.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

let folder: TempFolder;
let server: HttpServer;
let root: string;

Deno.test.beforeAll(async () => {
  folder = tempFolder();
  root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
  server = await HttpServer.start(["--timeout=300", folder.path]);
});

Deno.test.afterAll(async () => {
  await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

interface CallOptions {
  signal?: AbortSignal;
  onprogress?: () => void;
}

/** What both major versions can do, in one form. */
interface AnyClient {
  revision(): string | undefined;
  server(): unknown;
  tools(): Promise<string[]>;
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<AnyResult>;
  ping(): Promise<unknown>;
  close(): Promise<void>;
}

interface AnyResult {
  content?: unknown;
  structuredContent?: unknown;
  isError?: boolean;
}

async function first(transport: FirstSse | FirstHttp): Promise<AnyClient> {
  const client = new FirstClient({ name: "clients", version: "1" });
  await client.connect(transport as FirstTransport);
  return {
    revision: () => transport instanceof FirstHttp ? transport.protocolVersion : undefined,
    server: () => client.getServerVersion(),
    tools: async () => (await client.listTools()).tools.map(({ name }: { name: string }) => name),
    call: async (name, args, options) =>
      await client.callTool({ name, arguments: args }, undefined, options) as AnyResult,
    ping: () => client.ping(),
    close: async () => {
      if (transport instanceof FirstHttp) await transport.terminateSession();
      await client.close();
    },
  };
}

async function second(
  transport: SecondSse | SecondHttp | SecondStdio,
  mode: VersionNegotiationMode,
): Promise<AnyClient> {
  const client = new SecondClient({ name: "clients", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  const modern = client.getProtocolEra() === "modern";
  return {
    revision: () => client.getNegotiatedProtocolVersion(),
    server: () => client.getServerVersion(),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args, options) => client.callTool({ name, arguments: args }, options) as Promise<AnyResult>,
    ping: () => modern ? client.listTools() : client.ping(),
    close: async () => {
      if (transport instanceof SecondHttp && !modern) await transport.terminateSession();
      await client.close();
    },
  };
}

function stdio(): SecondStdio {
  const [command = "", ...args] = serverCommand(["--timeout=300", folder.path]);
  return new SecondStdio({ command, args, env: clientEnv(), stderr: "ignore" });
}

const at = (path: string) => new URL(server.url + path);
const MODERN = "2026-07-28";
const CLIENTS: [name: string, open: () => Promise<AnyClient>, revision: string | undefined][] = [
  ["sdk 1.32 over Streamable HTTP", () => first(new FirstHttp(at("/mcp"))), "2025-11-25"],
  ["sdk 1.32 over SSE at /sse", () => first(new FirstSse(at("/sse"))), undefined],
  ["sdk 1.32 over SSE at /mcp/stream", () => first(new FirstSse(at("/mcp/stream"))), undefined],
  [
    "client 2.4 over Streamable HTTP, legacy",
    () => second(new SecondHttp(at("/mcp")), "legacy"),
    "2025-11-25",
  ],
  ["client 2.4 over Streamable HTTP, negotiated", () => second(new SecondHttp(at("/mcp")), "auto"), MODERN],
  [
    "client 2.4 over Streamable HTTP, pinned",
    () => second(new SecondHttp(at("/mcp")), { pin: MODERN }),
    MODERN,
  ],
  ["client 2.4 over SSE", () => second(new SecondSse(at("/sse")), "legacy"), "2025-11-25"],
  ["client 2.4 over stdio, legacy", () => second(stdio(), "legacy"), "2025-11-25"],
  ["client 2.4 over stdio, negotiated", () => second(stdio(), "auto"), MODERN],
];

for (const [name, open, revision] of CLIENTS) {
  Deno.test(`${name}: lists, reads, writes, fails, cancels and calls side by side`, async () => {
    const client = await open();
    try {
      assertEquals(client.server(), SERVER_INFO);
      if (revision !== undefined) assertEquals(client.revision(), revision);
      assertEquals((await client.tools()).includes("read_file"), true); // from now on the clients check results against the schemas
      const write = (path: string, content: string) =>
        client.call("write_file", { root, path, content, mode: "overwrite" });
      assertEquals((await write("a.txt", "grüß\n")).isError ?? false, false);
      const read = await client.call("read_file", { root, path: "a.txt" });
      assertEquals(read.content, [{ type: "text", text: "grüß\n" }]);
      assertEquals((read.structuredContent as { size: number }).size, 7);
      const progress = await client.call("stat_file", { root, path: "a.txt" }, { onprogress: () => {} });
      assertEquals((progress.structuredContent as { size: number }).size, 7);
      const refused = await client.call("read_file", { root, path: "../x" });
      assertEquals(refused.isError, true);
      assertStringIncludes(JSON.stringify(refused.content), "path resolves outside root boundary");
      await assertRejects(() => client.call("rm_rf", {}), Error, "Unknown tool: rm_rf");
      await client.ping();
      await cancels(client);
      const paths = Array.from({ length: 30 }, (_, i) => `many/${i}.txt`);
      await Promise.all(paths.map((path) => write(path, path)));
      const texts = await Promise.all(paths.map((path) => client.call("read_file", { root, path })));
      assertEquals(texts.map(({ content }) => content), paths.map((text) => [{ type: "text", text }]));
    } finally {
      await client.close();
    }
    assertEquals(await eventually(() => server.metric("sessions"), (sessions) => sessions === 0), 0);
  });
}

/** A call that waits for a lock can be cancelled, and then never runs. */
async function cancels(client: AnyClient): Promise<void> {
  using file = Deno.openSync(folder.write("locked.txt", "before"), { read: true, write: true });
  file.lockSync(true);
  const controller = new AbortController();
  const args = { root, path: "locked.txt", content: "after", mode: "overwrite" };
  const waiting = client.call("write_file", args, { signal: controller.signal });
  const timer = setTimeout(() => controller.abort("changed my mind"), 150);
  await assertRejects(() => waiting, Error, "changed my mind");
  clearTimeout(timer);
  await client.call("read_file", { root, path: "a.txt" });
  assertEquals(await eventually(() => server.metric("calls_in_flight"), (calls) => calls === 0), 0);
  file.unlockSync();
  assertEquals(folder.read("locked.txt"), "before");
}
