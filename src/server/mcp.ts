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
import type { Logger } from "../base/log.ts";
import { shown } from "../base/shown.ts";
import { ASK_FOR_ROOTS, ClientRoots } from "./client_roots.ts";
import { capabilitiesOf } from "./greeting.ts";
import { type Caller, MethodError, Methods, type MethodsOptions, type Tools } from "./methods.ts";
import type { Member, Notices } from "./notices.ts";
import type { Tell } from "./progress.ts";
import { SERVER_INFO, SERVER_NAME } from "./server_info.ts";
import { WireErrors } from "./wire_errors.ts";

// Compiling a schema costs more than all the parsing before the first answer, and calls gain little from it.
config({ jitless: true });

export interface McpOptions extends MethodsOptions {
  instructions: string;
  /** Notifications for the client; none without it. */
  notices?: Notices | undefined;
  /** Whether it serves revision 2026-07-28, which has no handshake. */
  isModern?: boolean | undefined;
  /** Asks the client which folders it works in, where that matters to the tools. */
  clientRoots?: { readonly log: Logger } | undefined;
  /** The connection's name in records. Default: a random one. */
  session?: string | undefined;
  /** The method of the only request it serves, if known: the SDK refuses one that is not ours. */
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
      // Up to 2025-11-25, a missing resource has an error code of its own.
      const isOwn = error.isOwn && (!isModern || !methods.isAboutResources(request.method));
      throw isOwn ? errors.of(error.error) : new ProtocolError(code, message, data);
    }
  };
  return server;
}

/** Every answer of that revision names the server; the full introduction came at the beginning. */
const BRIEFLY = { [SERVER_INFO_META_KEY]: SERVER_NAME };

/** Joins until the connection is closed. */
function joined(notices: Notices, server: Server): Member {
  const member = notices.join((notice) => {
    if (server.getClientVersion() === undefined) return; // it has not introduced itself yet
    server.notification({ ...notice }).catch(() => {}); // the client may have gone
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
    // The client may have gone in the meantime.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
