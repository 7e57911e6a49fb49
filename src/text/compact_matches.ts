/** Search results as a model reads them: a path, then `line:text`, with `-` for context lines. */

export interface MatchedLine {
  readonly file: string;
  readonly line_number: number;
  readonly line_content: string;
  readonly context_before: readonly string[];
  readonly context_after: readonly string[];
  readonly cut?: boolean | undefined;
  readonly column?: number | undefined;
}

/** How many matches to process between two pauses. */
const PIECE = 2_048;

/** Context lines that overlap or touch appear once; a gap within a file gets a line of its own. In steps. */
export function* compactMatches(matches: readonly MatchedLine[]): Generator<void, string> {
  const files = new Map<string, Map<number, string>>();
  for (const [i, match] of matches.entries()) {
    if (i % PIECE === PIECE - 1) yield;
    const lines = files.get(match.file) ?? new Map<number, string>();
    files.set(match.file, lines);
    const { line_number: at, context_before: before, context_after: after } = match;
    for (const [i, text] of before.entries()) addContext(lines, at - before.length + i, `-${text}`);
    for (const [i, text] of after.entries()) addContext(lines, at + 1 + i, `-${text}`);
    const place = match.cut && match.column !== undefined ? ` [column ${match.column}]` : "";
    lines.set(at, `:${match.line_content}${match.cut ? `…${place}` : ""}`);
  }
  const hasContext = matches.some(({ context_before, context_after }) =>
    context_before.length + context_after.length > 0
  );
  const parts: string[] = [];
  let sincePause = 0;
  for (const [file, lines] of files) {
    parts.push(`${shownName(file)}\n${linesText(lines, hasContext)}`);
    if ((sincePause += lines.size) < PIECE) continue;
    sincePause = 0;
    yield;
  }
  return parts.join("\n");
}

/** A matching line stays a match even if it is also context of another. */
function addContext(lines: Map<number, string>, number: number, text: string): void {
  if (!lines.has(number)) lines.set(number, text);
}

function linesText(lines: ReadonlyMap<number, string>, hasContext: boolean): string {
  const sorted = [...lines].sort(([a], [b]) => a - b);
  return sorted.map(([number, text], i) => {
    const before = sorted[i - 1]?.[0];
    const isGap = hasContext && before !== undefined && before < number - 1;
    return `${isGap ? "--\n" : ""}${number}${text}`;
  }).join("\n");
}

/** Quotes names that would break the format. */
export function shownName(name: string): string {
  // deno-lint-ignore no-control-regex -- they are what this looks for
  return /[\u0000-\u001f\u007f"]|^\s|\s$/.test(name) ? JSON.stringify(name) : name;
}
