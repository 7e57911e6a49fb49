/**
 * The registry as an MCP server: one SDK server per connection, with the two methods about tools answered here
 * and everything else of the protocol by the SDK.
 */
import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from "@modelcontextprotocol/server";
import { config } from "zod";
import { NAME, VERSION } from "../base/version.ts";
import { type Access, type ToolCall, type ToolListing, type ToolResult } from "../tools/tool.ts";
import { type Scheduler } from "./scheduler.ts";

// Compiling a schema costs more than all the parsing that the first answer needs, and calls gain little by it.
config({ jitless: true });

export interface McpOptions {
  instructions: string;
  /** Keeps the order of calls on a connection that has one; calls run as they come without it. */
  scheduler?: Scheduler;
  /** Methods beside MCP's own. */
  bare?: BareMethods;
  /** The method of the only request it is for, if that is known: one that is not ours is the SDK's to refuse. */
  method?: string | undefined;
}

/** Operations that are methods of their own: their results are objects, their errors have a JSON-RPC code. */
export interface BareMethods {
  readonly methods: readonly string[];
  readonly tools: Tools;
}

/** What a server needs of the registry, which may still be loading. */
export interface Tools {
  list(): ToolListing[] | Promise<ToolListing[]>;
  accessOf(name: string): Access | undefined | Promise<Access | undefined>;
  call(name: string, args: unknown, call: ToolCall): Promise<ToolResult | undefined>;
}

const METHODS = ["tools/list", "tools/call"];

export function createMcpServer(tools: Tools, options: McpOptions): Server {
  const { instructions, scheduler, bare, method } = options;
  const server = new Server({ name: NAME, version: VERSION }, { capabilities: { tools: {} }, instructions });
  if (method !== undefined && !METHODS.includes(method) && !bare?.methods.includes(method)) return server;
  server.fallbackRequestHandler = async (request, context) => {
    switch (request.method) {
      case "tools/list":
        return { tools: await tools.list() };
      case "tools/call":
        return { ...await callTool(request.params, { tools, server, scheduler, context }) };
      default:
        if (bare?.methods.includes(request.method)) {
          return await callBare(request, { tools: bare.tools, server, scheduler, context });
        }
        throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `Method not found: ${request.method}`);
    }
  };
  return server;
}

interface Calling {
  tools: Tools;
  server: Server;
  scheduler: Scheduler | undefined;
  context: ServerContext;
}

async function callTool(params: unknown, { tools, server, scheduler, context }: Calling) {
  const { name, arguments: args } = (params ?? {}) as { name?: unknown; arguments?: unknown };
  if (typeof name !== "string") {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "tools/call needs the tool's name as a string");
  }
  const result = await callByName(name, args, { tools, server, scheduler, context });
  if (result === undefined) {
    const known = (await tools.list()).map((tool) => tool.name).join(", ");
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown tool: ${name.slice(0, 100)}; known: ${known}`,
    );
  }
  return result;
}

async function callBare({ method, params }: { method: string; params?: unknown }, calling: Calling) {
  const { _meta, ...args } = (params ?? {}) as { _meta?: unknown };
  const result = await callByName(method, args, calling);
  const value = result?.structuredContent ?? {};
  if (!result?.isError) return value;
  const { code, message, data } = value as { code: number; message: string; data?: unknown };
  throw new ProtocolError(code, message, data);
}

async function callByName(name: string, args: unknown, { tools, server, scheduler, context }: Calling) {
  const access = await tools.accessOf(name);
  const { id, signal } = context.mcpReq;
  const call = () =>
    tools.call(name, args, { signal, requestId: id, client: server.getClientVersion()?.name });
  return scheduler === undefined
    ? await call()
    : await scheduler.run(access === "write" ? "write" : "read", call, signal);
}
