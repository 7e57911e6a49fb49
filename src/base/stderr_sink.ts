/**
 * Where log lines go: standard error, through a bounded queue. If the client that started the server never
 * reads its standard error, that pipe fills up, and writing to it directly would block the server for good.
 * Lines that do not fit are dropped and counted instead.
 */
import { LineSheet } from "./line_sheet.ts";
import type { LogLook } from "./log_terminal.ts";
import { after, type Timer } from "./timer.ts";
import { takeWholeLines } from "./whole_lines.ts";
import { within } from "./within.ts";

const MAX_QUEUED = 1024 * 1024;

/**
 * How long lines of a busy server are collected: a separate write for each would cost as much as many calls
 * do.
 */
const GATHER_MS = 20;

/** The memory in which lines wait; longer ones have their own. */
const SHEET = 32 * 1024;

export interface Writer {
  write(bytes: Uint8Array): Promise<number>;
  /** Skips the trip through the thread pool, but waits while the pipe is full. */
  writeSync?(bytes: Uint8Array): number;
  /** How many bytes `writeSync` accepts now without waiting; undefined if unknown. */
  room?(): number | undefined;
}

const STDERR = 2;

/** Standard error, with a function that knows how much a descriptor accepts at once. */
export function stderrWith(room: (descriptor: number) => number | undefined): Writer {
  return {
    write: (bytes) => Deno.stderr.write(bytes),
    writeSync: (bytes) => Deno.stderr.writeSync(bytes),
    room: () => room(STDERR),
  };
}

/** How lines look on this process's standard error. */
export function stderrLook(): LogLook {
  if (!Deno.stderr.isTerminal()) return "plain";
  return Deno.noColor ? "terminal" : "colours";
}

export class LogSink {
  readonly #writer: Writer;
  readonly #sheet = new LineSheet(SHEET);
  readonly #lines: Uint8Array[] = [];
  #queued = 0;
  #dropped = 0;
  #flushing: Promise<void> | undefined;
  #flushedAt = -Infinity;
  #timer: Timer | undefined;

  constructor(writer: Writer = Deno.stderr) {
    this.#writer = writer;
  }

  /**
   * A single line may be longer than the queue. An urgent line is written at once, along with those collected
   * so far.
   */
  write(line: string, { urgent = false }: { urgent?: boolean } = {}): void {
    if (this.#queued > 0 && this.#queued + line.length > MAX_QUEUED) {
      this.#dropped++;
      return;
    }
    this.#reportDropped();
    this.#push(line);
    if (this.#flushing !== undefined) return;
    const wait = urgent ? 0 : this.#flushedAt + GATHER_MS - performance.now();
    if (wait <= 0) this.#begin();
    else this.#timer ??= after(wait, () => this.#begin());
  }

  /** Waits until everything is written, but not for ever. */
  async close(maxMs = 500): Promise<void> {
    if (this.#timer !== undefined) this.#begin();
    await within(maxMs, this.#flushing);
  }

  #begin(): void {
    this.#timer?.clear();
    this.#timer = undefined;
    this.#flushing = this.#flush();
  }

  #push(line: string): void {
    if (this.#lines.length === 0 && this.#flushing === undefined) this.#sheet.clear();
    const bytes = this.#sheet.encode(`${line}\n`);
    this.#lines.push(bytes);
    this.#queued += bytes.length;
  }

  #reportDropped(): void {
    if (this.#dropped > 0) this.#push(`(${this.#dropped} log lines were dropped: nobody read them)`);
    this.#dropped = 0;
  }

  async #flush(): Promise<void> {
    await Promise.resolve(); // lines of the same moment are written together
    while (this.#lines.length > 0) {
      const room = this.#writer.room?.() ?? 0;
      const fits = (this.#lines[0]?.length ?? 0) <= room;
      const bytes = takeWholeLines(this.#lines, fits ? room : undefined);
      this.#queued -= bytes.length;
      let at = fits ? this.#takeAtOnce(bytes) : 0;
      while (at < bytes.length) at += await this.#take(bytes.subarray(at));
      if (this.#lines.length === 0) this.#reportDropped();
    }
    this.#flushing = undefined;
    this.#flushedAt = performance.now();
  }

  /** The caller tries again, and then finds out whether something is wrong or the pipe was only full. */
  #takeAtOnce(bytes: Uint8Array): number {
    try {
      return this.#writer.writeSync?.(bytes) ?? 0;
    } catch {
      return 0;
    }
  }

  async #take(bytes: Uint8Array): Promise<number> {
    try {
      return await this.#writer.write(bytes);
    } catch (error) {
      if (!(error instanceof Deno.errors.WouldBlock)) return bytes.length; // nobody reads: drop the line
      await new Promise((resolve) => setTimeout(resolve, 5)); // a non-blocking pipe that is full
      return 0;
    }
  }
}
