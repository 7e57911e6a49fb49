/** A stream of server-sent events to one client, kept alive, and closed with it. */
import type { ByteBudget } from "../../base/byte_budget.ts";
import { EVENT_STREAM_HEADERS } from "./answers.ts";

/** A client that reads nothing from one keep-alive to the next, while something is waiting, is given up. */
const KEEP_ALIVE_MS = 15_000;
/** So large that the stream pulls again after each piece that was read. */
const HIGH_WATER = Number.MAX_SAFE_INTEGER;

/** The runtime takes whole pieces, whether or not the client reads them. */
const PIECE = 64 * 1024;
/** How often to check what is left to read in a closed stream. */
const LINGER_MS = 100;
const DEAF = new Error("the client does not read");

export interface EventStreamOptions {
  /** Called when the client has gone away, not when close() was called. */
  onGone: () => void;
  /** Called when the client has read some of what is waiting. */
  onTaken?: () => void;
  keepAliveMs?: number;
  /** Counts what is waiting for the client. */
  budget?: ByteBudget | undefined;
}

export class EventStream {
  readonly #encoder = new TextEncoder();
  #timer: ReturnType<typeof setInterval>;
  readonly #keepAliveMs: number;
  readonly #onGone: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #written = 0;
  #takenBefore = 0;
  readonly #budget: ByteBudget | undefined;
  #counted = 0;
  readonly body: ReadableStream<Uint8Array>;

  constructor({ onGone, onTaken, keepAliveMs = KEEP_ALIVE_MS, budget }: EventStreamOptions) {
    this.#onGone = onGone;
    this.#budget = budget;
    this.#keepAliveMs = keepAliveMs;
    this.body = new ReadableStream<Uint8Array>({
      start: (controller) => void (this.#controller = controller),
      pull: () => {
        this.#count();
        onTaken?.();
      },
      cancel: () => this.#gone(),
    }, new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER }));
    this.#timer = setInterval(() => this.#keepAlive(), keepAliveMs);
  }

  get open(): boolean {
    return this.#controller !== undefined;
  }

  /** Bytes that the client has not read yet. */
  get waiting(): number {
    return waitingIn(this.#controller);
  }

  send(data: string, event = "message"): void {
    this.#write(`event: ${event}\ndata: ${data}\n\n`);
  }

  /** How long a client should wait before it reopens the stream. */
  retryAfter(ms: number): void {
    this.#write(`retry: ${ms}\n\n`);
  }

  response(headers: Record<string, string> = {}): Response {
    return new Response(this.body, { headers: { ...EVENT_STREAM_HEADERS, ...headers } });
  }

  close(): void {
    clearInterval(this.#timer);
    const controller = this.#controller;
    this.#controller = undefined;
    try {
      controller?.close();
    } catch { /* the client has closed it */ }
    this.#linger(controller);
  }

  /** What is waiting when the stream is closed is counted until it is read, or given up. */
  #linger(controller: ReadableStreamDefaultController<Uint8Array> | undefined): void {
    const lingers = waitingIn(controller) > PIECE; // the system buffers less at once
    this.#count(lingers ? controller : undefined);
    if (!lingers) return;
    let [left, since] = [this.#counted, performance.now()];
    this.#timer = setInterval(() => {
      this.#count(controller);
      if (this.#counted < left) [left, since] = [this.#counted, performance.now()];
      else if (performance.now() - since >= this.#keepAliveMs) controller?.error(DEAF);
      if (waitingIn(controller) > 0) return;
      clearInterval(this.#timer);
      this.#count();
    }, LINGER_MS);
  }

  #write(text: string): void {
    if (this.#controller === undefined) return;
    const bytes = this.#encoder.encode(text);
    this.#written += bytes.length;
    for (let at = 0; at < bytes.length; at += PIECE) this.#controller.enqueue(bytes.subarray(at, at + PIECE));
    this.#count();
  }

  #count(controller = this.#controller): void {
    const waiting = waitingIn(controller);
    this.#budget?.add(waiting - this.#counted);
    this.#counted = waiting;
  }

  #keepAlive(): void {
    const taken = this.#written - this.waiting;
    if (this.waiting > 0 && taken === this.#takenBefore) {
      this.#controller?.error(DEAF);
      return this.#gone();
    }
    this.#takenBefore = taken;
    this.#write(": keepalive\n\n");
  }

  #gone(): void {
    clearInterval(this.#timer);
    const wasOpen = this.open;
    this.#controller = undefined;
    this.#count();
    if (wasOpen) this.#onGone();
  }
}

/** Bytes not read yet. A stream that was read completely, or given up, has a desired size of 0 or null. */
function waitingIn(controller: ReadableStreamDefaultController<Uint8Array> | undefined): number {
  return controller?.desiredSize ? HIGH_WATER - controller.desiredSize : 0;
}
