// A small JSON-RPC client over a child process's stdin and stdout, one message per line. It owns the child: it starts
// it, drains its stderr as real clients do, notices when it ends or hangs, and makes sure that it is gone after
// close(). It is not a general MCP client: it does only what a benchmark needs, so that it takes little time itself.

import { type Memory, processMemory } from "./process_memory.ts";

/** How to start a server. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** A call of a tool: its name and its arguments. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

interface Incoming {
  id?: number | string;
  method?: string;
  result?: unknown;
  error?: { code: number; message: string };
}

interface ToolResult {
  content?: { type: string; text?: string }[];
  isError?: boolean;
}

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

const PROTOCOL_VERSION = "2025-06-18";
const SILENCE_LIMIT_MS = 30_000;
const EXIT_GRACE_MS = 2_000;
const STDERR_KEPT = 2_000;

const encoder = new TextEncoder();

export class StdioClient implements AsyncDisposable {
  /** performance.now() right before the process was started. */
  readonly startedAt: number;
  readonly pid: number;
  readonly #process: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #pending = new Map<number, Pending>();
  readonly #drained: Promise<unknown>;
  readonly #watchdog: ReturnType<typeof setInterval>;
  #nextId = 1;
  #lastSign: number;
  #ended: Error | undefined;
  #stderr = "";

  constructor(launch: Launch, options: { signal?: AbortSignal } = {}) {
    options.signal?.throwIfAborted();
    const command = new Deno.Command(launch.command, {
      args: [...launch.args],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      env: { NO_COLOR: "1" }, // its last words are shown if it fails
      ...options,
    });
    this.startedAt = performance.now();
    this.#process = command.spawn();
    this.pid = this.#process.pid;
    this.#writer = this.#process.stdin.getWriter();
    this.#lastSign = this.startedAt;
    this.#drained = Promise.all([this.#readAnswers(), this.#drainStderr()]).then(() => this.#reportEnd());
    this.#watchdog = setInterval(() => this.#checkSilence(), 1_000);
  }

  /** The handshake: `initialize`, then `notifications/initialized`. */
  async initialize(): Promise<void> {
    await this.request("initialize", {
      protocolVersion: PROTOCOL_VERSION,
      capabilities: {},
      clientInfo: { name: "bench", version: "1.0.0" },
    });
    this.notify("notifications/initialized");
  }

  request(method: string, params?: unknown): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = this.#nextId++;
    if (this.#pending.size === 0) this.#lastSign = performance.now();
    const answer = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#send({ jsonrpc: "2.0", id, method, params });
    return answer;
  }

  notify(method: string, params?: unknown): void {
    this.#send({ jsonrpc: "2.0", method, params });
  }

  /** Calls a tool and returns the text of its answer; an error result is thrown. */
  async callTool(call: ToolCall): Promise<string> {
    const result = await this.request("tools/call", call) as ToolResult;
    const text = result.content?.[0]?.text ?? "";
    if (result.isError) throw new Error(`${call.name} failed: ${text.slice(0, 300)}`);
    return text;
  }

  /** The process's current memory; undefined where the system does not say (only Linux does). */
  memory(): Memory | undefined {
    return processMemory(this.pid);
  }

  /** Ends the server by closing its stdin, as clients do, and by signals if that is not enough. */
  async close(): Promise<void> {
    clearInterval(this.#watchdog);
    this.#ended ??= new Error("the client was closed");
    this.#rejectAll(this.#ended);
    await this.#writer.close().catch(() => {}); // already broken when the server ended first
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (await this.#exitsInTime()) break;
      this.#kill(signal);
    }
    await this.#process.status;
    await this.#drained;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #send(message: unknown): void {
    // A broken pipe is reported when stdout ends, with what the server wrote to stderr.
    this.#writer.write(encoder.encode(JSON.stringify(message) + "\n")).catch(() => {});
  }

  async #readAnswers(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of this.#process.stdout) {
      const text = decoder.decode(chunk, { stream: true });
      let start = 0;
      // Only the new text is searched, so a long line takes time only for its length.
      for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
        this.#receive(rest + text.slice(start, end));
        rest = "";
        start = end + 1;
      }
      rest += text.slice(start);
    }
  }

  #receive(line: string): void {
    this.#lastSign = performance.now();
    let message: Incoming;
    try {
      message = JSON.parse(line);
    } catch {
      this.#end(new Error(`the server wrote a line that is not JSON: ${line.slice(0, 200)}`));
      return;
    }
    if (message.method !== undefined) {
      if (message.id !== undefined) this.#answer(message.id, message.method);
      return;
    }
    const pending = this.#pending.get(Number(message.id));
    if (!pending) return;
    this.#pending.delete(Number(message.id));
    if (message.error) pending.reject(new Error(`error ${message.error.code}: ${message.error.message}`));
    else pending.resolve(message.result);
  }

  #answer(id: number | string, method: string): void {
    if (method === "ping") this.#send({ jsonrpc: "2.0", id, result: {} });
    else this.#send({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
  }

  async #drainStderr(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of this.#process.stderr) {
      this.#stderr = (this.#stderr + decoder.decode(chunk, { stream: true })).slice(-STDERR_KEPT);
    }
  }

  async #reportEnd(): Promise<void> {
    const { code, signal } = await this.#process.status;
    const how = signal ? `by ${signal}` : `with code ${code}`;
    this.#end(new Error(`the server ended ${how}: ${this.#stderr.trim() || "(nothing on stderr)"}`));
  }

  #checkSilence(): void {
    if (this.#pending.size === 0 || performance.now() - this.#lastSign < SILENCE_LIMIT_MS) return;
    this.#end(new Error(`the server did not answer for ${SILENCE_LIMIT_MS / 1000} s`));
    this.#kill("SIGKILL");
  }

  #end(error: Error): void {
    this.#ended ??= error;
    this.#rejectAll(this.#ended);
  }

  #rejectAll(error: Error): void {
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
  }

  async #exitsInTime(): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<boolean>((resolve) => timer = setTimeout(() => resolve(false), EXIT_GRACE_MS));
    const exited = await Promise.race([this.#process.status.then(() => true), late]);
    clearTimeout(timer);
    return exited;
  }

  #kill(signal: Deno.Signal): void {
    try {
      this.#process.kill(signal);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // "already terminated" is fine
    }
  }
}
