/**
 * Text edits as users of the official filesystem server know them: where the old text is not in the file
 * exactly, it matches lines that differ only in whitespace at their ends, and these keep their indentation.
 * Each edit sees the result of those before it. CRLF and LF are the same to an edit, and the file keeps its
 * own.
 *
 * Text that matches several places is refused, and so is empty text.
 */
import { PIECE } from "./steps.ts";
import { type EditFailure, StringEditError } from "./string_edit_error.ts";
import { stringEditSteps } from "./string_edits.ts";

export interface FlexibleEdit {
  readonly oldText: string;
  readonly newText: string;
}

/** An edit that cannot be applied, by its number. */
export class FlexibleEditError extends Error {
  readonly index: number;
  readonly failure: EditFailure;

  constructor(index: number, failure: EditFailure) {
    super(`edit ${index} cannot be applied: ${failure.kind}`);
    this.name = "FlexibleEditError";
    this.index = index;
    this.failure = failure;
  }
}

/** The text with all edits made, in steps. Throws a FlexibleEditError. */
export function* flexibleEditSteps(text: string, edits: readonly FlexibleEdit[]): Generator<void, string> {
  let made = text;
  for (const [index, { oldText, newText }] of edits.entries()) {
    if (oldText === "") throw new FlexibleEditError(index, { kind: "empty" });
    const edit = { oldText: withLf(oldText), newText: withLf(newText) };
    try {
      made = (yield* stringEditSteps(made, [edit])).text;
    } catch (error) {
      if (!(error instanceof StringEditError) || error.failure === undefined) throw error;
      const { failure } = error;
      const flexible = failure.kind === "missing" ? yield* byLines(made, edit) : undefined;
      if (flexible === undefined) throw new FlexibleEditError(index, failure);
      if (typeof flexible !== "string") throw new FlexibleEditError(index, flexible);
      made = flexible;
    }
  }
  return made;
}

export function withLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** How many places a failure lists. */
const MOST_LINES = 10;
const LONGEST_LINE = 200;

/** Undefined when there are no such lines, a failure when there are several. */
function* byLines(
  text: string,
  { oldText, newText }: FlexibleEdit,
): Generator<void, string | EditFailure | undefined> {
  const old = oldText.split("\n");
  const wanted = old.map((line) => line.trim());
  const lines = text.split("\n"); // with the CR of a CRLF at their ends
  yield;
  const starts: number[] = [];
  const trimmed: string[] = [];
  for (const [i, line] of lines.entries()) {
    trimmed.push(line.trim());
    if (i % PIECE === PIECE - 1) yield;
  }
  let sincePause = 0;
  for (let i = 0; i + wanted.length <= trimmed.length; i++) {
    let same = 0;
    while (same < wanted.length && wanted[same] === trimmed[i + same]) same++;
    if (same === wanted.length) starts.push(i);
    // By comparisons, not by lines: in repetitive text each line may take as many as there are wanted lines.
    if ((sincePause += same + 1) < PIECE) continue;
    sincePause = 0;
    yield;
  }
  const [start] = starts;
  if (start === undefined) return undefined;
  if (starts.length > 1) {
    const listed = starts.slice(0, MOST_LINES)
      .map((at) => ({ line: at + 1, text: (lines[at] ?? "").replace(/\r$/, "").slice(0, LONGEST_LINE) }));
    return { kind: "several", count: starts.length, lines: listed };
  }
  const placed = replacement(newText, { old, indent: /^\s*/.exec(lines[start] ?? "")?.[0] ?? "" });
  const range = { start, count: old.length };
  lines.splice(start, old.length, ...withEndingsOf(placed, lines, range));
  return lines.join("\n");
}

interface Indented {
  readonly old: readonly string[];
  /** The indentation of the first replaced line. */
  readonly indent: string;
}

/** The new lines: the first gets the file's indentation, the others keep theirs relative to the old lines. */
function replacement(newText: string, { old, indent }: Indented): string[] {
  return newText.split("\n").map((line, j) => {
    if (j === 0) return indent + line.trimStart();
    const before = /^\s*/.exec(old[j] ?? "")?.[0] ?? "";
    const after = /^\s*/.exec(line)?.[0] ?? "";
    if (before === "" || after === "") return line;
    return indent + " ".repeat(Math.max(0, after.length - before.length)) + line.trimStart();
  });
}

/** Each new line gets the ending of the line it replaces, the last that of the last. */
function withEndingsOf(
  placed: readonly string[],
  lines: readonly string[],
  { start, count }: { start: number; count: number },
): string[] {
  const endsInCr = (index: number) => lines[index]?.endsWith("\r") ?? false;
  return placed.map((line, j) => {
    if (j === placed.length - 1) return endsInCr(start + count - 1) ? `${line}\r` : line;
    const replaced = start + Math.min(j, count - 1);
    const model = replaced < lines.length - 1 ? replaced : Math.max(0, replaced - 1); // the last has no line break
    return endsInCr(model) ? `${line}\r` : line;
  });
}
