/**
 * The tools of a server, and the one way to call them: look up, validate, gate, run under a time limit, log,
 * and turn whatever was thrown into an answer in the surface's format.
 */
import type { TextForm } from "../base/config.ts";
import { PaddockError, ReopeningError } from "../base/errors.ts";
import { jsonInSteps } from "../base/json_in_steps.ts";
import type { LogFields, Logger, LogLevel } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import { inSteps, Pace } from "../base/pace.ts";
import type { Stats } from "../base/stats.ts";
import { utf8Length } from "../base/utf8_length.ts";
import { parseArguments } from "./arguments.ts";
import { compactFields } from "./compact_fields.ts";
import { Deadlines } from "../base/deadlines.ts";
import { listingOf } from "./listing.ts";
import { TimeLimit } from "./time_limit.ts";
import { meantArguments } from "./tolerance.ts";
import type { Access, Tool, ToolCall, ToolListing, ToolOutput, ToolResult } from "./tool.ts";

/** What a surface contributes: its tools, who may call what, and how errors are worded. */
export interface ToolHost<C> {
  readonly tools: readonly Tool<C>[];
  /** Whether the list is for programs and includes the bounds of arguments; a model pays for every word. */
  readonly forPrograms?: boolean;
  /** Whether a tool is listed; an unlisted one can still be called, and answers why it is refused. */
  offers?(tool: Tool<C>): boolean;
  /** The name a tool is listed under, where that differs from its own. */
  listedName?(tool: Tool<C>): string;
  /** Further names by which a tool can be called. */
  aliases?(tool: Tool<C>): readonly string[];
  /** Throws when the call is not allowed; the arguments are already valid. */
  gate(tool: Tool<C>, args: Record<string, unknown>): void;
  contextFor(tool: Tool<C>, call: ToolCall): C;
  renderError(error: PaddockError, given: unknown): ToolResult;
  /** What to log of a call's arguments: names and paths, never contents. */
  logFields(args: unknown): LogFields;
}

export interface RegistryOptions {
  log: Logger;
  stats: Stats;
  timeoutMs: number;
  callLogLevel: LogLevel;
  metrics?: Metrics;
  /** Throws a ReopeningError when these tools cannot serve the call and are about to be replaced. */
  beforeCall?: (() => void) | undefined;
  /** The only tools offered, by name. Default: all of the host's. */
  tools?: readonly string[] | undefined;
  /** The format of results that a model reads. Default: JSON. */
  text?: TextForm | undefined;
  /** Shared timer for time limits. */
  deadlines?: Deadlines;
}

type Value = Record<string, unknown>;

/** The assumed size of an answer until more is known; small enough for hundreds of calls at once. */
const USUAL_ANSWER = 64 * 1024;

export class Registry<C = never> {
  readonly #host: ToolHost<C>;
  readonly #options: RegistryOptions;
  readonly #tools: Map<string, Tool<C>>;
  readonly #listings = new Map<Tool<C>, ToolListing>();
  readonly #chosen: ReadonlySet<Tool<C>> | undefined;
  readonly #deadlines: Deadlines;

  constructor(host: ToolHost<C>, options: RegistryOptions) {
    this.#host = host;
    this.#options = options;
    this.#deadlines = options.deadlines ?? new Deadlines(options.timeoutMs);
    this.#tools = new Map(
      host.tools.flatMap((tool) =>
        [tool.name, ...host.aliases?.(tool) ?? []].map((name): [string, Tool<C>] => [name, tool])
      ),
    );
    this.#chosen = options.tools &&
      new Set(options.tools.flatMap((name) => this.#tools.get(name) ?? []));
  }

  get names(): string[] {
    return this.#offered().map((tool) => this.#listedName(tool));
  }

  /** What a tool does to files; undefined when there is no tool of that name. */
  accessOf(name: string): Access | undefined {
    return this.#tools.get(name)?.access;
  }

  list(): ToolListing[] {
    return this.#offered().map((tool) => {
      const listing = this.#listings.get(tool) ?? {
        ...listingOf(tool, { forPrograms: this.#host.forPrograms ?? false }),
        name: this.#listedName(tool),
      };
      this.#listings.set(tool, listing);
      return listing;
    });
  }

