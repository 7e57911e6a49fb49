/** A stream of server-sent events to one client, kept alive, and closed with it. */
import { EVENT_STREAM_HEADERS } from "./answers.ts";

/** A client that takes nothing of what waits for it from one sign of life to the next is given up. */
const KEEP_ALIVE_MS = 15_000;
/** So large that the stream asks again after each piece that was taken. */
const HIGH_WATER = Number.MAX_SAFE_INTEGER;

export interface EventStreamOptions {
  /** Called when the client has gone away, not when close() was called. */
  onGone: () => void;
  /** Called when the client has taken some of what waits for it. */
  onTaken?: () => void;
  keepAliveMs?: number;
}

export class EventStream {
  readonly #encoder = new TextEncoder();
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #onGone: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #written = 0;
  #takenBefore = 0;
  readonly body: ReadableStream<Uint8Array>;

  constructor({ onGone, onTaken, keepAliveMs = KEEP_ALIVE_MS }: EventStreamOptions) {
    this.#onGone = onGone;
    this.body = new ReadableStream<Uint8Array>({
      start: (controller) => void (this.#controller = controller),
      pull: () => onTaken?.(),
      cancel: () => this.#gone(),
    }, new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER }));
    this.#timer = setInterval(() => this.#keepAlive(), keepAliveMs);
  }

  get open(): boolean {
    return this.#controller !== undefined;
  }

  /** Bytes that the client has not taken yet. */
  get waiting(): number {
    return HIGH_WATER - (this.#controller?.desiredSize ?? HIGH_WATER);
  }

  send(data: string, event = "message"): void {
    this.#write(`event: ${event}\ndata: ${data}\n\n`);
  }

  /** How long a client is to wait before it opens the stream again. */
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
  }

  #write(text: string): void {
    if (this.#controller === undefined) return;
    const bytes = this.#encoder.encode(text);
    this.#written += bytes.length;
    this.#controller.enqueue(bytes);
  }

  #keepAlive(): void {
    const taken = this.#written - this.waiting;
    if (this.waiting > 0 && taken === this.#takenBefore) {
      this.#controller?.error(new Error("the client does not read"));
      return this.#gone();
    }
    this.#takenBefore = taken;
    this.#write(": keepalive\n\n");
  }

  #gone(): void {
    clearInterval(this.#timer);
    if (this.#controller === undefined) return;
    this.#controller = undefined;
    this.#onGone();
  }
}
