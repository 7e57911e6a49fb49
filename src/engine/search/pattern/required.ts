/**
 * What every match of a pattern must contain: rows of byte sets, of which at least one is in every matching line.
 * Computed from the parts up. What would take too many rows is left out, which is never wrong: more lines are then
 * examined than necessary.
 */
import { type Node, partsOf, type Series } from "./ast.ts";
import { type ByteRow, edgeOf, likelihood, spellings } from "../bytes/byte_sets.ts";

const MAX_ROWS = 16;
/** As many rows as a choice between words may have. */
const MAX_CHOICES = 64;
/** No row is longer. */
export const MAX_LENGTH = 32;
/** How many parts of a series are weighed: a pattern can have tens of thousands. */
const MAX_WEIGHED = 200;

/** How many nodes are visited and rows made: about ten milliseconds of work. The rest of the pattern is ignored. */
const MAX_WORK = 10_000;
/** How many alternative ways to find a match are kept. */
const MAX_WAYS = 3;

/** Rows of which every matching line contains one. */
export interface Required {
  readonly rows: readonly ByteRow[];
  /** Whether a line that contains one also matches. */
  readonly isExact: boolean;
}

/** Different things that every match contains, the least likely in ordinary text first; none if there are none. */
export function requiredBy(node: Node): Required[] {
  const needs = needsOf(node, { left: MAX_WORK });
  const ways = ranked([needs.all, needs.inside, needs.first, needs.last, ...needs.weighed ?? []]);
  const isExact = (rows: readonly ByteRow[]) => rows === needs.all && !hasAssertion(node);
  const exact = ways.find(isExact);
  const chosen = exact === undefined ? ways.slice(0, MAX_WAYS) : [exact];
  return chosen.map((rows) => ({ rows, isExact: isExact(rows) }));
}

/** How likely a place in ordinary text begins one of the rows. */
function likelihoodOf(rows: readonly ByteRow[]): number {
  return rows.reduce((sum, row) => sum + row.reduce((product, set) => product * likelihood(set), 1), 0);
}

interface Needs {
  /** All that a match can be, if that is few. */
  readonly all: readonly ByteRow[] | undefined;
  /** One of these begins, and one of those ends, every match; an empty row when nothing is known. */
  readonly first: readonly ByteRow[];
  readonly last: readonly ByteRow[];
  /** One of these is somewhere in every match. */
  readonly inside: readonly ByteRow[] | undefined;
  /** And so is one of each of these, where several parts are usable. */
  readonly weighed?: readonly (readonly ByteRow[] | undefined)[];
}

const NOTHING: readonly ByteRow[] = [[]];
const UNKNOWN: Needs = { all: undefined, first: NOTHING, last: NOTHING, inside: undefined };

interface Work {
  left: number;
}

function needsOf(node: Node, work: Work): Needs {
  if (--work.left < 0) return UNKNOWN;
  switch (node.kind) {
    case "empty":
    case "assertion":
      return { all: NOTHING, first: NOTHING, last: NOTHING, inside: undefined };
    case "rune": {
      const all = spellings(node.ranges);
      if (all?.length === 0) return UNKNOWN;
      if (all !== undefined) return { all, first: all, last: all, inside: undefined };
      const edge = [[edgeOf(node.ranges)]];
      return { all: undefined, first: edge, last: edge, inside: edge };
    }
    case "group":
      return needsOf(node.part, work);
    case "repeat":
      return needsOfRepeat(node, work);
    case "alternate":
      return needsOfChoice(node, work);
    case "concat":
      return needsOfRow(node, work);
  }
}

function needsOfRepeat({ part, min, max }: Node & { kind: "repeat" }, work: Work): Needs {
  if (min === 0) return UNKNOWN;
  const needs = needsOf(part, work);
  if (needs.all === undefined) return needs;
  let rows: readonly ByteRow[] = needs.all;
  let times = 1;
  for (; times < min; times++) {
    const longer = joined(rows, needs.all, work);
    if (longer === undefined) break;
    rows = longer;
  }
  return { all: times === max ? rows : undefined, first: rows, last: rows, inside: undefined };
}

function needsOfChoice(node: Series, work: Work): Needs {
  const parts = partsOf(node);
  if (parts.length > MAX_WEIGHED) return UNKNOWN;
  const choices = parts.map((part) => needsOf(part, work));
  const gather = (pick: (needs: Needs) => readonly ByteRow[] | undefined, limit = MAX_ROWS) => {
    const rows: ByteRow[] = [];
    for (const needs of choices) {
      const more = pick(needs);
      if (more === undefined || rows.length + more.length > limit) return undefined;
      rows.push(...more);
    }
    return rows;
  };
  return {
    all: gather(({ all }) => all),
    first: gather(({ first }) => first) ?? NOTHING,
    last: gather(({ last }) => last) ?? NOTHING,
    inside: gather(({ all, inside, first, last }) => best([all, inside, first, last]), MAX_CHOICES),
  };
}

function needsOfRow(node: Series, work: Work): Needs {
  const weighed: (readonly ByteRow[] | undefined)[] = [];
  let first: readonly ByteRow[] | undefined;
  let run: readonly ByteRow[] = NOTHING; // what the parts since the last gap are, one after the other
  for (const part of partsOf(node)) {
    const needs = needsOf(part, work);
    const longer = joined(run, needs.all ?? needs.first, work);
    if (needs.all !== undefined && longer !== undefined) {
      run = longer;
      continue;
    }
    first ??= longer ?? run;
    weighed.push(longer ?? run, needs.inside);
    run = needs.all ?? needs.last;
    if (weighed.length > MAX_WEIGHED) break;
  }
  const wasCut = weighed.length > MAX_WEIGHED;
  if (!wasCut) weighed.push(run);
  return first === undefined
    ? { all: run, first: run, last: run, inside: undefined }
    : { all: undefined, first, last: wasCut ? NOTHING : run, inside: best(weighed), weighed };
}

/** Each of the first followed by each of the second; undefined if those are too many. */
function joined(
  heads: readonly ByteRow[],
  tails: readonly ByteRow[],
  work: Work,
): ByteRow[] | undefined {
  if (heads.length * tails.length > MAX_ROWS) return undefined;
  work.left -= heads.length * tails.length;
  const rows = heads.flatMap((head) => tails.map((tail) => [...head, ...tail]));
  return rows.some((row) => row.length > MAX_LENGTH) ? undefined : rows;
}

function best(choices: readonly (readonly ByteRow[] | undefined)[]): readonly ByteRow[] | undefined {
  return ranked(choices)[0];
}

/** The least likely first, each once; those with an empty row, which occurs everywhere, do not count. */
function ranked(choices: readonly (readonly ByteRow[] | undefined)[]): (readonly ByteRow[])[] {
  const known = new Map<readonly ByteRow[], number>();
  for (const rows of choices) {
    if (rows === undefined || known.has(rows) || rows.some((row) => row.length === 0)) continue;
    known.set(rows, likelihoodOf(rows));
  }
  return [...known].sort(([, a], [, b]) => a - b).map(([rows]) => rows);
}

function hasAssertion(node: Node): boolean {
  switch (node.kind) {
    case "assertion":
      return true;
    case "group":
    case "repeat":
      return hasAssertion(node.part);
    case "concat":
    case "alternate":
      return partsOf(node).some(hasAssertion);
    default:
      return false;
  }
}
