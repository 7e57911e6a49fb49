/** A connection over standard input and output, or the part of one that is left to the SDK, served by it. */
import type { Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Logger } from "../base/log.ts";
import { DISCOVERED_REVISION } from "../server/greeting.ts";
import { createMcpServer, type McpOptions } from "../server/mcp.ts";
import type { Tools } from "../server/methods.ts";
import { Notices } from "../server/notices.ts";
import { ListenGate, MOST_LISTENING } from "./listen_gate.ts";

export interface SdkStdioOptions extends McpOptions {
  tools: Tools;
  log: Logger;
}

/** Receives messages from here on. */
export function serveBySdk(
  transport: Transport,
  { tools, log, ...options }: SdkStdioOptions,
): { close(): Promise<void> } {
  const { notices = new Notices(), resources } = options;
  const gate = new ListenGate({ transport, notices, resources });
  return serveStdio(({ era }) => {
    const isModern = era === "modern";
    const server = createMcpServer(tools, { ...options, isModern });
    if (isModern) {
      transport.setProtocolVersion?.(DISCOVERED_REVISION); // it has no `initialize` to say so
      gate.serve(server);
    }
    return server;
  }, {
    transport: gate,
    maxSubscriptions: MOST_LISTENING,
    onerror: (error) => log.debug("protocol_error", { error: error.message }),
  });
}
