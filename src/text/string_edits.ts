/**
 * Edits by text: each replaces the one place where its old text stands in what the edits before it made, all
 * of them or none. Both texts are literal.
 *
 * Line breaks: old text without a CR takes every line break for an LF, so that it fits a file with CRLF; its
 * new lines then get the endings of those it replaces, or of the line it stands in. Old text that has a CR
 * means the endings it has, and so does its new text. A lone CR is no line break, but a character.
 */

import { PaddockError } from "../base/errors.ts";
import { breaksIn, findPlaces, type Places } from "./find_places.ts";
import { fold, type Folded, unfold } from "./folded.ts";
import { InsertedSpans } from "./inserted_spans.ts";
import { countLfLines } from "./lf_lines.ts";
import { type Nearest, nearestMatchSteps, showMatch } from "./nearest_match.ts";
import { runAll } from "./steps.ts";
import { type Span, StagedText } from "./staged_text.ts";

export interface StringEdit {
  readonly oldText: string;
  readonly newText: string;
}

/** Lines from 1, both included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

export interface EditedRange extends LineRange {
  readonly editIndex: number;
}

export interface StringEdited {
  readonly text: string;
  /** For each edit the lines of what it replaced, as they were just before it. */
  readonly lineRanges: readonly EditedRange[];
}

/** Message and `rpcCode` are those of multi_edit_text_file; `data` says what helps to mend the edit. */
export class StringEditError extends PaddockError {
  readonly rpcCode: number;

  constructor(rpcCode: number, message: string, data: Record<string, unknown> = {}) {
    super("INVALID_INPUT", message, { data, lines: true });
    this.rpcCode = rpcCode;
  }
}

/** What can be said of edits before any text is looked at. */
export function checkEdits(edits: readonly unknown[]): void {
  if (edits.length === 0) throw new StringEditError(-32600, "Edits array cannot be empty");
}

export function applyStringEdits(text: string, edits: readonly StringEdit[]): StringEdited {
  return runAll(stringEditSteps(text, edits));
}

/** The same in steps: thousands of edits, each looked for in megabytes, take a while. */
export function* stringEditSteps(text: string, edits: readonly StringEdit[]): Generator<void, StringEdited> {
  checkEdits(edits);
  const staged = yield* StagedText.inSteps(text);
  const inserted = new InsertedSpans();
  const lineRanges: EditedRange[] = [];
  for (const [editIndex, { oldText, newText }] of edits.entries()) {
    const places = yield* findPlaces(staged, oldText);
    if (places.count === 0) throw yield* notFound(staged, oldText, { editIndex, places, original: text });
    if (places.count > 1) throw ambiguous(staged, oldText, { editIndex, places });
    const start = places.offsets[0] ?? 0;
    const span = { start, end: start + fold(oldText).text.length };
    const lines = linesOf(staged, span);
    const prior = inserted.conflict(span);
    if (prior !== undefined) {
      throw new StringEditError(-32012, `Edit ${editIndex} conflicts with edit ${prior.edit}`, {
        edit_index: editIndex,
        prior_index: prior.edit,
        lines,
        prior_lines: linesOf(staged, prior),
      });
    }
    const folded = fold(newText);
    staged.replace(span, oldText.includes("\r") ? folded : withBreaksOf(staged, span, folded));
    inserted.record(editIndex, { span, length: folded.text.length });
    lineRanges.push({ editIndex, ...lines });
    yield;
  }
  return { text: staged.toString(), lineRanges };
}

function linesOf(staged: StagedText, { start, end }: Span): LineRange {
  const last = Math.max(start, end - 1);
  return { start: staged.countBreaks(start) + 1, end: staged.countBreaks(last) + 1 };
}

/** An LF becomes what the line break of the same number was, else what the last was. */
function withBreaksOf(staged: StagedText, span: Span, { text, breaks }: Folded): Folded {
  if (!breaks.includes("n")) return { text, breaks };
  const line = staged.countBreaks(span.start);
  const models = breaksIn(staged, span) || staged.breaks({ start: line, end: line + 1 }) ||
    staged.breaks({ start: line - 1, end: line });
  const last = models.at(-1) ?? "n";
  return { text, breaks: breaks.replace(/n/g, (_, i: number) => models[i] ?? last) };
}

interface Failure {
  readonly editIndex: number;
  readonly places: Places;
}

function ambiguous(staged: StagedText, oldText: string, { editIndex, places }: Failure): StringEditError {
  const { count, offsets } = places;
  return new StringEditError(-32011, `Edit ${editIndex}: String appears ${count} times: ${oldText}`, {
    edit_index: editIndex,
    count,
    lines: offsets.map((at) => staged.countBreaks(at) + 1),
    ...(oldText === "" ? { hint: "the text to replace is empty" } : {}),
  });
}

function* notFound(
  staged: StagedText,
  oldText: string,
  { editIndex, places, original }: Failure & { readonly original: string },
): Generator<void, StringEditError> {
  const old = fold(oldText).text;
  const at = places.otherBreaks;
  const { match, linesCompared } = at === undefined
    ? yield* nearestMatchSteps(staged.toFolded(), old)
    : otherEndingsAt(staged, { start: at, end: at + old.length });
  const wasThere = editIndex > 0 &&
    (yield* findPlaces(yield* StagedText.inSteps(original), oldText)).count > 0;
  return new StringEditError(-32010, `Edit ${editIndex}: String not found: ${oldText}`, {
    edit_index: editIndex,
    nearest_match: match === undefined ? null : {
      line: match.line,
      end_line: match.endLine,
      text: match.text,
      cut: match.isCut,
      differs: match.differs,
    },
    lines_compared: linesCompared,
    changed_by_earlier_edit: wasThere,
  });
}

function otherEndingsAt(staged: StagedText, span: Span): Nearest {
  const { start, end } = linesOf(staged, span);
  const text = unfold({ text: staged.slice(span), breaks: breaksIn(staged, span) });
  return {
    match: showMatch(text, { line: start, endLine: end, differs: ["line_endings"] }),
    linesCompared: countLfLines(staged.toFolded()),
  };
}