  /** Never throws: a failure is an answer too. Undefined means that there is no such tool. */
  async call(name: string, given: unknown, call: ToolCall): Promise<ToolResult | undefined> {
    const tool = this.#tools.get(name);
    if (tool === undefined) return undefined;
    const begun = performance.now();
    let result: ToolResult;
    let failure: PaddockError | undefined;
    try {
      result = await this.#run(tool, given, call);
    } catch (error) {
      if (error instanceof ReopeningError) {
        return { ...this.#rendered(error, tool, given), isReopening: true };
      }
      if (!(error instanceof PaddockError) || error.code === "INTERNAL") this.#report(error, tool, call);
      failure = error instanceof PaddockError ? error : unexpected(error, tool.name);
      result = this.#rendered(failure, tool, given);
      // Protocol errors are counted where they are sent; errors that nobody receives are not counted.
      if (!isCancelled(call) && result.rpcError === undefined) this.#options.stats.error();
    }
    this.#log({ tool, given, call, result, failure, durationMs: performance.now() - begun });
    return result;
  }

  #listedName(tool: Tool<C>): string {
    return this.#host.listedName?.(tool) ?? tool.name;
  }

  #offered(): Tool<C>[] {
    return this.#host.tools.filter((tool) =>
      (this.#chosen?.has(tool) ?? true) && (this.#host.offers?.(tool) ?? true)
    );
  }

  async #run(tool: Tool<C>, given: unknown, call: ToolCall): Promise<ToolResult> {
    if (tool.access !== "meta" && this.#chosen?.has(tool) === false) throw notChosen(tool.name, this.names);
    const meant = meantArguments(tool.input, given);
    const args = tool.check?.(meant) ?? parseArguments(tool.input, meant);
    this.#host.gate(tool, args);
    this.#options.beforeCall?.();
    const timeoutMs = tool.timeLimit?.(args) ?? this.#options.timeoutMs;
    const limit = new TimeLimit(call.signal, { timeoutMs, deadlines: this.#deadlines });
    const room = (bytes: number) => limit.waitFor(call.room?.(bytes, limit.signal));
    try {
      if (tool.access === "read") await room(USUAL_ANSWER);
      const running = tool.run(
        args,
        this.#host.contextFor(tool, {
          ...call,
          ...this.#explaining(tool, call),
          room,
          tell: (event, fields) => this.#options.log.warn(event, { tool: tool.name, ...fields }),
          refused: (failure) => this.#logDenied(failure, { tool, given, call }),
          signal: limit.signal,
          begin: limit.lift,
        }),
      );
      // Always wait for a change that has begun: a call that changed something must never report a timeout.
      const output = tool.access === "write" ? await running : await limit.race(running);
      // Even if the limit has passed: the work is done, and a change may have been made.
      const body = this.#textOf(tool, output, args);
      const text = typeof body === "string" ? body : await inSteps(body, new Pace(undefined));
      const note = output.note === undefined ? [] : [{ type: "text" as const, text: output.note }];
      const content: ToolResult["content"] = output.content === undefined
        ? [{ type: "text", text }, ...note, ...output.media ?? []]
        : [...output.content] as ToolResult["content"];
      return tool.textOnly ? { content, isError: false } : { content, structuredContent: output.value };
    } finally {
      limit.end();
    }
  }

  /** The text that a model reads. */
  #textOf(tool: Tool<C>, { value, text }: ToolOutput<Value>, args: Value): string | Generator<void, string> {
    const isCompact = this.#options.text === "compact" && !tool.textOnly;
    if (isCompact) return tool.compact?.(value, args) ?? text ?? compactFields(value);
    return text ?? jsonInSteps(value);
  }

  #rendered(failure: PaddockError, tool: Tool<C>, given: unknown): ToolResult {
    const rpcError = tool.rpcError?.(failure, given);
    return rpcError === undefined
      ? this.#host.renderError(failure, given)
      : { content: [{ type: "text", text: rpcError.message }], isError: true, rpcError };
  }

  /** At debug level, logs every path that was allowed, with where it led; refusals are always logged. */
  #explaining(tool: Tool<C>, call: ToolCall): Pick<ToolCall, "explain"> {
    const { log } = this.#options;
    if (!log.enabled("debug")) return {};
    const about = { tool: tool.name, request_id: call.requestId };
    return { explain: (decision) => log.debug("fence_allowed", { ...about, ...decision }) };
  }

  /** Logs what the operator must know: a bug of ours, or a failing system. */
  #report(error: unknown, tool: Tool<C>, call: ToolCall): void {
    const { cause } = (error ?? {}) as { cause?: unknown };
    this.#options.log.error("tool_error", {
      tool: tool.name,
      request_id: call.requestId,
      error: describe(error),
      cause: cause === undefined ? undefined : describe(cause),
      stack: error instanceof Error ? error.stack : undefined,
    });
  }

  #logDenied(failure: PaddockError, { tool, given, call }: Pick<Done<C>, "tool" | "given" | "call">): void {
    if (!isDenial(failure)) return;
    this.#options.log.warn("security_denied", {
      tool: tool.name,
      ...this.#host.logFields(given),
      ...failure.audit,
      reason: failure.forLog,
      request_id: call.requestId,
    });
  }

  #log(done: Done<C>): void {
    const { log, callLogLevel, metrics } = this.#options;
    const { tool, failure } = done;
    const denied = failure !== undefined && isDenial(failure);
    const cancelled = failure !== undefined && done.call.signal.aborted;
    const outcome = failure === undefined ? "success" : cancelled ? "cancelled" : "error";
    const responseBytes = done.result.content.reduce((sum, block) => sum + bytesOf(block), 0);
    const where = this.#host.logFields(done.given);
    const { client, session } = done.call;
    metrics?.record({
      tool: tool.name,
      outcome,
      durationMs: done.durationMs,
      responseBytes,
      denied,
      code: cancelled ? undefined : failure?.code,
      client,
      session,
      where,
    });
    if (failure !== undefined) this.#logDenied(failure, done);
    // The operator should see refusals by the operating system; those by the fence are logged above.
    const level = failure?.code === "PERMISSION_DENIED" ? "warn" : callLogLevel;
    if (!log.enabled(level)) return;
    log.log(level, "tool_call", {
      tool: tool.name,
      ...where,
      outcome,
      code: cancelled ? undefined : failure?.code,
      error: failure?.forLog,
      duration_ms: Math.round(done.durationMs * 100) / 100,
      response_bytes: responseBytes,
      request_id: done.call.requestId,
    });
  }
}

function isDenial({ code }: PaddockError): boolean {
  return code === "OUT_OF_BOUNDS" || code === "NOT_ALLOWED";
}

/**
 * Whether the client no longer wants an answer. A server that is stopping aborts its calls with an error of
 * its own.
 */
function isCancelled({ signal }: ToolCall): boolean {
  return signal.aborted && !(signal.reason instanceof PaddockError);
}

function notChosen(tool: string, offered: readonly string[]): PaddockError {
  return new PaddockError(
    "NOT_ALLOWED",
    `${tool} is not offered here (--tools); offered: ${offered.join(", ")}`,
  );
}

function unexpected(error: unknown, tool: string): PaddockError {
  return new PaddockError("INTERNAL", `internal error in ${tool}; the server's log says more`, {
    cause: error,
  });
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

interface Done<C> {
  tool: Tool<C>;
  given: unknown;
  call: ToolCall;
  result: ToolResult;
  failure: PaddockError | undefined;
  durationMs: number;
}

/** Base64 has one byte per character. */
function bytesOf(block: ToolResult["content"][number]): number {
  if (block.type === "text") return utf8Length(block.text);
  return block.type === "resource" ? block.resource.blob.length : block.data.length;
}
