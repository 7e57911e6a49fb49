/**
 * Adds matches to the findings, each with the lines before it, and with those after it as they are read. Only lines
 * near a match are ever decoded.
 */
import type { Findings, GrepMatch, ShownMatch } from "../findings.ts";
import { lastLines, PastLine } from "./past_lines.ts";
import type { ScanBuffer } from "./scan_buffer.ts";

export class ScanContext {
  readonly findings: Findings;
  readonly #count: number;
  /** The lines before the buffer's first. */
  #before: readonly PastLine[] = [];
  /** Matches that still need lines after them. */
  #open: GrepMatch[] = [];

  /** `count` lines before each match and after it. */
  constructor(findings: Findings, count: number) {
    this.findings = findings;
    this.#count = count;
  }

  /** Begins with another file; these lines come before the first. */
  reset(before: readonly PastLine[] = []): void {
    this.#before = before;
    if (this.#open.length > 0) this.#open = [];
  }

  get count(): number {
    return this.#count;
  }

  /** Whether the next line is wanted as context. */
  get wantsMore(): boolean {
    return this.#open.length > 0 && !this.findings.isOverflowing;
  }

  /** Whether no further line is wanted, either as a match or as context. */
  get isDone(): boolean {
    return this.findings.isFull && !this.wantsMore;
  }

  /** The next line, for the matches before it. */
  give(line: PastLine): void {
    for (const match of this.#open) {
      if (!this.findings.isOverflowing) this.findings.addAfter(match, line.shown());
    }
    while ((this.#open[0]?.context_after.length ?? -1) >= this.#count) this.#open.shift();
  }

  add(
    line: ShownMatch,
    found: { file: string; lineNumber: number; before: readonly PastLine[] },
  ): void {
    const { file, lineNumber } = found;
    const before = found.before.map((past) => past.shown());
    const match = this.findings.add({ file, lineNumber, line, before });
    if (this.#count > 0) this.#open.push(match);
  }

  /** The lines before a place in the buffer. */
  linesBefore(buffer: ScanBuffer, place: number): readonly PastLine[] {
    return this.#linesBefore(buffer, { place, take: (bytes) => new PastLine(bytes) });
  }

  /** Keeps the lines before a place, for when the buffer is used again. */
  keep(buffer: ScanBuffer, place: number): void {
    this.#before = this.#linesBefore(buffer, { place, take: PastLine.copyOf });
  }

  /** Keeps a line that is no longer in the buffer. */
  keepLine(line: PastLine): void {
    if (this.#count > 0) this.#before = [...this.#before, line].slice(-this.#count);
  }

  #linesBefore(
    { bytes, floor }: ScanBuffer,
    { place, take }: { place: number; take: (bytes: Uint8Array) => PastLine },
  ): readonly PastLine[] {
    if (this.#count === 0) return [];
    const inside = lastLines(bytes, { from: floor, to: place, count: this.#count }).map(take);
    return inside.length === this.#count ? inside : [...this.#before, ...inside].slice(-this.#count);
  }
}
