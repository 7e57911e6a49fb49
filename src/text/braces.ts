/**
 * Expands braces in a pattern as minimatch does, nearly as shells do: `{a,b}`, `{1..3}`, also nested. Braces without
 * a comma are literal, and so is what follows them, unless it has a comma in front of a brace.
 */

/** How many patterns one may expand to. */
const MOST = 1_000;
const MOST_DEPTH = 20;

/** Undefined when there are too many. Braces left in the results are literal. */
export function expandBraces(pattern: string, depth = 0): string[] | undefined {
  const group = depth > MOST_DEPTH ? undefined : firstGroup(pattern);
  if (group === undefined) return [pattern];
  if (group.options.length > MOST) return undefined;
  const rests = expandBraces(pattern.slice(group.end), depth);
  if (rests === undefined) return undefined;
  const results: string[] = [];
  for (const option of group.options) {
    const inner = expandBraces(option, depth + 1);
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

interface Braces {
  start: number;
  /** After the closing one. */
  end: number;
  /** Undefined if they are literal. */
  options: readonly string[] | undefined;
}

interface Group extends Braces {
  options: readonly string[];
}

/** The first braces that stand for several alternatives. */
function firstGroup(pattern: string): Group | undefined {
  for (let start = 0; start < pattern.length; start++) {
    if (pattern[start] === "\\") start++;
    else if (pattern[start] === "{") {
      const group = groupAt(pattern, start);
      if (group?.options !== undefined) return { ...group, options: group.options };
      if (group !== undefined && endsExpansion(pattern, group)) return undefined;
    }
  }
  return undefined;
}

function endsExpansion(pattern: string, { start, end }: Braces): boolean {
  return !pattern.slice(start, end).includes(",") && !/,(?!,).*\}/.test(pattern.slice(end));
}

function groupAt(pattern: string, start: number): Braces | undefined {
  const commas: number[] = [];
  let depth = 0;
  for (let i = start; i < pattern.length; i++) {
    const char = pattern[i];
    if (char === "\\") i++;
    else if (char === "{") depth++;
    else if (char === "," && depth === 1) commas.push(i);
    else if (char === "}" && --depth === 0) {
      const body = pattern.slice(start + 1, i);
      const edges = [start, ...commas, i];
      const options = commas.length === 0
        ? numbersIn(body)
        : edges.slice(1).map((edge, at) => pattern.slice((edges[at] ?? 0) + 1, edge));
      return { start, end: i + 1, options };
    }
  }
  return undefined;
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
