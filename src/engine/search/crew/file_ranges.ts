/**
 * A large file, divided among workers. Each range of it is a piece of work of its own; the results are given on in
 * the order of the file, with the numbers its lines have in the whole.
 */
import { type BatchResult } from "./batch.ts";

/** A file that is to be looked through in ranges. */
export interface LargeFile {
  /** Which one it is: a file that has come into its place since is another. */
  readonly dev: number;
  readonly ino: number;
  /** How large it was; it may have grown since. */
  readonly size: number;
}

/** The lines of a file that begin from `from` to before `to`. */
export interface FileRange {
  readonly file: LargeFile;
  readonly from: number;
  readonly to: number;
}

/** How files are divided. */
export interface Division {
  /** Smaller files are not worth it. */
  readonly above: number;
  readonly rangeBytes: number;
}

export const DIVISION: Division = { above: 16 * 1024 * 1024, rangeBytes: 8 * 1024 * 1024 };

export interface InRangesOptions {
  /** Looks through one range; undefined when nobody waits for it any more. */
  look: (range: FileRange) => Promise<BatchResult | undefined>;
  /** Takes the next result. */
  put: (result: BatchResult) => void;
  /** Settles when another range may be begun; false when there is no use in it. */
  mayGoOn: () => Promise<boolean>;
  /** How many ranges are looked through at the same time. */
  atOnce: number;
  rangeBytes: number;
}

/** Settles when all results are given on that change anything. */
export async function lookInRanges(file: LargeFile, options: InRangesOptions): Promise<void> {
  const { look, mayGoOn, atOnce, rangeBytes } = options;
  const underWay: Promise<BatchResult | undefined>[] = [];
  const putNext = inOrder(options.put);
  for (let from = 0; from < file.size; from += rangeBytes) {
    if (!await mayGoOn()) break;
    const to = from + rangeBytes < file.size ? from + rangeBytes : Infinity;
    const work = look({ file, from, to });
    work.catch(() => {}); // it is awaited below, unless there is no use in it
    underWay.push(work);
    if (underWay.length >= atOnce && !putNext(await underWay.shift())) return;
  }
  for (const work of underWay) if (!putNext(await work)) return;
}

/** Gives on one result after the other; tells whether the next one is wanted. */
function inOrder(put: (result: BatchResult) => void): (result: BatchResult | undefined) => boolean {
  let lines = 0;
  return (result) => {
    if (result === undefined) return false;
    for (const { matches } of result.files) for (const match of matches) match.line_number += lines;
    put(result);
    if (result.lines === undefined) return false; // the file has gone, or is another by now
    lines += result.lines;
    return !result.timedOut;
  };
}
