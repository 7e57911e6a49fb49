/** The official SDK's clients, both major versions. */
import {
  Client as SecondClient,
  StreamableHTTPClientTransport as SecondHttp,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as SecondStdio } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as FirstHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport as FirstTransport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { ClientLibrary, Connected } from "./matrix.ts";

interface Answer {
  content?: unknown;
}

interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Answer>;
  readResource(asked: { uri: string }): Promise<{ contents: Record<string, unknown>[] }>;
  close(): Promise<void>;
}

function connected(client: AnyClient): Connected {
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async ({ tool, args }) => textOf(await client.callTool({ name: tool, arguments: args })),
    read: async (uri) => String((await client.readResource({ uri })).contents[0]?.text),
    close: () => client.close(),
  };
}

export function textOf({ content }: Answer): string {
  return (content as { text?: string }[]).map(({ text }) => text ?? "").join("\n");
}

export const OFFICIAL: readonly ClientLibrary[] = [
  {
    name: "@modelcontextprotocol/sdk 1.32.2",
    connect: async (target) => {
      const client = new FirstClient({ name: "clients", version: "1" });
      const transport = "url" in target
        ? new FirstHttp(new URL(target.url))
        : new FirstStdio({ ...target, stderr: "ignore" });
      await client.connect(transport as FirstTransport);
      return connected(client as unknown as AnyClient);
    },
  },
  {
    name: "@modelcontextprotocol/client 2.4.0",
    connect: async (target) => {
      const client = new SecondClient({ name: "clients", version: "1" }, {
        versionNegotiation: { mode: "auto" },
      });
      const transport = "url" in target
        ? new SecondHttp(new URL(target.url))
        : new SecondStdio({ ...target, stderr: "ignore" });
      await client.connect(transport);
      return connected(client as unknown as AnyClient);
    },
  },
];
