/**
 * The registry as an MCP server: one SDK server per connection, with the two methods about tools answered here
 * and everything else of the protocol by the SDK.
 */
import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from "@modelcontextprotocol/server";
import { config } from "zod";
import { shown } from "../base/shown.ts";
import { type Access, type ToolCall, type ToolListing, type ToolResult } from "../tools/tool.ts";
import { CAPABILITIES, SERVER_INFO } from "./greeting.ts";
import { progressReports } from "./progress.ts";
import { type Scheduler } from "./scheduler.ts";
import { WireErrors } from "./wire_errors.ts";

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
  const server = new Server(SERVER_INFO, { capabilities: CAPABILITIES, instructions });
  if (method !== undefined && !METHODS.includes(method) && !bare?.methods.includes(method)) return server;
  const errors = new WireErrors(server);
  const session = method === undefined ? crypto.randomUUID() : undefined;
  server.fallbackRequestHandler = async (request, context) => {
    switch (request.method) {
      case "tools/list":
        return { tools: await tools.list() };
      case "tools/call":
        return { ...await callTool(request.params, { tools, server, session, scheduler, context, errors }) };
      default:
        if (bare?.methods.includes(request.method)) {
          return await callBare(request, { tools: bare.tools, server, session, scheduler, context, errors });
        }
        throw new ProtocolError(
          ProtocolErrorCode.MethodNotFound,
          `Method not found: ${shown(request.method)}`,
        );
    }
  };
  return server;
}

interface Calling {
  tools: Tools;
  server: Server;
  /** Of the connection; a server that is made for one request has none. */
  session: string | undefined;
  scheduler: Scheduler | undefined;
  context: ServerContext;
  errors: WireErrors;
}

async function callTool(params: unknown, calling: Calling) {
  const { name, arguments: args } = (params ?? {}) as { name?: unknown; arguments?: unknown };
  if (typeof name !== "string") {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "tools/call needs the tool's name as a string");
  }
  const result = await callByName(name, args, calling);
  if (result === undefined) {
    const known = (await calling.tools.list()).map((tool) => tool.name).join(", ");
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown tool: ${shown(name.slice(0, 100))}; known: ${known}`,
    );
  }
  if (result.rpcError !== undefined) throw calling.errors.of(result.rpcError);
  return result;
}

async function callBare({ method, params }: { method: string; params?: unknown }, calling: Calling) {
  const { _meta, ...args } = (params ?? {}) as { _meta?: unknown };
  const result = await callByName(method, args, calling);
  if (result?.rpcError === undefined) return result?.structuredContent ?? {};
  const { code, message, data } = result.rpcError;
  throw new ProtocolError(code, message, data);
}

async function callByName(
  name: string,
  args: unknown,
  { tools, server, session, scheduler, context }: Calling,
) {
  const access = await tools.accessOf(name);
  const { id, signal } = context.mcpReq;
  const { progress, end } = progressReports(context);
  const call = () => {
    const client = server.getClientVersion()?.name;
    return tools.call(name, args, { signal, requestId: id, client, session, ...(progress && { progress }) })
      .finally(end);
  };
  return scheduler === undefined
    ? await call()
    : await scheduler.run(access === "write" ? "write" : "read", call, signal);
}
