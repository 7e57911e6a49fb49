/**
 * A text edit that cannot be applied: why, and what helps to fix it. Messages and codes are those of
 * multi_edit_text_file; surfaces with other wording build it from `failure`.
 */

import { breaksIn, findPlaces, linesOf, type Places } from "./find_places.ts";
import { fold, unfold } from "./folded.ts";
import { countLfLines } from "./lf_lines.ts";
import { nearestMatchesSteps, type NearestSeveral, showMatch } from "./nearest_match.ts";
import { type Span, StagedText } from "./staged_text.ts";
import { type EditFailure, StringEditError } from "./string_edit_error.ts";

/** How many places and nearest matches a failure lists. */
const MOST_LINES = 10;
const MOST_NEAREST = 3;
const LONGEST_LINE = 200;

export interface Failure {
  readonly editIndex: number;
  readonly places: Places;
}

export function ambiguous(
  staged: StagedText,
  oldText: string,
  { editIndex, places }: Failure,
): StringEditError {
  const { count, offsets } = places;
  const listed = offsets.slice(0, MOST_LINES).map((at) => ({
    line: staged.countBreaks(at) + 1,
    text: lineAt(staged, at),
  }));
  const failure: EditFailure = oldText === "" ? { kind: "empty" } : { kind: "several", count, lines: listed };
  return new StringEditError(-32011, `Edit ${editIndex}: String appears ${count} times: ${oldText}`, {
    edit_index: editIndex,
    count,
    lines: offsets.slice(0, 100).map((at) => staged.countBreaks(at) + 1),
    ...(oldText === "" ? { hint: "the text to replace is empty" } : {}),
  }, failure);
}

/** The line around an offset, as far as there is room for it. */
function lineAt(staged: StagedText, at: number): string {
  const before = staged.slice({ start: Math.max(0, at - LONGEST_LINE), end: at });
  const after = staged.slice({ start: at, end: at + LONGEST_LINE });
  return before.slice(before.lastIndexOf("\n") + 1) + after.slice(0, `${after}\n`.indexOf("\n"));
}

export function* notFound(
  staged: StagedText,
  oldText: string,
  { editIndex, places, original }: Failure & { readonly original: string },
): Generator<void, StringEditError> {
  const old = fold(oldText).text;
  const at = places.otherBreaks;
  const { matches, linesCompared } = at === undefined
    ? yield* nearestMatchesSteps(staged.toFolded(), old, MOST_NEAREST)
    : otherEndingsAt(staged, { start: at, end: at + old.length });
  const wasThere = editIndex > 0 &&
    (yield* findPlaces(yield* StagedText.inSteps(original, { edits: 1 }), oldText)).count > 0;
  const [match] = matches;
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
  }, { kind: "missing", nearest: matches, wasThere });
}

function otherEndingsAt(staged: StagedText, span: Span): NearestSeveral {
  const { start, end } = linesOf(staged, span);
  const text = unfold({ text: staged.slice(span), breaks: breaksIn(staged, span) });
  return {
    matches: [showMatch(text, { line: start, endLine: end, differs: ["line_endings"] })],
    linesCompared: countLfLines(staged.toFolded()),
  };
}
