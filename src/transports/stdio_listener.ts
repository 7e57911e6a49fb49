/** Standard input and output as a listener of the run loop: one connection, whose calls keep their order. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type Logger } from "../base/log.ts";
import { type Stats } from "../base/stats.ts";
import { type Listener } from "../server/lifecycle.ts";
import { type BareMethods, createMcpServer, type Tools } from "../server/mcp.ts";
import { Scheduler } from "../server/scheduler.ts";
import { type ReadableBytes } from "./line_reader.ts";
import { type WritableBytes } from "./line_writer.ts";
import { PatientTools } from "./patient_tools.ts";
import { StdioTransport } from "./stdio.ts";

export interface StdioListenerOptions {
  tools: Tools;
  /** Methods beside MCP's own. */
  bare?: BareMethods;
  instructions: string;
  /** Undefined when the process was started without it. */
  input: ReadableBytes | undefined;
  output: WritableBytes | undefined;
  maxLine: number;
  stats: Stats;
  log: Logger;
}

/** After the input has ended, what is in flight may take as long as a lock may be waited for, and a little. */
const DRAIN_MS = 35_000;

/** The revision that the SDK means by its modern era; it has no `initialize` that would tell the transport. */
const MODERN_REVISION = "2026-07-28";

/** How long calls that were told to stop may take to do so. */
const ABORTED_MS = 300;

/** How long a client that has just started the server may take to say something. */
const SETTLE_MS = 50;

export class StdioListener implements Listener {
  readonly #options: StdioListenerOptions;
  readonly #ended = Promise.withResolvers<string>();
  readonly #busy = Promise.withResolvers<void>();
  #transport: StdioTransport | undefined;
  #close: (() => Promise<void>) | undefined;

  constructor(options: StdioListenerOptions) {
    this.#options = options;
  }

  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  /** Settles when the first answer has been sent, or when nobody has asked for one for a moment. */
  get settled(): Promise<unknown> {
    return Promise.race([this.#busy.promise, new Promise((resolve) => setTimeout(resolve, SETTLE_MS))]);
  }

  open(): Promise<void> {
    const { input, output, maxLine, stats, log, tools, bare, instructions } = this.#options;
    if (input === undefined) return Promise.reject(new Error("stdin is closed"));
    if (output === undefined) return Promise.reject(new Error("stdout is closed"));
    const transport = new StdioTransport({
      input,
      output,
      maxLine,
      stats,
      onFirstAnswer: this.#busy.resolve,
    });
    const scheduler = new Scheduler();
    const patient = new PatientTools(tools, () => transport.hasRoom());
    const options = {
      instructions,
      scheduler,
      ...(bare === undefined ? {} : { bare: { ...bare, tools: patient.like(bare.tools) } }),
    };
    const handle = serveStdio(({ era }) => {
      if (era === "modern") transport.setProtocolVersion(MODERN_REVISION);
      return createMcpServer(patient, options);
    }, {
      transport,
      onerror: (error) => log.debug("protocol_error", { error: error.message }),
    });
    transport.broken.then((error) =>
      log.error("connection_error", { error: `Failed to write response: ${error.name}` })
    );
    this.#transport = transport;
    this.#close = async () => {
      await handle.close();
      await patient.ended(ABORTED_MS);
    };
    transport.ended.then(async (reason) => {
      await transport.drain(DRAIN_MS);
      this.#ended.resolve(reason);
    });
    return Promise.resolve();
  }

  async stop(graceMs: number): Promise<void> {
    this.#transport?.stopReading();
    await this.#transport?.drain(graceMs);
    await this.#close?.();
    await this.#transport?.drain(graceMs);
  }
}
