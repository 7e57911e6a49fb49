/**
 * One client of HTTP+SSE: the transport between an SDK server and a stream. All answers go through that one
 * stream, so calls begin only while the client keeps up with reading it; the others wait their turn.
 */
import type { JSONRPCMessage, JSONRPCRequest, Transport } from "@modelcontextprotocol/server";
import type { ByteBudget } from "../../base/byte_budget.ts";
import type { Stats } from "../../base/stats.ts";
import type { Id } from "../batches.ts";
import { idInUse, idOf } from "../messages.ts";
import { refusal } from "./answers.ts";
import { EventStream } from "./event_stream.ts";
import { Pulse } from "./pulse.ts";

/** How many calls of one client run at once. */
const MAX_RUNNING = 16;
/** How many unread bytes may wait before no further calls are begun. */
const MAX_WAITING = 16 * 1024 * 1024;
const RETRY_MS = 500;

export interface SseSessionOptions {
  maxCalls: number;
  stats: Stats;
  /** Counts what is waiting for the client. */
  budget?: ByteBudget | undefined;
}

export class SseSession implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly sessionId: string = crypto.randomUUID();
  readonly #options: SseSessionOptions;
  readonly #running = new Set<Id>();
  readonly #queue = new Map<Id, JSONRPCRequest>();
  readonly #stream: EventStream;
  readonly #pulse = new Pulse();
  #closed = false;

  constructor(options: SseSessionOptions) {
    this.#options = options;
    this.#stream = new EventStream({
      onGone: () => void this.close(),
      onTaken: () => this.#advance(),
      budget: options.budget,
    });
  }

  /** Calls not answered yet. */
  get calls(): number {
    return this.#running.size + this.#queue.size;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  open(postPath: string): Response {
    this.#stream.retryAfter(RETRY_MS);
    this.#stream.send(`${postPath}?sessionId=${this.sessionId}`, "endpoint");
    return this.#stream.response();
  }

  take(message: JSONRPCMessage): Response {
    if (this.#closed) {
      const why = "Session not found: its stream is closed";
      return refusal({ id: idOf(message), status: 404, code: -32001, message: why });
    }
    this.#pulse.heard();
    if (this.#pulse.isAnswer(message)) return new Response("Accepted", { status: 202 });
    if ("method" in message && "id" in message) {
      const { maxCalls, stats } = this.#options;
      if (this.calls >= maxCalls) {
        const why = `Too many calls in flight; at most ${maxCalls} per session`;
        return refusal({
          id: message.id,
          status: 429,
          code: -32000,
          message: why,
          headers: { "retry-after": "1" },
        });
      }
      const { id } = message;
      if (this.#running.has(id) || this.#queue.has(id)) {
        return refusal({ id, status: 400, code: -32600, message: idInUse(id) });
      }
      stats.request();
      this.#queue.set(message.id, message);
      this.#advance();
    } else {
      this.onmessage?.(message);
      if ("method" in message && message.method === "notifications/cancelled") {
        this.#settle(message.params?.requestId as Id);
      }
    }
    return new Response("Accepted", { status: 202 });
  }

  send(message: JSONRPCMessage): Promise<void> {
    if ("method" in message && this.#stream.waiting > MAX_WAITING) return this.close(); // nobody reads
    if ("error" in message) this.#options.stats.error();
    this.#stream.send(JSON.stringify(message));
    if (!("method" in message) && message.id !== undefined) this.#settle(message.id);
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      this.#queue.clear();
      this.#stream.close();
      this.onclose?.();
    }
    return Promise.resolve();
  }

  /** Ends the session of a client that has been quiet this long and does not answer a ping. */
  checkStream(quietMs: number): void {
    if (this.calls > 0 || this.#pulse.check(quietMs, (ping) => this.#stream.send(JSON.stringify(ping)))) {
      return;
    }
    this.close();
  }

  /** A request is answered or cancelled. */
  #settle(id: Id): void {
    this.#running.delete(id);
    this.#queue.delete(id);
    this.#advance();
  }

  #advance(): void {
    for (const [id, message] of this.#queue) {
      if (this.#running.size >= MAX_RUNNING || this.#stream.waiting > MAX_WAITING) return;
      this.#queue.delete(id);
      this.#running.add(id);
      this.onmessage?.(message);
    }
  }
}
