/**
 * One session of Streamable HTTP (revisions up to 2025-11-25): the transport between an SDK server and the
 * requests with its session id. Written here because the SDK's own answers either always as JSON or always as
 * a stream, leaves a cancelled call's request hanging, and does not cancel the calls of a client that has
 * gone away.
 */
import type { JSONRPCMessage, Transport, TransportSendOptions } from "@modelcontextprotocol/server";
import type { ByteBudget } from "../../base/byte_budget.ts";
import type { Stats } from "../../base/stats.ts";
import type { PlainLane } from "../../server/plain_lane.ts";
import type { Id } from "../batches.ts";
import { idInUse } from "../messages.ts";
import type { Asked } from "./asked.ts";
import { jsonAnswer, refusal, rpcError } from "./answers.ts";
import { EventStream } from "./event_stream.ts";
import { MOST_UNHEARD } from "./listen_streams.ts";
import { Pulse } from "./pulse.ts";

/** One POST with requests in it, until all of them are answered or cancelled. */
interface Exchange {
  readonly waitingFor: Set<Id>;
  readonly answers: JSONRPCMessage[];
  readonly batch: boolean;
  readonly stream: EventStream | undefined;
  readonly finish: (response: Response) => void;
}

export interface SessionOptions {
  /** How many requests may be in flight at once. */
  maxCalls: number;
  stats: Stats;
  /** Counts what is waiting in streams. */
  budget?: ByteBudget | undefined;
}

const MOST_UNSENT = 8;

