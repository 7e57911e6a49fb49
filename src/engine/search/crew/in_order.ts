/**
 * What is to be searched and what was found, in the order of paths. Whatever is done first, results are put
 * together in this order: a limit only ever cuts off what comes last, and the counts are those of a search that
 * stopped right there.
 */
import { Findings, type GrepMatch, sizeOf } from "../findings.ts";
import type { Counts, Found, LargeFile, Part, Unit, UnitResult } from "./unit.ts";

/** A place in the order: a unit to be searched, or what was found there. */
export interface Slot {
  unit: Unit | undefined;
  /** Whether somebody is searching the unit. */
  isTaken: boolean;
  found: Found[];
  /** Whether the time was up here, so that nothing behind it counts. */
  isEnd: boolean;
  next: Slot | undefined;
}

export interface InOrderOptions {
  /** Where a range of a large file ends: see `endOfRange`. */
  endOfRange: (range: { from: number; size: number }) => number;
  /** Whether a subfolder may be searched. */
  mayEnter: (prefix: string) => boolean;
}

export class InOrder {
  readonly #findings: Findings;
  readonly #options: InOrderOptions;
  /** The first place that is not part of the result yet. */
  #head: Slot | undefined;
  #timedOut = false;
  #earlyCharacters = 0;
  /** Of the large file whose ranges come next: how many lines lie before them, and whether it was replaced. */
  #linesBefore = 0;
  #wasReplaced = false;
  /** Large files that were found to be replaced: their other ranges need not be searched. */
  readonly #replaced = new WeakSet<LargeFile>();
  searched = 0;
  skipped = 0;

  constructor(maxResults: number, options: InOrderOptions) {
    this.#findings = new Findings(maxResults);
    this.#options = options;
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

  /** The time is up: what has not arrived yet will not arrive. */
  close(): void {
    this.#timedOut = true;
  }

  /** How many characters of results wait for something in front of them. */
  get earlyCharacters(): number {
    return this.#earlyCharacters;
  }

  /** Begins with a unit; returns its place. */
  begin(unit: Unit): Slot {
    return this.#head = slotOf(unit, undefined);
  }

  /** The first place that is not done yet; undefined when all are. */
  get first(): Slot | undefined {
    return this.#head;
  }

  /** The first places, at most this many, that nobody has taken yet. */
  *waiting(limit: number): Generator<Slot> {
    let count = 0;
    for (let slot = this.#head; slot !== undefined && count < limit; slot = slot.next) {
      if (slot.unit === undefined) joinDone(slot);
      else if (!slot.isTaken) {
        count++;
        yield slot;
      }
    }
  }

  /**
   * The unit at this place is about to be searched. For a large file that is the next range; the rest stays queued
   * behind it.
   */
  take(slot: Slot): void {
    slot.isTaken = true;
    if (slot.unit?.kind !== "range" || slot.unit.range.to < Infinity) return;
    const { range, ...unit } = slot.unit;
    const { from, file } = range;
    const to = this.#replaced.has(file) ? Infinity : this.#options.endOfRange({ from, size: file.size });
    if (to >= file.size) return;
    slot.unit = { ...unit, range: { ...range, to } };
    slot.next = slotOf({ ...unit, range: { ...range, from: to } }, slot.next);
  }

  /** The unit at this place was not searched after all. */
  giveBack(slot: Slot): void {
    slot.isTaken = false;
  }

  /**
   * The result for the unit at this place. When the time was up, that is the end of the search, unless `goesOn`:
   * then others search what is left of the unit.
   */
  put(slot: Slot, result: UnitResult, { goesOn }: { goesOn: boolean }): void {
    const { unit } = slot;
    if (unit === undefined) return;
    if (goesOn && unit.kind === "range" && result.parts.some((part) => "cut" in part)) {
      return this.giveBack(slot);
    }
    slot.unit = undefined;
    const behind = slot.next;
    let last = slot;
    const place = () => last.unit === undefined ? last : last = last.next = slotOf(undefined, undefined);
    for (const part of result.parts) {
      if ("found" in part) this.#add(place(), part.found);
      else if (!("cut" in part)) {
        const next = this.#unitOf(part, unit, result);
        if (next !== undefined) last = last.next = slotOf(next, undefined);
      } else if (!goesOn) {
        this.#add(place(), part.cut);
        last.isEnd = true;
        break;
      }
      if (unit.kind === "range" && "found" in part && part.found.part?.lines === undefined) {
        this.#replaced.add(unit.range.file);
      }
    }
    last.next = behind;
    this.#flush();
  }

  #add(slot: Slot, found: Found): void {
    slot.found.push(found);
    this.#earlyCharacters += charactersOf(found);
  }

  #unitOf(
    part: Exclude<Part, { found: Found } | { cut: Found }>,
    unit: Unit,
    { hasGitignore }: UnitResult,
  ): Unit | undefined {
    const { prefix } = unit;
    if ("names" in part) return { kind: "files", prefix, names: part.names };
    if ("large" in part) {
      const range = { file: part.large, from: 0, to: Infinity };
      return { kind: "range", prefix, name: part.name, range };
    }
    const above = unit.kind === "folder" ? unit.ignoredBy : [];
    const below = prefix + part.subfolder;
    if (!this.#options.mayEnter(below)) return undefined;
    return { kind: "folder", prefix: below, ignoredBy: hasGitignore ? [...above, prefix] : above };
  }

  #flush(): void {
    for (let slot = this.#head; slot !== undefined && slot.unit === undefined; slot = slot.next) {
      for (const found of slot.found.splice(0)) {
        if (this.isFull || this.#timedOut) return;
        this.#earlyCharacters -= charactersOf(found);
        if (this.#isOfWhole(found)) this.#append(found);
      }
      if (slot.isEnd) this.#timedOut = true;
      this.#head = slot.next;
    }
  }

  /** Gives the lines of a range the numbers they have in the whole file; false when the file has been replaced. */
  #isOfWhole({ files, part }: Found): boolean {
    if (part === undefined) return true;
    if (part.from === 0) [this.#linesBefore, this.#wasReplaced] = [0, false];
    if (this.#wasReplaced) return false;
    for (const { matches } of files) for (const match of matches) match.line_number += this.#linesBefore;
    this.#linesBefore += part.lines ?? 0;
    this.#wasReplaced = part.lines === undefined;
    return true;
  }

  #append(found: Found): void {
    for (const { matches, ...counts } of found.files) {
      for (const match of matches) if (!this.isFull) this.#findings.take(match);
      if (this.isFull) return this.#count(counts);
    }
    this.#count(found);
  }

  #count({ searched, skipped }: Counts): void {
    this.searched += searched;
    this.skipped += skipped;
  }
}

function slotOf(unit: Unit | undefined, next: Slot | undefined): Slot {
  return { unit, isTaken: false, found: [], isEnd: false, next };
}

/** Merges this place with the finished ones that follow it: there may be thousands behind an unfinished one. */
function joinDone(slot: Slot): void {
  for (let next = slot.next; next !== undefined && next.unit === undefined && !slot.isEnd; next = slot.next) {
    for (const found of next.found) slot.found.push(found);
    slot.isEnd = next.isEnd;
    slot.next = next.next;
  }
}

function charactersOf({ files }: Found): number {
  return files.reduce((sum, { matches }) => matches.reduce((all, match) => all + sizeOf(match), sum), 0);
}
