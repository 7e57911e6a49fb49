/** The real run loop, listener, registry and scheduler around toy tools and streams in memory. */
import type { ByteBudget } from "../../src/base/byte_budget.ts";
import * as s from "../../src/tools/schema/mod.ts";
import { PaddockError } from "../../src/base/errors.ts";
import { createLogger, type LogFields } from "../../src/base/log.ts";
import { Stats } from "../../src/base/stats.ts";
import { RunLoop } from "../../src/server/lifecycle.ts";
import { Registry, type ToolHost } from "../../src/tools/registry.ts";
import { type Access, defineTool, type Tool, type ToolResult } from "../../src/tools/tool.ts";
import { StdioListener } from "../../src/transports/stdio_listener.ts";
import "../../src/transports/stdio_session.ts"; // otherwise the first test would wait for it to load
import { MemoryInput, MemoryOutput } from "./streams.ts";

export interface ToyContext {
  signal: AbortSignal;
}

/** Tools that answer, wait for a gate, write into a journal, or fail. */
export class ToyHost implements ToolHost<ToyContext> {
  /** What the tools have done, in order. */
  readonly journal: string[] = [];
  readonly #gates = new Map<string, PromiseWithResolvers<void>>();
  readonly tools: readonly Tool<ToyContext>[] = [
    this.#tool("echo", "read", (text) => Promise.resolve(text)),
    this.#tool("large", "read", (text) => Promise.resolve("x".repeat(Number(text)))),
    this.#tool("wait", "read", (text, context) => this.#pass(text, context)),
    this.#tool("note", "write", (text) => (this.journal.push(text), Promise.resolve(text))),
    this.#tool("hold", "write", (text, context) => this.#pass(text, context)),
    this.#tool("tidy", "write", (text, context) => this.#tidyUp(text, context)),
    this.#tool("buggy", "read", () => Promise.reject(new RangeError("Unexpected bug!"))),
    this.#tool(
      "offline",
      "read",
      () => Promise.reject(new PaddockError("NOT_FOUND", "the disk is gone; try again later")),
    ),
    {
      ...this.#tool("coded", "read", (text) => Promise.reject(new PaddockError("NOT_ALLOWED", text))),
      rpcError: ({ message }) => ({ code: Number(message), message: "as the tool says", data: { more: 1 } }),
    },
  ];

  /** Lets the calls of `wait` and `hold` with this text continue. */
  open(gate: string): void {
    this.#gate(gate).resolve();
  }

  gate(): void {}

  contextFor(_tool: Tool<ToyContext>, { signal }: ToyContext): ToyContext {
    return { signal };
  }

  renderError(error: PaddockError): ToolResult {
    return { content: [{ type: "text", text: error.message }], isError: true };
  }

  logFields(): LogFields {
    return {};
  }

  #gate(name: string): PromiseWithResolvers<void> {
    const gate = this.#gates.get(name) ?? Promise.withResolvers<void>();
    this.#gates.set(name, gate);
    return gate;
  }

  async #pass(name: string, { signal }: ToyContext): Promise<string> {
    this.journal.push(`${name} begins`);
    const aborted = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => aborted.reject(new PaddockError("TIMEOUT", "stopped")));
    try {
      await Promise.race([this.#gate(name).promise, aborted.promise]);
      return name;
    } finally {
      this.journal.push(`${name} ends`);
    }
  }

  /** Runs until told to stop, and then still has something to do. */
  async #tidyUp(name: string, { signal }: ToyContext): Promise<string> {
    this.journal.push(`${name} begins`);
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 1));
    this.journal.push(`${name} ends`);
    return name;
  }

  #tool(
    name: string,
    access: Access,
    body: (text: string, context: ToyContext) => Promise<string>,
  ): Tool<ToyContext> {
    return defineTool({
      name,
      title: name,
      description: name,
      access,
      input: s.strictObject({ text: s.string().default("") }),
      output: s.object({ text: s.string() }),
      run: async ({ text }, context: ToyContext) => {
        const said = await body(text, context);
        return { value: { text: said }, text: said };
      },
    });
  }
}

export interface ToyOptions {
  input?: MemoryInput | undefined;
  output?: MemoryOutput | undefined;
  maxLine?: number;
  budget?: ByteBudget;
  requests?: ByteBudget;
}

/** The parts of a server that is not running yet. */
export function toyServer(options: ToyOptions = {}) {
  const input = "input" in options ? options.input : new MemoryInput();
  const output = "output" in options ? options.output : new MemoryOutput();
  const logLines: Record<string, unknown>[] = [];
  const write = (line: string) => logLines.push(JSON.parse(line));
  const log = createLogger({ level: "debug", format: "json", write });
  const stats = new Stats();
  const host = new ToyHost();
  const registry = new Registry(host, { log, stats, timeoutMs: 10_000, callLogLevel: "info" });
  const listener = new StdioListener({
    tools: registry,
    instructions: "toys",
    input,
    output,
    maxLine: options.maxLine ?? 1_000_000,
    ...(options.budget && { budget: options.budget }),
    ...(options.requests && { requests: options.requests }),
    stats,
    log,
  });
  const loop = new RunLoop({ log, stats, toolNames: registry.names });
  return { input, output, logLines, log, stats, host, registry, listener, loop };
}

/** A running server, and its end. */
export function runningToy(options: Omit<ToyOptions, "input"> & { output?: MemoryOutput } = {}) {
  const input = new MemoryInput();
  const output = options.output ?? new MemoryOutput();
  const server = toyServer({ ...options, input, output });
  return { ...server, input, output, ended: server.loop.run(server.listener) };
}

/** A call of a toy tool, as a client sends it. */
export function toyCall(id: string | number, name: string, text = "") {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: { text } } };
}

export function cancelled(id: string | number) {
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } };
}
