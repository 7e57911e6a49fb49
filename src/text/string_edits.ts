/**
 * Text edits: each replaces the one place where its old text occurs in the result of the edits before it, or
 * the one nearest to a line, or all of them; all edits or none. Both texts are literal.
 *
 * Line breaks: old text without a CR treats every line break as an LF, so it matches a file with CRLF; its
 * new lines then get the endings of those it replaces, or of the line it is in. Old text that has a CR means
 * its line endings exactly, and so does its new text. A lone CR is not a line break, but a character.
 */

import { ambiguous, notFound } from "./edit_failures.ts";
import { EditedLines, type NumberedRange } from "./edited_lines.ts";
import { breaksIn, findPlaces, type LineRange, linesOf } from "./find_places.ts";
import { countBreaks, fold, type Folded } from "./folded.ts";
import { InsertedSpans } from "./inserted_spans.ts";
import { runAll } from "./steps.ts";
import { type Span, StagedText } from "./staged_text.ts";
import { checkEdits, StringEditError } from "./string_edit_error.ts";

export { type EditFailure, StringEditError } from "./string_edit_error.ts";

export interface StringEdit {
  readonly oldText: string;
  readonly newText: string;
  /** Replace every place, however many. */
  readonly replaceAll?: boolean;
  /** Replace the place nearest to this line of the original, from 1. */
  readonly nearLine?: number | undefined;
}

export interface EditedRange extends LineRange {
  readonly editIndex: number;
}

export interface StringEdited {
  readonly text: string;
  /** For each edit, the lines it replaced, as they were just before it. */
  readonly lineRanges: readonly EditedRange[];
  /** The lines that each edit made in the new text; if one edit has very many places, only the first. */
  readonly newRanges: readonly NumberedRange[];
  /** How many places were replaced. */
  readonly replaced: number;
}

export function applyStringEdits(text: string, edits: readonly StringEdit[]): StringEdited {
  return runAll(stringEditSteps(text, edits));
}

/** How many places one edit may replace, or choose from. */
const MOST_PLACES = 100_000;
/** For how many places of one edit the new lines are reported. */
const MOST_RANGES = 100;
/** The same in steps: thousands of edits, each searched for in megabytes, take a while. */
export function* stringEditSteps(text: string, edits: readonly StringEdit[]): Generator<void, StringEdited> {
  checkEdits(edits);
  const staged = yield* StagedText.inSteps(text, { edits: edits.length });
  const inserted = new InsertedSpans();
  const edited = new EditedLines();
  const lineRanges: EditedRange[] = [];
  let replaced = 0;
  for (const [editIndex, edit] of edits.entries()) {
    const spans = yield* spansOf(staged, edit, { editIndex, edited, original: text });
    const folded = fold(edit.newText);
    const isLiteral = edit.oldText.includes("\r");
    for (const [i, span] of [...spans.entries()].reverse()) { // from the end: earlier places do not move
      const lines = linesOf(staged, span);
      refuseOverlap(staged, span, { editIndex, inserted });
      if (i === 0) lineRanges.push({ editIndex, ...lines });
      const oldBreaks = countBreaks(staged.slice(span));
      staged.replace(span, isLiteral ? folded : withBreaksOf(staged, span, folded));
      if (spans.length === 1) inserted.record(editIndex, { span, length: folded.text.length });
      const newBreaks = folded.breaks.length;
      const made = { line: lines.start, oldBreaks, newBreaks, isEnded: folded.text.endsWith("\n") };
      edited.record(editIndex, made, i < MOST_RANGES);
      if (i % MOST_RANGES === 0) yield;
    }
    if (spans.length > 1) inserted.clear();
    replaced += spans.length;
  }
  return { text: staged.toString(), lineRanges, newRanges: edited.ranges, replaced };
}

interface Looking {
  readonly editIndex: number;
  readonly edited: EditedLines;
  readonly original: string;
}

/** What an edit replaces, in ascending order and without overlaps; throws unless that is clear. */
function* spansOf(staged: StagedText, edit: StringEdit, looking: Looking): Generator<void, Span[]> {
  const { oldText, replaceAll = false, nearLine } = edit;
  const { editIndex, original } = looking;
  const isChoosing = replaceAll || nearLine !== undefined;
  const places = yield* findPlaces(staged, oldText, isChoosing ? MOST_PLACES : undefined);
  if (places.count === 0) throw yield* notFound(staged, oldText, { editIndex, places, original });
  const { length } = fold(oldText).text;
  const spanAt = (start: number) => ({ start, end: start + length });
  if (places.count === 1) return places.offsets.slice(0, 1).map(spanAt);
  const isUsable = length > 0 && places.count <= MOST_PLACES;
  if (replaceAll && isUsable) return apart(places.offsets, length).map(spanAt);
  const at = nearLine !== undefined && isUsable
    ? yield* nearest(staged, places.offsets, looking.edited.now(nearLine))
    : undefined;
  if (at === undefined) throw ambiguous(staged, oldText, { editIndex, places });
  return [spanAt(at)];
}

/** As if replaced one by one from the start: drops those that begin within the one before. */
function apart(offsets: readonly number[], length: number): number[] {
  let free = 0;
  return offsets.filter((at) => {
    const isFree = at >= free;
    if (isFree) free = at + length;
    return isFree;
  });
}

/** How many places to compare between two pauses. */
const PLACES_A_STEP = 256;

/** Undefined where two are equally near. */
function* nearest(
  staged: StagedText,
  offsets: readonly number[],
  line: number,
): Generator<void, number | undefined> {
  let best: number | undefined;
  let least = Infinity;
  let isTied = false;
  for (const [i, at] of offsets.entries()) {
    if (i % PLACES_A_STEP === PLACES_A_STEP - 1) yield;
    const away = Math.abs(staged.countBreaks(at) + 1 - line);
    if (away < least) [best, least, isTied] = [at, away, false];
    else if (away === least) isTied = true;
  }
  return isTied ? undefined : best;
}

interface Overlapping {
  readonly editIndex: number;
  readonly inserted: InsertedSpans;
}

function refuseOverlap(staged: StagedText, span: Span, { editIndex, inserted }: Overlapping): void {
  const prior = inserted.conflict(span);
  if (prior === undefined) return;
  throw new StringEditError(-32012, `Edit ${editIndex} conflicts with edit ${prior.edit}`, {
    edit_index: editIndex,
    prior_index: prior.edit,
    lines: linesOf(staged, span),
    prior_lines: linesOf(staged, prior),
  }, { kind: "overlap", prior: prior.edit });
}

/** An LF becomes the same kind as the line break it replaces, by position, else as the last one. */
function withBreaksOf(staged: StagedText, span: Span, { text, breaks }: Folded): Folded {
  if (!breaks.includes("n")) return { text, breaks };
  const line = staged.countBreaks(span.start);
  const models = breaksIn(staged, span) || staged.breaks({ start: line, end: line + 1 }) ||
    staged.breaks({ start: line - 1, end: line });
  const last = models.at(-1) ?? "n";
  return { text, breaks: breaks.replace(/n/g, (_, i: number) => models[i] ?? last) };
}
