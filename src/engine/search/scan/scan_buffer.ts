/**
 * The piece of a file that a scanner works on, in the kernel's buffer: it is filled from the file, moves along it,
 * and knows its position in the file and how many lines come before.
 */
import type { Kernel } from "../bytes/kernel.ts";

const LF = 0x0a;

/** A file that is read, verified or not. */
export interface ScanSource {
  /** Reads up to `buffer.length` bytes at `position`; 0 means the end. */
  readAt(buffer: Uint8Array<ArrayBuffer>, position: number): number;
}

const NOTHING: ScanSource = { readAt: () => 0 };

export class ScanBuffer {
  readonly kernel: Kernel;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How much of it is filled. */
  filled = 0;
  /** Where the file's text begins in it: after a byte order mark, or after a line that did not fit. */
  floor = 0;
  /** Where the next line begins. */
  start = 0;
  /** All that can be filled: most files are read by this one view. */
  readonly #whole: Uint8Array<ArrayBuffer>;
  #source = NOTHING;
  /** Where in the file the next bytes are read. */
  #position = 0;
  #lines = 0;
  #countedTo = 0;

  constructor(kernel: Kernel) {
    this.kernel = kernel;
    this.bytes = kernel.bytes;
    this.#whole = kernel.bytes.subarray(0, kernel.capacity);
  }

  /** Begins with another file; `position` is where in it to begin. */
  open(source: ScanSource, position = 0): void {
    this.#source = source;
    this.#lines = 0;
    this.readFrom(position);
  }

  /** Reads the file from another place on. */
  readFrom(position: number): void {
    this.#position = position;
    this.filled = 0;
    this.begin(0);
    this.fill();
  }

  /** Starts searching, and counting lines, at a place in the buffer. */
  begin(place: number): void {
    this.floor = this.start = this.#countedTo = place;
  }

  /** Whether it holds the end of the file. */
  get isAtEnd(): boolean {
    return this.filled < this.kernel.capacity;
  }

  /** Where in the file a place in the buffer is. */
  inFile(place: number): number {
    return this.#position - this.filled + place;
  }

  /** Fills the free part of the buffer. If it is not full afterwards, the file has ended. */
  fill(): void {
    const { capacity } = this.kernel;
    while (this.filled < capacity) {
      const free = this.filled === 0 ? this.#whole : this.bytes.subarray(this.filled, capacity);
      const read = this.#source.readAt(free, this.#position);
      if (read === 0) return;
      this.filled += read;
      this.#position += read;
    }
  }

  /** Moves everything from a place on to the front, and fills the rest. */
  moveOn(place: number): void {
    this.bytes.copyWithin(0, place, this.filled);
    this.filled -= place;
    this.begin(0);
    this.fill();
  }

  /** The bytes of the file between two positions, without touching the buffer. */
  peek(from: number, to: number): Uint8Array {
    const bytes = new Uint8Array(to - from);
    let read = 0;
    while (read < bytes.length) {
      const more = this.#source.readAt(bytes.subarray(read), from + read);
      if (more === 0) break;
      read += more;
    }
    return bytes.subarray(0, read);
  }

  indexOf(byte: number, from: number): number {
    return this.kernel.indexOf(byte, from, this.filled);
  }

  /** How many lines lie before a place where one begins: those that were counted before, and up to there. */
  linesBefore(place: number): number {
    this.#lines += this.kernel.count(LF, this.#countedTo, place);
    this.#countedTo = place;
    return this.#lines;
  }

  /** Counts a line whose newline is not in the buffer; returns its number. */
  countLine(): number {
    return ++this.#lines;
  }
}
