/** Messages to a byte stream, one per line. What queues up during a write is sent with the next one. */
import type { ByteBudget } from "../base/byte_budget.ts";
import { LineSheet, MOST_BYTES } from "../base/line_sheet.ts";
import { takeWholeLines } from "../base/whole_lines.ts";
import { withSharedText } from "./shared_text.ts";

export interface WritableBytes {
  /** Like Deno.stdout.write: returns the number of bytes accepted. */
  write(bytes: Uint8Array): Promise<number>;
  /** Like Deno.stdout.writeSync: skips the trip through the thread pool, but waits while the pipe is full. */
  writeSync?(bytes: Uint8Array): number;
  /** How many bytes `writeSync` accepts now without waiting; undefined if unknown. */
  room?(): number | undefined;
}

/** The longest answer that skips that trip if the room is unknown; it fits into the pipe of a client that keeps up. */
const INLINE = 16 * 1024;

/**
 * Answers made at the same time are written together: once there are this many bytes, or after this many idle steps.
 */
const ENOUGH = 16 * 1024;
const STEPS = 64;

/** The memory in which answers wait; longer ones have their own. */
const SHEET = 256 * 1024;

const NOTHING = new Uint8Array(0);

export class LineWriter {
  readonly #output: WritableBytes;
  readonly #budget: ByteBudget | undefined;
  readonly #encoder = new TextEncoder();
  readonly #scratch = new Uint8Array(MOST_BYTES * INLINE);
  readonly #sheet = new LineSheet(SHEET);
  readonly #broken = Promise.withResolvers<Error>();
  #pending: Uint8Array[] = [];
  #unsent = 0;
  #writing: Promise<void> | undefined;
  #isBroken = false;

  /** Waiting bytes are counted in the budget. */
  constructor(output: WritableBytes, budget?: ByteBudget) {
    this.#output = output;
    this.#budget = budget;
  }

  /** Settles when the reader at the other end has gone, with the error that showed it. */
  get broken(): Promise<Error> {
    return this.#broken.promise;
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** How many bytes are waiting to be written. */
  get unsent(): number {
    return this.#unsent;
  }

  /** `alone` means that no other answer is due, as with a client that sends one call after the other. */
  write(message: unknown, { alone = false }: { alone?: boolean } = {}): Promise<void> {
    if (this.#isBroken) return Promise.resolve();
    const rest = withSharedText(message, "\n") ?? this.#line(JSON.stringify(message) + "\n", alone);
    if (rest.length === 0) return Promise.resolve();
    this.#pending.push(rest);
    this.#count(rest.length);
    return this.#writing ??= this.#flush();
  }

  async flushed(): Promise<void> {
    await this.#writing;
  }

  /** Returns what was not written at once. */
  #line(text: string, alone: boolean): Uint8Array {
    return alone && this.#unsent === 0 ? this.#writeAlone(text) : this.#encode(text);
  }

  #encode(text: string): Uint8Array {
    if (this.#unsent === 0) this.#sheet.clear();
    return this.#sheet.encode(text);
  }

  /** Returns what was not written at once. What was needs no memory of its own. */
  #writeAlone(text: string): Uint8Array {
    if (text.length * MOST_BYTES > this.#scratch.length) return this.#encoder.encode(text);
    const { written } = this.#encoder.encodeInto(text, this.#scratch);
    const line = this.#scratch.subarray(0, written);
    return line.length <= (this.#output.room?.() ?? INLINE) ? this.#writeInline(line).slice() : line.slice();
  }

  /** Returns what was not written at once. */
  #writeInline(line: Uint8Array): Uint8Array {
    if (this.#output.writeSync === undefined) return line;
    let at = 0;
    try {
      while (at < line.length) at += this.#output.writeSync(line.subarray(at));
    } catch (error) {
      if (error instanceof Deno.errors.WouldBlock) return line.subarray(at); // a non-blocking pipe that is full
      this.#break(error);
    }
    return NOTHING;
  }

  async #flush(): Promise<void> {
    await this.#gather();
    while (this.#pending.length > 0) {
      const room = this.#output.room?.() ?? 0;
      const fits = (this.#pending[0]?.length ?? 0) <= room;
      const bytes = takeWholeLines(this.#pending, fits ? room : undefined);
      const rest = fits ? this.#writeInline(bytes) : bytes;
      for (let at = 0; at < rest.length && !this.#isBroken;) at += await this.#take(rest.subarray(at));
      this.#count(this.#isBroken ? -this.#unsent : -bytes.length);
    }
    this.#writing = undefined;
  }

  async #gather(): Promise<void> {
    let seen = 0;
    for (let step = 0; step < STEPS && this.#unsent < ENOUGH; step++) {
      await undefined;
      if (this.#pending.length > seen) step = 0;
      seen = this.#pending.length;
    }
  }

  #count(bytes: number): void {
    this.#unsent += bytes;
    this.#budget?.add(bytes);
  }

  async #take(bytes: Uint8Array): Promise<number> {
    try {
      return await this.#output.write(bytes);
    } catch (error) {
      if (error instanceof Deno.errors.WouldBlock) {
        await new Promise((resolve) => setTimeout(resolve, 2));
        return 0;
      }
      this.#break(error);
      return bytes.length;
    }
  }

  #break(error: unknown): void {
    this.#isBroken = true;
    this.#pending = [];
    this.#broken.resolve(error instanceof Error ? error : new Error(String(error)));
  }
}
