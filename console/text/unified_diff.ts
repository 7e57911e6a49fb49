/** Splits a unified diff into hunks of numbered lines. */

export type LineKind = "same" | "added" | "removed";

export interface DiffLine {
  readonly kind: LineKind;
  readonly text: string;
  /** Its line number before and after; null where it does not exist. */
  readonly before: number | null;
  readonly after: number | null;
  /** Whether the file ends here without a newline. */
  readonly noNewline: boolean;
}

export interface Hunk {
  /** What git writes after the second `@@`, if anything. */
  readonly heading: string;
  readonly lines: readonly DiffLine[];
  /** How many lines before it are not shown; null if unknown. */
  readonly skipped: number;
}

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/;
const KINDS: Readonly<Record<string, LineKind>> = { " ": "same", "+": "added", "-": "removed" };

/** All other lines, such as file names, are left out. */
export function parseDiff(diff: string): Hunk[] {
  const hunks: { heading: string; lines: DiffLine[]; skipped: number }[] = [];
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  let before = 0;
  let after = 0;
  for (const line of lines) {
    const header = HEADER.exec(line);
    if (header !== null) {
      const start = Number(header[1]) + (header[2] === "0" ? 1 : 0);
      hunks.push({
        heading: (header[5] ?? "").trim(),
        lines: [],
        skipped: Math.max(0, start - Math.max(before, 1)),
      });
      before = start;
      after = Number(header[3]) + (header[4] === "0" ? 1 : 0);
      continue;
    }
    const hunk = hunks.at(-1);
    if (hunk === undefined) continue;
    if (line.startsWith("\\")) {
      const last = hunk.lines.pop();
      if (last !== undefined) hunk.lines.push({ ...last, noNewline: true });
      continue;
    }
    const kind = line === "" ? "same" : KINDS[line.charAt(0)];
    if (kind === undefined) continue;
    hunk.lines.push({
      kind,
      text: line.slice(1),
      before: kind === "added" ? null : before++,
      after: kind === "removed" ? null : after++,
      noNewline: false,
    });
  }
  return hunks;
}

/** The lines of one hunk side by side: removed lines next to the lines that replaced them. */
export interface Pair {
  readonly left: DiffLine | null;
  readonly right: DiffLine | null;
}

export function pairsOf(lines: readonly DiffLine[]): Pair[] {
  const pairs: Pair[] = [];
  for (const { same, removed, added } of blocksOf(lines)) {
    for (const line of same) pairs.push({ left: line, right: line });
    for (let i = 0; i < Math.max(removed.length, added.length); i++) {
      pairs.push({ left: removed[i] ?? null, right: added[i] ?? null });
    }
  }
  return pairs;
}

interface Block {
  readonly same: DiffLine[];
  readonly removed: DiffLine[];
  readonly added: DiffLine[];
}

/** Runs of lines: unchanged ones, then removed ones, then added ones. */
function blocksOf(lines: readonly DiffLine[]): Block[] {
  const blocks: Block[] = [];
  let last: LineKind = "added";
  for (const line of lines) {
    const begins = line.kind === "same" ? last !== "same" : line.kind === "removed" && last === "added";
    let block = blocks.at(-1);
    if (block === undefined || begins) blocks.push(block = { same: [], removed: [], added: [] });
    block[line.kind].push(line);
    last = line.kind;
  }
  return blocks;
}
