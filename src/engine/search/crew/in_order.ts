/**
 * Puts the results of batches together in the order of paths, in whatever order they come. What a limit cuts off
 * is always what comes last, and counts are those of a search that has stopped right there.
 */
import { type BatchResult } from "./batch.ts";
import { Findings, type GrepMatch, sizeOf } from "../findings.ts";

/** What has come of a batch so far. */
interface Early {
  readonly parts: BatchResult[];
  isWhole: boolean;
}

export class InOrder {
  readonly #findings: Findings;
  /** Results that came before those of batches in front of theirs. */
  readonly #early = new Map<number, Early>();
  #next = 0;
  #timedOut = false;
  #earlyCharacters = 0;
  searched = 0;
  skipped = 0;

  constructor(maxResults: number) {
    this.#findings = new Findings(maxResults);
  }

  get matches(): GrepMatch[] {
    return this.#findings.matches;
  }

  /** Whether there is no room for another match. */
  get isFull(): boolean {
    return this.#findings.isFull;
  }

  /** Whether the time was up before the end, so that nothing more counts. */
  get timedOut(): boolean {
    return this.#timedOut;
  }

  /** The time is up: what has not come yet will not come. */
  close(): void {
    this.#timedOut = true;
  }

  /** How many characters wait for a batch in front of them. */
  get earlyCharacters(): number {
    return this.#earlyCharacters;
  }

  /** Whether all in front of the batch with this number is there. */
  isNext(number: number): boolean {
    return number === this.#next;
  }

  /** The result of the batch with this number, or the rest of it; they count from 0. */
  put(number: number, result: BatchResult): void {
    this.putPart(number, result);
    const early = this.#early.get(number);
    if (early !== undefined) early.isWhole = true;
    this.#flush();
  }

  /** A part of the result of a batch, of which more will come. */
  putPart(number: number, result: BatchResult): void {
    const early = this.#early.get(number);
    if (early === undefined) this.#early.set(number, { parts: [result], isWhole: false });
    else early.parts.push(result);
    this.#earlyCharacters += charactersOf(result);
    this.#flush();
  }

  #flush(): void {
    for (let early = this.#early.get(this.#next); early !== undefined; early = this.#early.get(this.#next)) {
      for (const part of early.parts.splice(0)) {
        if (this.isFull || this.#timedOut) return;
        this.#earlyCharacters -= charactersOf(part);
        this.#append(part);
      }
      if (!early.isWhole) return;
      this.#early.delete(this.#next++);
    }
  }

  #append(result: BatchResult): void {
    this.#timedOut = result.timedOut;
    for (const { matches, searched, skipped } of result.files) {
      for (const match of matches) if (!this.isFull) this.#findings.take(match);
      if (this.isFull) return this.#count({ searched, skipped });
    }
    this.#count(result);
  }

  #count({ searched, skipped }: { searched: number; skipped: number }): void {
    this.searched += searched;
    this.skipped += skipped;
  }
}

function charactersOf({ files }: BatchResult): number {
  return files.reduce((sum, { matches }) => matches.reduce((all, match) => all + sizeOf(match), sum), 0);
}
