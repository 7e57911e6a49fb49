/** Clients of both major versions of the SDK that announce roots and change them, over stdio and HTTP, in one form. */
import {
  Client as SecondClient,
  StreamableHTTPClientTransport as SecondHttp,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as SecondStdio } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as FirstHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport as FirstTransport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { z } from "zod";
import { clientEnv, serverCommand } from "../../support/server.ts";

export interface RootedClient {
  /** The text of an answer. */
  call(name: string, args?: Record<string, unknown>): Promise<string>;
  /** Notifies the server that the roots have changed, and waits until it has asked for them. */
  changed(): Promise<void>;
  close(): Promise<void>;
}

/** What a client currently answers when asked for its roots. */
export interface Offer {
  uris: readonly string[];
  /** How often it was asked. */
  asked: number;
}

/** How a server is reached: started for what it serves, or by its URL. */
export type Reach = { serve: string[] } | { url: string };

const INFO = { name: "rooted", version: "1" };
const CAPABILITIES = { capabilities: { roots: { listChanged: true } } };

interface Said {
  content?: unknown;
}

function textOf({ content }: Said): string {
  return (content as { text?: string }[]).map(({ text }) => text ?? "").join("\n");
}

function rootsOf(offer: Offer) {
  offer.asked++;
  return { roots: offer.uris.map((uri) => ({ uri })) };
}

async function untilAskedAgain(offer: Offer, before: number): Promise<void> {
  for (let i = 0; i < 500 && offer.asked === before; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  if (offer.asked === before) throw new Error("the server did not ask again");
}

function commandOf(serve: string[]) {
  const [command = "", ...args] = serverCommand(["--classic", ...serve]);
  return { command, args, env: clientEnv(), stderr: "ignore" as const };
}

export async function firstMajor(offer: Offer, reach: Reach): Promise<RootedClient> {
  const client = new FirstClient(INFO, CAPABILITIES);
  client.setRequestHandler(z.object({ method: z.literal("roots/list") }), () => rootsOf(offer));
  const transport = "url" in reach
    ? new FirstHttp(new URL(`${reach.url}/mcp`))
    : new FirstStdio(commandOf(reach.serve));
  await client.connect(transport as FirstTransport);
  return {
    call: async (name, args = {}) => textOf(await client.callTool({ name, arguments: args })),
    changed: async () => {
      const before = offer.asked;
      await client.sendRootsListChanged();
      await untilAskedAgain(offer, before);
    },
    close: () => client.close(),
  };
}

export async function secondMajor(
  offer: Offer,
  reach: Reach,
  era: "legacy" | "modern" = "legacy",
): Promise<RootedClient> {
  const mode = era === "legacy" ? "legacy" as const : { pin: "2026-07-28" };
  const client = new SecondClient(INFO, { ...CAPABILITIES, versionNegotiation: { mode } });
  client.setRequestHandler("roots/list", () => rootsOf(offer));
  const transport = "url" in reach
    ? new SecondHttp(new URL(`${reach.url}/mcp`))
    : new SecondStdio(commandOf(reach.serve));
  await client.connect(transport);
  return {
    call: async (name, args = {}) => textOf(await client.callTool({ name, arguments: args })),
    changed: async () => {
      if (era === "modern") return; // it is asked with every call
      const before = offer.asked;
      await client.sendRootsListChanged();
      await untilAskedAgain(offer, before);
    },
    close: () => client.close(),
  };
}
