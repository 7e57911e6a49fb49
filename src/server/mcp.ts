/**
 * The registry as an MCP server: one SDK server per connection, with the methods about tools and resources answered
 * here and everything else of the protocol by the SDK.
 */
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  SERVER_INFO_META_KEY,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { config } from "zod";
import { shown } from "../base/shown.ts";
import {
  type Access,
  type RpcError,
  type ToolCall,
  type ToolListing,
  type ToolResult,
} from "../tools/tool.ts";
import { capabilitiesOf } from "./greeting.ts";
import { type Member, type Notices } from "./notices.ts";
import { progressReports } from "./progress.ts";
import { locatedBy, RESOURCE_METHODS, SUBSCRIBE, subscribed, UNSUBSCRIBE } from "./resource_methods.ts";
import { type Scheduler } from "./scheduler.ts";
import { SERVER_INFO, SERVER_NAME } from "./server_info.ts";
import { WireErrors } from "./wire_errors.ts";

// Compiling a schema costs more than all the parsing that the first answer needs, and calls gain little by it.
config({ jitless: true });

export interface McpOptions {
  instructions: string;
  /** Keeps the order of calls on a connection that has one; calls run as they come without it. */
  scheduler?: Scheduler;
  /** Methods beside MCP's own. */
  bare?: BareMethods;
  /** The methods about resources, where the surface has them. */
  resources?: Tools | undefined;
  /** What the client is told unasked; nothing without it. */
  notices?: Notices | undefined;
  /** Whether it serves revision 2026-07-28, which has no handshake. */
  isModern?: boolean | undefined;
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
  const { instructions, scheduler, bare, resources, notices, method, isModern = method !== undefined } =
    options;
  const capabilities = capabilitiesOf({ hasResources: resources !== undefined });
  const server = new Server(SERVER_INFO, { capabilities, instructions });
  const isResources = (name: string) => resources !== undefined && RESOURCE_METHODS.includes(name);
  const isOurs = (name: string) =>
    METHODS.includes(name) || isResources(name) || bare?.methods.includes(name) === true;
  if (method !== undefined && !isOurs(method)) return server;
  const errors = new WireErrors(server);
  const session = method === undefined ? crypto.randomUUID() : undefined;
  const member = isModern || notices === undefined ? undefined : joined(notices, server);
  const answer = async (request: Asked, context: ServerContext): Promise<Record<string, unknown>> => {
    const calling = { tools, server, session, scheduler, context, errors, isModern };
    if (request.method === "tools/list") return { tools: await tools.list() };
    if (request.method === "tools/call") return { ...await callTool(request.params, calling) };
    if (resources !== undefined && isResources(request.method)) {
      return await callResources(request, { ...calling, tools: resources, member });
    }
    if (bare?.methods.includes(request.method)) {
      return await callBare(request, { ...calling, tools: bare.tools });
    }
    throw new ProtocolError(
      ProtocolErrorCode.MethodNotFound,
      `Method not found: ${shown(request.method)}`,
    );
  };
  server.fallbackRequestHandler = async (request, context) => {
    const result = await answer(request, context);
    return isModern ? { ...result, _meta: BRIEFLY } : result;
  };
  return server;
}

interface Asked {
  method: string;
  params?: unknown;
}

/** Every answer of that revision says who gives it; how that looks was told at the beginning. */
const BRIEFLY = { [SERVER_INFO_META_KEY]: SERVER_NAME };

/** Until the connection is closed. */
function joined(notices: Notices, server: Server): Member {
  const member = notices.join((notice) => {
    if (server.getClientVersion() === undefined) return; // it has not said hello yet
    server.notification({ ...notice }).catch(() => {}); // a client that has gone is nobody to tell
  });
  server.onclose = () => member.leave();
  return member;
}

interface Calling {
  tools: Tools;
  server: Server;
  /** Of the connection; a server that is made for one request has none. */
  session: string | undefined;
  scheduler: Scheduler | undefined;
  context: ServerContext;
  errors: WireErrors;
  isModern: boolean;
}

interface CallingResources extends Calling {
  /** Who hears of what is subscribed to, where that is asked for by a request. */
  member: Member | undefined;
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

async function callResources({ method, params }: Asked, calling: CallingResources) {
  const { _meta, ...args } = (params ?? {}) as { _meta?: unknown; uri?: unknown };
  const { member, errors, isModern } = calling;
  if ((method === SUBSCRIBE || method === UNSUBSCRIBE) && member === undefined) {
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `Method not found: ${method}`);
  }
  if (method === UNSUBSCRIBE) {
    member?.unsubscribe(String(args.uri));
    return {};
  }
  const result = await callByName(method, args, calling);
  const { rpcError, places } = method === SUBSCRIBE ? locatedBy(result) : { rpcError: result?.rpcError };
  const refused = rpcError ?? (places && member && subscribed(member, String(args.uri), places));
  // What is not there has a code of its own up to 2025-11-25.
  if (refused !== undefined) throw isModern ? protocolError(refused) : errors.of(refused);
  return method === SUBSCRIBE ? {} : result?.structuredContent ?? {};
}

function protocolError({ code, message, data }: RpcError): ProtocolError {
  return new ProtocolError(code, message, data);
}

async function callBare({ method, params }: Asked, calling: Calling) {
  const { _meta, ...args } = (params ?? {}) as { _meta?: unknown };
  const result = await callByName(method, args, calling);
  if (result?.rpcError === undefined) return result?.structuredContent ?? {};
  throw protocolError(result.rpcError);
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
