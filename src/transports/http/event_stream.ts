/** A stream of server-sent events to one client, kept alive, and closed with it. */
import { EVENT_STREAM_HEADERS } from "./answers.ts";

const KEEP_ALIVE_MS = 15_000;
/** What may wait for a client that does not read; then the stream is given up. */
const MAX_UNREAD = 16 * 1024 * 1024;

export class EventStream {
  readonly #encoder = new TextEncoder();
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #onGone: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #unread = 0;
  readonly body: ReadableStream<Uint8Array>;

  /** `onGone` is called when the client has gone away, not when close() was called. */
  constructor(onGone: () => void) {
    this.#onGone = onGone;
    this.body = new ReadableStream<Uint8Array>({
      start: (controller) => void (this.#controller = controller),
      pull: () => void (this.#unread = 0),
      cancel: () => this.#gone(),
    }, new CountQueuingStrategy({ highWaterMark: 1 }));
    this.#timer = setInterval(() => this.#write(": keepalive\n\n"), KEEP_ALIVE_MS);
  }

  get open(): boolean {
    return this.#controller !== undefined;
  }

  send(data: string, event = "message"): void {
    this.#write(`event: ${event}\ndata: ${data}\n\n`);
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
    this.#unread += bytes.length;
    if (this.#unread > MAX_UNREAD) {
      this.#controller.error(new Error("the client does not read"));
      return this.#gone();
    }
    this.#controller.enqueue(bytes);
  }

  #gone(): void {
    clearInterval(this.#timer);
    if (this.#controller === undefined) return;
    this.#controller = undefined;
    this.#onGone();
  }
}
