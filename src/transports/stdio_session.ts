/**
 * What serves a connection over standard input and output once the SDK is loaded. It is a module of its own so
 * that loading it, with the SDK, can wait until the first answer has been sent.
 */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type Logger } from "../base/log.ts";
import { DISCOVERED_REVISION } from "../server/greeting.ts";
import { type BareMethods, createMcpServer, type Tools } from "../server/mcp.ts";
import { Scheduler } from "../server/scheduler.ts";
import { PatientTools } from "./patient_tools.ts";
import { type StdioOptions, StdioTransport } from "./stdio.ts";

export interface StdioSessionOptions extends StdioOptions {
  tools: Tools;
  /** Methods beside MCP's own. */
  bare?: BareMethods | undefined;
  instructions: string;
  log: Logger;
}

/** How long calls that were told to stop may take to do so. */
const ABORTED_MS = 300;

export class StdioSession {
  readonly transport: StdioTransport;
  readonly #patient: PatientTools;
  readonly #handle: { close(): Promise<void> };

  /** Takes messages in from here on. */
  constructor({ tools, bare, instructions, log, ...options }: StdioSessionOptions) {
    const transport = new StdioTransport(options);
    const patient = new PatientTools(tools, () => transport.hasRoom());
    const serverOptions = {
      instructions,
      scheduler: new Scheduler(),
      ...(bare === undefined ? {} : { bare: { ...bare, tools: patient.like(bare.tools) } }),
    };
    this.transport = transport;
    this.#patient = patient;
    this.#handle = serveStdio(({ era }) => {
      // It has no `initialize` that would tell the transport.
      if (era === "modern") transport.setProtocolVersion(DISCOVERED_REVISION);
      return createMcpServer(patient, serverOptions);
    }, {
      transport,
      onerror: (error) => log.debug("protocol_error", { error: error.message }),
    });
    transport.broken.then((error) =>
      log.error("connection_error", { error: `Failed to write response: ${error.name}` })
    );
  }

  async close(): Promise<void> {
    await this.#handle.close();
    await this.#patient.ended(ABORTED_MS);
  }
}