export class HttpSession implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Answers the usual requests, if the client has begun plainly; the SDK answers the rest. */
  lane: PlainLane | undefined;

  readonly sessionId: string;
  readonly #options: SessionOptions;
  readonly #exchanges = new Map<Id, Exchange>();
  #standing: EventStream | undefined;
  /** Requests to the client, sent once it opens its stream. */
  readonly #unsent: JSONRPCMessage[] = [];
  #closed = false;
  #lastUsed = performance.now();
  readonly #pulse = new Pulse();

  constructor(sessionId: string, options: SessionOptions) {
    this.sessionId = sessionId;
    this.#options = options;
  }

  /** Calls not answered yet. */
  get calls(): number {
    return this.#exchanges.size;
  }

  /** How long nothing has happened; an open call or stream keeps a session in use. */
  get idleMs(): number {
    return this.calls > 0 || this.#standing !== undefined ? 0 : performance.now() - this.#lastUsed;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  /** Accepts the messages of one POST, and answers when all requests among them are answered. */
  post(request: Asked, messages: readonly JSONRPCMessage[], batch: boolean): Promise<Response> {
    this.#lastUsed = performance.now();
    this.#pulse.heard();
    const ids = messages.flatMap((message) => "method" in message && "id" in message ? [message.id] : []);
    const refused = this.#refusal(ids, batch);
    if (refused !== undefined) return Promise.resolve(refused);
    if (ids.length === 0) {
      for (const message of messages) this.#deliver(message);
      return Promise.resolve(new Response(null, { status: 202 }));
    }
    const { promise, resolve } = Promise.withResolvers<Response>();
    const cancel = () => this.#cancel(ids);
    const stream = wantsStream(request, messages)
      ? new EventStream({ onGone: cancel, budget: this.#options.budget })
      : undefined;
    const exchange: Exchange = { waitingFor: new Set(ids), answers: [], batch, stream, finish: resolve };
    for (const id of ids) {
      this.#exchanges.set(id, exchange);
      this.#options.stats.request();
    }
    if (stream !== undefined) resolve(stream.response(this.#headers()));
    for (const message of messages) this.#deliver(message);
    request.whenGone(cancel);
    return promise;
  }

  /** Opens the standing stream for messages that do not answer a request. */
  get(): Response {
    if (this.#standing !== undefined) return rpcError(409, -32000, "Conflict: only one stream per session");
    this.#standing = new EventStream({
      budget: this.#options.budget,
      onGone: () => {
        this.#standing = undefined;
        this.#lastUsed = performance.now();
      },
    });
    this.#pulse.heard();
    for (const message of this.#unsent.splice(0)) this.#standing.send(JSON.stringify(message));
    return this.#standing.response(this.#headers());
  }

  /** Ends the standing stream of a client that has been quiet this long and does not answer a ping. */
  checkStream(quietMs: number): void {
    const stream = this.#standing;
    if (stream === undefined || this.calls > 0) return;
    if (this.#pulse.check(quietMs, (ping) => stream.send(JSON.stringify(ping)))) return;
    this.closeStream();
  }

  closeStream(): void {
    this.#standing?.close();
    this.#standing = undefined;
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!("method" in message)) this.#lastUsed = performance.now(); // notifications do not count
    if ("method" in message) {
      const related = options?.relatedRequestId;
      const stream = related === undefined ? this.#standing : this.#exchanges.get(related)?.stream;
      if (stream !== undefined && stream === this.#standing && stream.waiting > MOST_UNHEARD) {
        this.closeStream();
      } else if (stream !== undefined) stream.send(JSON.stringify(message));
      else if ("id" in message && this.#unsent.length < MOST_UNSENT) this.#unsent.push(message);
    } else if (message.id !== undefined) {
      if ("error" in message) this.#options.stats.error();
      this.#answer(message.id, message);
    }
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    this.closeStream();
    const error = { code: -32001, message: "Session not found: it was closed" };
    for (const id of [...this.#exchanges.keys()]) this.send({ jsonrpc: "2.0", id, error });
    this.lane?.close();
    this.onclose?.();
    return Promise.resolve();
  }

  #refusal(ids: readonly Id[], batch: boolean): Response | undefined {
    const id = batch ? null : ids[0] ?? null;
    if (this.#closed) return refusal({ id, status: 404, code: -32001, message: "Session not found" });
    const { maxCalls } = this.#options;
    if (this.#exchanges.size + ids.length > maxCalls) {
      const message = `Too many calls in flight; at most ${maxCalls} per session`;
      return refusal({ id, status: 429, code: -32000, message, headers: { "retry-after": "1" } });
    }
    const used = ids.find((each, i) => this.#exchanges.has(each) || ids.indexOf(each) < i);
    return used === undefined
      ? undefined
      : refusal({ id, status: 400, code: -32600, message: idInUse(used) });
  }

  #deliver(message: JSONRPCMessage): void {
    if (this.#pulse.isAnswer(message)) return;
    if (!("method" in message && this.lane?.take(message))) this.onmessage?.(message);
    if ("method" in message && message.method === "notifications/cancelled") {
      const id = message.params?.requestId;
      if (typeof id === "string" || typeof id === "number") this.#answer(id, undefined);
    }
  }

  /** The client has gone away: cancels its calls as if it had asked for that. */
  #cancel(ids: readonly Id[]): void {
    for (const requestId of ids) {
      if (!this.#exchanges.has(requestId)) continue;
      const reason = "the client went away";
      this.#deliver({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId, reason } });
    }
  }

  /** A request is answered, or (undefined) cancelled and gets no answer. */
  #answer(id: Id, message: JSONRPCMessage | undefined): void {
    const exchange = this.#exchanges.get(id);
    if (exchange === undefined) return;
    this.#exchanges.delete(id);
    exchange.waitingFor.delete(id);
    if (message !== undefined) {
      if (exchange.stream === undefined) exchange.answers.push(message);
      else exchange.stream.send(JSON.stringify(message));
    }
    if (exchange.waitingFor.size > 0) return;
    if (exchange.stream !== undefined) return exchange.stream.close();
    const [first] = exchange.answers;
    exchange.finish(
      first === undefined
        ? new Response(null, { status: 202 })
        : jsonAnswer(exchange.batch ? exchange.answers : first, this.#headers()),
    );
  }

  #headers(): Record<string, string> {
    return { "mcp-session-id": this.sessionId };
  }
}

/** A stream where progress is wanted, or where the client accepts nothing else; otherwise JSON. */
function wantsStream(request: Asked, messages: readonly JSONRPCMessage[]): boolean {
  const accept = request.headers.get("accept")?.toLowerCase() ?? "*/*";
  const takesJson = accept.includes("application/json") || accept.includes("*/*") ||
    accept.includes("application/*");
  if (!accept.includes("text/event-stream")) return false;
  const meta = (message: JSONRPCMessage) =>
    ("method" in message ? message.params?._meta : undefined) as { progressToken?: unknown } | undefined;
  return !takesJson || messages.some((message) => meta(message)?.progressToken !== undefined);
}
