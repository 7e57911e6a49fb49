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
import { type Logger } from "../base/log.ts";
import { shown } from "../base/shown.ts";
import { ASK_FOR_ROOTS, ClientRoots } from "./client_roots.ts";
import { capabilitiesOf } from "./greeting.ts";
import { type Caller, MethodError, Methods, type MethodsOptions, type Tools } from "./methods.ts";
import { type Member, type Notices } from "./notices.ts";
import { type Tell } from "./progress.ts";
import { SERVER_INFO, SERVER_NAME } from "./server_info.ts";
import { WireErrors } from "./wire_errors.ts";

// Compiling a schema costs more than all the parsing that the first answer needs, and calls gain little by it.
config({ jitless: true });

export interface McpOptions extends MethodsOptions {
  instructions: string;
  /** What the client is told unasked; nothing without it. */
  notices?: Notices | undefined;
  /** Whether it serves revision 2026-07-28, which has no handshake. */
  isModern?: boolean | undefined;
  /** Asks the client in which folders it works, where that matters to the tools. */
  clientRoots?: { readonly log: Logger } | undefined;
  /** What the connection is called in records; a name by chance without it. */
  session?: string | undefined;
  /** The method of the only request it is for, if that is known: one that is not ours is the SDK's to refuse. */
  method?: string | undefined;
}

export function createMcpServer(tools: Tools, options: McpOptions): Server {
  const { instructions, resources, notices, method, clientRoots, isModern = method !== undefined } = options;
  const capabilities = capabilitiesOf({ hasResources: resources !== undefined });
  const server = new Server(SERVER_INFO, { capabilities, instructions });
  const methods = new Methods(tools, options);
  if (method !== undefined && !methods.has(method)) return server;
  const errors = new WireErrors(server);
  const roots = clientRoots && new ClientRoots(server, clientRoots.log);
  const session = method === undefined ? options.session ?? crypto.randomUUID() : undefined;
  const member = isModern || notices === undefined ? undefined : joined(notices, server);
  server.fallbackRequestHandler = async (request, context) => {
    if (!methods.has(request.method)) {
      const message = `Method not found: ${shown(request.method)}`;
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, message);
    }
    try {
      const told = request.method === "tools/call" ? await roots?.of(context) : undefined;
      const caller = { ...callerOf(server, context), session, member };
      const result = told === "ask"
        ? ASK_FOR_ROOTS
        : await methods.answer(request, { ...caller, clientRoots: told });
      return isModern ? { ...result, _meta: BRIEFLY } : result;
    } catch (error) {
      if (!(error instanceof MethodError)) throw error;
      const { code, message, data } = error.error;
      // What is not there has a code of its own up to 2025-11-25.
      const isOwn = error.isOwn && (!isModern || !methods.isAboutResources(request.method));
      throw isOwn ? errors.of(error.error) : new ProtocolError(code, message, data);
    }
  };
  return server;
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

function callerOf(server: Server, { mcpReq }: ServerContext): Omit<Caller, "session" | "member"> {
  const { id, signal } = mcpReq;
  return { requestId: id, signal, client: server.getClientVersion()?.name, tell: tellerOf(mcpReq) };
}

function tellerOf(mcpReq: ServerContext["mcpReq"]): Tell | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress) => {
    const params = { progressToken, ...progress };
    // A client that has gone meanwhile is nobody to tell.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
