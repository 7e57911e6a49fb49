/**
 * What serves a connection over standard input and output once the SDK is loaded. It is a module of its own so
 * that loading it, with the SDK, can wait until the first answer has been sent.
 */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type Logger } from "../base/log.ts";
import { CallsInFlight } from "../server/calls_in_flight.ts";
import { DISCOVERED_REVISION } from "../server/greeting.ts";
import { ABORTED_MS, FLUSH_MS } from "../server/lifecycle.ts";
import { type BareMethods, createMcpServer, type Tools } from "../server/mcp.ts";
import { Notices } from "../server/notices.ts";
import { Scheduler } from "../server/scheduler.ts";
import { ListenGate, MOST_LISTENING } from "./listen_gate.ts";
import { type StdioOptions, StdioTransport } from "./stdio.ts";

export interface StdioSessionOptions extends StdioOptions {
  tools: Tools;
  /** Methods beside MCP's own. */
  bare?: BareMethods | undefined;
  /** The methods about resources, where the surface has them. */
  resources?: Tools | undefined;
  notices?: Notices | undefined;
  instructions: string;
  log: Logger;
}

export class StdioSession {
  readonly transport: StdioTransport;
  readonly #calls: CallsInFlight;
  readonly #handle: { close(): Promise<void> };

  /** Takes messages in from here on. */
  constructor({ tools, bare, resources, notices, instructions, log, ...options }: StdioSessionOptions) {
    const transport = new StdioTransport(options);
    const calls = new CallsInFlight({ log, hasRoom: () => transport.hasRoom() });
    const counted = calls.of(tools);
    const methods = resources && calls.of(resources);
    const serverOptions = {
      instructions,
      scheduler: new Scheduler(),
      resources: methods,
      notices,
      ...(bare === undefined ? {} : { bare: { ...bare, tools: calls.of(bare.tools) } }),
    };
    this.transport = transport;
    this.#calls = calls;
    const gate = new ListenGate({ transport, notices: notices ?? new Notices(), resources: methods });
    this.#handle = serveStdio(({ era }) => {
      const isModern = era === "modern";
      const server = createMcpServer(counted, { ...serverOptions, isModern });
      if (isModern) {
        transport.setProtocolVersion(DISCOVERED_REVISION); // it has no `initialize` that would tell
        gate.serve(server);
      }
      return server;
    }, {
      transport: gate,
      maxSubscriptions: MOST_LISTENING,
      onerror: (error) => log.debug("protocol_error", { error: error.message }),
    });
    transport.broken.then((error) =>
      log.error("connection_error", { error: `Failed to write response: ${error.name}` })
    );
  }

  /** Lets what came in finish within the time given, and ends the rest; every request gets an answer. */
  async stop(graceMs: number): Promise<void> {
    const { transport } = this;
    transport.closeDoor();
    await transport.drain(graceMs);
    if (transport.isBroken) await this.#handle.close(); // nobody waits for answers: cancels the calls
    await this.#calls.stop(ABORTED_MS);
    await transport.drain(FLUSH_MS);
    await this.#handle.close();
    await transport.drain(FLUSH_MS);
  }
}
