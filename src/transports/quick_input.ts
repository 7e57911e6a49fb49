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
const CHUNK = 64 * 1024;

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
    return new SocketReader((await import("node:net")).Socket);
  } catch {
    return undefined;
  }
}

/** Reads standard input as a file is read: one read at a time, and what nobody asked for has to wait. */
class SocketReader implements ReadableBytes {
  readonly #socket: Socket;
  /** Who is reading, and into what. */
  #reading: { readonly buffer: Uint8Array; readonly done: (read: number) => void } | undefined;
  /** What came when nobody was reading; nothing more comes until it is taken. */
  #kept = new Uint8Array();
  #isPaused = false;
  #isEnded = false;
  #error: Error | undefined;

  constructor(NodeSocket: typeof Socket) {
    // All reads share one buffer: otherwise each would leave 64 KB of garbage.
    const onread = {
      buffer: new Uint8Array(CHUNK),
      callback: (n: number, bytes: Uint8Array) => this.#take(bytes, n),
    };
    this.#socket = new NodeSocket({ fd: STDIN, readable: true, writable: false, onread });
    this.#socket.on("error", (error: Error) => this.#end(error));
    this.#socket.on("end", () => this.#end());
    this.#socket.on("close", () => this.#end());
  }

  async read(buffer: Uint8Array): Promise<number | null> {
    const read = this.#kept.length > 0 ? this.#put(this.#kept, buffer) : await this.#next(buffer);
    if (read > 0) return read;
    if (this.#error !== undefined) throw this.#error;
    return null;
  }

  /** 0 at the end. */
  #next(buffer: Uint8Array): Promise<number> {
    if (this.#isEnded) return Promise.resolve(0);
    return new Promise((done) => {
      this.#reading = { buffer, done };
      if (this.#isPaused) this.#socket.resume();
      this.#isPaused = false;
    });
  }

  /** False asks the socket to wait. */
  #take(bytes: Uint8Array, length: number): boolean {
    const arrived = bytes.subarray(0, length);
    const reading = this.#reading;
    this.#reading = undefined;
    reading?.done(this.#put(arrived, reading.buffer));
    if (reading === undefined) this.#kept = arrived.slice();
    this.#isPaused = this.#kept.length > 0;
    return !this.#isPaused;
  }

  /** Keeps what does not fit. */
  #put(bytes: Uint8Array, buffer: Uint8Array): number {
    const taken = bytes.subarray(0, buffer.length);
    buffer.set(taken);
    this.#kept = bytes.slice(taken.length);
    return taken.length;
  }

  #end(error?: Error): void {
    this.#isEnded = true;
    this.#error ??= error;
    this.#reading?.done(0);
    this.#reading = undefined;
  }
}
