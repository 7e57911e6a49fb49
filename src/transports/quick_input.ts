/**
 * Standard input, read with less effort once a client has proven to be busy. The runtime reads it on a thread of its
 * pool, so that every message wakes two threads; a socket of Node's takes what has arrived on the thread that
 * needs it. Loading that takes longer than many messages do, so the first ones are read as usual.
 */
import type { Socket } from "node:net";
import type { ReadableBytes } from "./line_reader.ts";

/** The usual input, and what tells whether a socket can take over. */
export interface UsualInput extends ReadableBytes {
  isTerminal(): boolean;
}

export interface QuickInputOptions {
  /** After how many reads the socket takes over. Default: 100. */
  after?: number;
}

const STDIN = 0;

export class QuickInput implements ReadableBytes {
  readonly #usual: UsualInput;
  /** How many more reads are done as usual. */
  #usualReads: number;
  #socket: SocketReader | undefined;

  constructor(usual: UsualInput, { after = 100 }: QuickInputOptions = {}) {
    this.#usual = usual;
    this.#usualReads = after;
  }

  read(buffer: Uint8Array): Promise<number | null> {
    if (this.#usualReads-- === 0) return this.#change(buffer);
    return (this.#socket ?? this.#usual).read(buffer);
  }

  /** Nothing is being read while the socket takes over, so nothing gets lost between the two. */
  async #change(buffer: Uint8Array): Promise<number | null> {
    this.#socket = await socketFor(this.#usual);
    return await this.read(buffer);
  }
}

/** Undefined where there is none: for a file or a terminal, on Windows, and in runtimes without Node's modules. */
async function socketFor(usual: UsualInput): Promise<SocketReader | undefined> {
  if (Deno.build.os === "windows" || usual.isTerminal()) return undefined;
  try {
    const { Socket } = await import("node:net");
    return new SocketReader(new Socket({ fd: STDIN, readable: true, writable: false }));
  } catch {
    return undefined;
  }
}

/** Reads from a socket as from a file: at most one read at a time, and nothing is taken in that nobody asked for. */
class SocketReader implements ReadableBytes {
  readonly #socket: Socket;
  readonly #waiting: Uint8Array[] = [];
  #isEnded = false;
  #isPaused = false;
  #error: Error | undefined;
  #tell: (() => void) | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk: Uint8Array) => {
      this.#waiting.push(chunk);
      if (this.#tell !== undefined) return this.#tell();
      socket.pause();
      this.#isPaused = true;
    });
    socket.on("error", (error: Error) => {
      this.#error = error;
      this.#tell?.();
    });
    const ended = () => {
      this.#isEnded = true;
      this.#tell?.();
    };
    socket.on("end", ended);
    socket.on("close", ended);
  }

  async read(buffer: Uint8Array): Promise<number | null> {
    while (this.#waiting.length === 0) {
      if (this.#error !== undefined) throw this.#error;
      if (this.#isEnded) return null;
      await new Promise<void>((resolve) => {
        this.#tell = resolve;
        if (this.#isPaused) this.#socket.resume();
        this.#isPaused = false;
      });
      this.#tell = undefined;
    }
    return this.#take(buffer);
  }

  #take(buffer: Uint8Array): number {
    const [chunk = new Uint8Array()] = this.#waiting;
    const taken = chunk.subarray(0, buffer.length);
    buffer.set(taken);
    if (taken.length === chunk.length) this.#waiting.shift();
    else this.#waiting[0] = chunk.subarray(taken.length);
    return taken.length;
  }
}
