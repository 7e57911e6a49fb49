/**
 * Standard input and output as a listener of the run loop: one connection, whose calls keep their order. The
 * client's first message is answered from here if possible; the rest, with the SDK, is loaded after that.
 */
import type { ByteBudget } from "../base/byte_budget.ts";
import type { Logger } from "../base/log.ts";
import type { Stats } from "../base/stats.ts";
import { after } from "../base/timer.ts";
import { within } from "../base/within.ts";
import { greet } from "../server/greeting.ts";
import { ABORTED_MS, type Listener } from "../server/lifecycle.ts";
import type { BareMethods, Tools } from "../server/methods.ts";
import type { Notices } from "../server/notices.ts";
import { type EarlyConnection, refuseAll } from "./early_refusals.ts";
import { LineReader, type ReadableBytes } from "./line_reader.ts";
import { LineWriter, type WritableBytes } from "./line_writer.ts";
import type { StdioSession } from "./stdio_session.ts";

export interface StdioListenerOptions {
  tools: Tools;
  /** Methods in addition to MCP's own. */
  bare?: BareMethods;
  /** The methods about resources, where the surface has them. */
  resources?: Tools | undefined;
  notices?: Notices;
  instructions: string;
  /** Whether the tools want to know which folders a client works in. */
  wantsRoots?: boolean | undefined;
  /** Undefined when the process was started without it. */
  input: ReadableBytes | undefined;
  output: WritableBytes | undefined;
  maxLine: number;
  /** Counts what is waiting to be sent. */
  budget?: ByteBudget;
  /** Counts long requests. */
  requests?: ByteBudget;
  stats: Stats;
  log: Logger;
}

/** After the input has ended, calls in flight may take a little longer than the longest wait for a lock. */
const DRAIN_MS = 35_000;

/** How long a client that has just started the server may take to send something. */
const SETTLE_MS = 50;

/** How long after the first answer a client may take to ask what the tools are. */
const QUIET_MS = 10;

export class StdioListener implements Listener {
  readonly #options: StdioListenerOptions;
  readonly #ended = Promise.withResolvers<string>();
  readonly #settled = Promise.withResolvers<void>();
  readonly #quiet = Promise.withResolvers<void>();
  #serving: Promise<StdioSession | undefined> | undefined;
  /** What there is before the session. */
  #early: Promise<EarlyConnection> | undefined;
  #session: StdioSession | undefined;
  #stopped = false;

  constructor(options: StdioListenerOptions) {
    this.#options = options;
    this.#ended.promise.catch(() => {}); // an input may fail before anyone awaits this
  }

  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  /**
   * Settles when the client has sent something, and been answered if possible, or has been silent for a
   * moment.
   */
  get settled(): Promise<unknown> {
    return this.#settled.promise;
  }

  /** Settles a moment later: a client that was answered has asked for the list of tools by then. */
  get quiet(): Promise<unknown> {
    return this.#quiet.promise;
  }

  open(): Promise<void> {
    const { input, output, maxLine } = this.#options;
    if (input === undefined) return Promise.reject(new Error("stdin is closed"));
    if (output === undefined) return Promise.reject(new Error("stdout is closed"));
    const { budget } = this.#options;
    this.#early = this.#begin(new LineReader(input, maxLine), new LineWriter(output, budget));
    this.#serving = this.#early.then((early) => this.#serve(early));
    this.#serving.catch(this.#ended.reject);
    return Promise.resolve();
  }

  async stop(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs;
    this.#settled.resolve(); // stop waiting for the client
    this.#quiet.resolve();
    if (this.#session === undefined) {
      await within(graceMs, this.#serving?.catch(() => undefined)); // a failure to load is reported elsewhere
    }
    this.#stopped = true;
    if (this.#session !== undefined) {
      return await this.#session.stop(Math.max(0, deadline - performance.now()));
    }
    const early = await this.#early;
    if (early !== undefined) await within(ABORTED_MS, refuseAll(early, this.#options.stats));
  }

  async #serve(early: EarlyConnection): Promise<StdioSession | undefined> {
    const { tools, bare, resources, notices, instructions, stats, log, requests, wantsRoots } = this.#options;
    const { sdkFor, StdioSession } = await import("./stdio_session.ts");
    const serveBySdk = await sdkFor(early.opening, wantsRoots);
    if (this.#stopped) return undefined; // it took too long
    const served = { tools, bare, resources, notices, instructions, wantsRoots };
    const session = new StdioSession({ ...early, ...served, stats, log, requests, serveBySdk });
    this.#session = session;
    const { transport } = session;
    this.#ended.resolve(transport.ended.finally(() => transport.drain(DRAIN_MS)));
    await transport.opened;
    return session;
  }

  /** Reads the first line, and answers it if nothing else is needed for that. */
  async #begin(reader: LineReader, writer: LineWriter): Promise<EarlyConnection> {
    const lines = reader[Symbol.asyncIterator]();
    const first = lines.next();
    const timer = after(SETTLE_MS, this.#settled.resolve);
    const failed = () => undefined; // the transport reads it again and reports it
    const spoken = await Promise.race([first.catch(failed), this.#settled.promise]);
    timer.clear();
    const line = spoken?.done === false && spoken.value.kind === "line" ? spoken.value.text : undefined;
    const { instructions, resources } = this.#options;
    const introduction = { instructions, hasResources: resources !== undefined };
    const greeting = line === undefined ? undefined : greet(line, introduction);
    if (greeting !== undefined) writer.write(greeting, { alone: true });
    this.#settled.resolve();
    if (greeting === undefined) this.#quiet.resolve();
    else after(QUIET_MS, this.#quiet.resolve);
    return { reader, writer, opening: { lines, first, greeting } };
  }
}
