/**
 * Live events to browsers. Streams are limited, and so is what may wait in each: a browser that does not read is
 * disconnected.
 */
import type { Events } from "../api_types.ts";
import { answer, failure } from "./answers.ts";

/** For all sessions, and for one. */
const MOST_STREAMS = 64;
/** How much may wait for a browser that does not read, in bytes. */
const MOST_WAITING = 1024 * 1024;
const PULSE_MS = 15_000;

interface Stream {
  readonly session: AbortSignal;
  send(text: string): void;
  end(): void;
}

const encoder = new TextEncoder();

export class EventHub {
  readonly #streams = new Set<Stream>();
  readonly #onAudience: (isThere: boolean) => Promise<void>;
  /** Settles when everything that happens from then on is reported. */
  #watching: Promise<void> = Promise.resolve();
  #pulse: ReturnType<typeof setInterval> | undefined;

  /** `onAudience` is called when the first listener arrives and when the last one leaves. */
  constructor(onAudience: (isThere: boolean) => Promise<void>) {
    this.#onAudience = onAudience;
  }

  get size(): number {
    return this.#streams.size;
  }

  /** A stream that ends with the session. If there are too many, the oldest one of the same session is closed. */
  open(session: AbortSignal, hello: Events["hello"]): Response {
    if (this.#streams.size >= MOST_STREAMS) {
      const [oldest] = [...this.#streams].filter((stream) => stream.session === session);
      if (oldest === undefined) return failure("TOO_MANY", "too many pages are open; close some of them");
      oldest.send(eventText("bye", { reason: "replaced" }));
      oldest.end();
    }
    const body = this.#stream(session, eventText("hello", hello));
    const headers = { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" };
    return answer(body, { headers });
  }

  tell<K extends keyof Events>(name: K, data: Events[K]): void {
    if (this.#streams.size === 0) return;
    const text = eventText(name, data);
    for (const stream of this.#streams) stream.send(text);
  }

  close(): void {
    this.tell("bye", { reason: "stopping" });
    for (const stream of [...this.#streams]) stream.end();
  }

  #stream(session: AbortSignal, first: string): ReadableStream<Uint8Array> {
    let stream: Stream;
    const over = () => {
      session.removeEventListener("abort", expire);
      if (!this.#streams.delete(stream) || this.#streams.size > 0) return;
      clearInterval(this.#pulse);
      this.#watching = this.#onAudience(false);
    };
    const expire = () => {
      stream.send(eventText("bye", { reason: "session" }));
      stream.end();
    };
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        stream = {
          session,
          send: (text) => {
            const bytes = encoder.encode(text);
            if ((controller.desiredSize ?? 0) < bytes.length) stream.end(); // it asks again when it comes back
            else controller.enqueue(bytes);
          },
          end: () => {
            over();
            try {
              controller.close();
            } catch (error) {
              if (!(error instanceof TypeError)) throw error; // the browser closed it first
            }
          },
        };
        this.#streams.add(stream);
        session.addEventListener("abort", expire, { once: true });
        stream.send("retry: 1000\n\n");
        if (this.#streams.size === 1) {
          this.#pulse = setInterval(() => this.#beat(), PULSE_MS);
          this.#watching = this.#onAudience(true);
        }
        // Only now: a page that asks for the current state after this misses nothing.
        this.#watching.then(() => this.#streams.has(stream) && stream.send(first));
      },
      cancel: over,
    }, new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING }));
  }

  /** Keeps proxies from closing quiet connections. */
  #beat(): void {
    for (const stream of this.#streams) stream.send(": here\n\n");
  }
}

/** JSON has no line breaks, so one line is enough. */
function eventText<K extends keyof Events>(name: K, data: Events[K]): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
