/**
 * Expands braces in a pattern as minimatch does, nearly as shells do: `{a,b}`, `{1..3}`, also nested. Braces without
 * a comma are literal, and so is what follows them, unless it has a comma in front of a brace.
 */

/** How many patterns one may expand to. */
const MOST = 1_000;
const MOST_DEPTH = 20;
/** How many braces may follow one another; those that stand for one text each multiply nothing. */
const MOST_GROUPS = 100;

/** Undefined when there are too many. Braces left in the results are literal. */
export function expandBraces(pattern: string, { depth = 0, before = 0 } = {}): string[] | undefined {
  const group = depth > MOST_DEPTH ? undefined : firstGroup(pattern);
  if (group === undefined) return [pattern];
  if (group.options.length > MOST || before >= MOST_GROUPS) return undefined;
  const rests = expandBraces(pattern.slice(group.end), { depth, before: before + 1 });
  if (rests === undefined) return undefined;
  const results: string[] = [];
  for (const option of group.options) {
    const inner = expandBraces(option, { depth: depth + 1 });
    if (inner === undefined) return undefined;
    for (const middle of inner) {
      for (const rest of rests) {
        if (results.length >= MOST) return undefined;
        results.push(pattern.slice(0, group.start) + middle + rest);
      }
    }
  }
  return results;
}

interface Group {
  start: number;
  /** After the closing brace. */
  end: number;
  options: readonly string[];
}

/** The first braces that stand for several alternatives. */
function firstGroup(pattern: string): Group | undefined {
  for (const { start, end, commas } of bracesIn(pattern)) {
    const edges = [start, ...commas, end - 1];
    const options = commas.length === 0
      ? numbersIn(pattern.slice(start + 1, end - 1))
      : edges.slice(1).map((edge, at) => pattern.slice((edges[at] ?? 0) + 1, edge));
    if (options !== undefined) return { start, end, options };
    if (endsExpansion(pattern, { start, end })) return undefined;
  }
  return undefined;
}

function endsExpansion(pattern: string, { start, end }: Pick<Group, "start" | "end">): boolean {
  const comma = pattern.indexOf(",", start);
  return comma < 0 || (comma >= end && pattern.lastIndexOf("}") < comma);
}

interface Braces extends Pick<Group, "start" | "end"> {
  /** Those that are in no braces inside. */
  readonly commas: number[];
}

/** All pairs, in the order in which they open. */
function bracesIn(pattern: string): Braces[] {
  const open: Braces[] = [];
  const closed: Braces[] = [];
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i];
    if (char === "\\") i++;
    else if (char === "{") open.push({ start: i, end: i, commas: [] });
    else if (char === ",") open.at(-1)?.commas.push(i);
    else if (char === "}") {
      const braces = open.pop();
      if (braces !== undefined) closed.push({ ...braces, end: i + 1 });
    }
  }
  return closed.sort((a, b) => a.start - b.start);
}

/**
 * `1..3`, also descending and with leading zeros, and letters; at most one more than the limit. Undefined for
 * anything else.
 */
function numbersIn(body: string): string[] | undefined {
  const [, from = "", to = ""] = /^(-?\d{1,9}|[a-zA-Z])\.\.(-?\d{1,9}|[a-zA-Z])$/.exec(body) ?? [];
  const isLetters = /[a-zA-Z]/.test(from);
  if (from === "" || isLetters !== /[a-zA-Z]/.test(to)) return undefined;
  const [first, last] = isLetters ? [from.charCodeAt(0), to.charCodeAt(0)] : [Number(from), Number(to)];
  const count = Math.min(Math.abs(last - first) + 1, MOST + 1);
  const width = [from, to].some((end) => /^-?0\d/.test(end)) ? Math.max(from.length, to.length) : 0;
  return Array.from({ length: count }, (_, i) => {
    const value = first + Math.sign(last - first) * i;
    if (isLetters) return String.fromCharCode(value);
    return value < 0 ? `-${String(-value).padStart(width - 1, "0")}` : String(value).padStart(width, "0");
  });
}
