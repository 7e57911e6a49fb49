/**
 * Which of several prefilters is used for the text at hand. What is rare in ordinary text may be in every line of
 * a log: so each is judged by how useful it was, another gets a trial where one disappoints, and where none is
 * of any use every line is run, for a while.
 */
import type { Prefilter } from "./prefilter.ts";

/** A false place costs as much as running this many bytes. */
const BYTES_PER_PLACE = 24;
/** The same for a place that the kernel itself has passed over. */
const BYTES_PER_PASSED = 4;
/** How many bytes are searched before a prefilter is judged. */
const TRIAL_BYTES = 64 * 1024;
/** What share of the bytes may be run after all: up to the first it is good, beyond the second it is useless. */
const GOOD_SHARE = 0.02;
const USEFUL_SHARE = 0.5;
/** How much is run without any before they get another trial: more each time they fail. */
const FIRST_PENALTY = 512 * 1024;
const LAST_PENALTY = 64 * 1024 * 1024;

export class PrefilterChoice {
  readonly #prefilters: readonly Prefilter[];
  /** What share each let through; NaN before its trial. */
  readonly #shares: number[];
  #index = 0;
  #unfiltered = 0;
  #penalty = FIRST_PENALTY;
  #seen = 0;
  #run = 0;

  /** The most promising one first. */
  constructor(prefilters: readonly Prefilter[]) {
    this.#prefilters = prefilters;
    this.#shares = prefilters.map(() => NaN);
  }

  /** The one that was chosen last, for text that does not count in the judgement. */
  get current(): Prefilter | undefined {
    return this.#prefilters[this.#index];
  }

  /** The prefilter for the next bytes; undefined if they are to be run. */
  choose(bytes: number): Prefilter | undefined {
    if (this.#prefilters.length === 0) return undefined;
    if (this.#unfiltered > 0) {
      this.#unfiltered -= bytes;
      return undefined;
    }
    if (this.#seen >= TRIAL_BYTES && !this.#judge()) return undefined;
    this.#seen += bytes;
    return this.current;
  }

  /** This many bytes were run after all. */
  ran(bytes: number): void {
    this.#run += bytes;
  }

  /** A place turned out to be false. */
  missed(): void {
    this.#run += BYTES_PER_PLACE;
  }

  /** The kernel itself has ruled out this many places. */
  passed(places: number): void {
    this.#run += places * BYTES_PER_PASSED;
  }

  /** Whether any of them is still worth using. */
  #judge(): boolean {
    const share = this.#run / this.#seen;
    this.#seen = this.#run = 0;
    this.#shares[this.#index] = share;
    if (share <= GOOD_SHARE) {
      this.#penalty = FIRST_PENALTY;
      return true;
    }
    const untried = this.#shares.findIndex(Number.isNaN);
    const least = Math.min(...this.#shares);
    this.#index = untried >= 0 ? untried : this.#shares.indexOf(least);
    if (untried >= 0 || least <= USEFUL_SHARE) return true;
    this.#unfiltered = this.#penalty;
    this.#penalty = Math.min(this.#penalty * 2, LAST_PENALTY);
    this.#shares.fill(NaN);
    this.#index = 0;
    return false;
  }
}
