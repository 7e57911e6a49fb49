/**
 * Edits by text in this surface's words: an edit that does not fit is told where it nearly does, and one that
 * fits in several places, which. New text takes over the file's way of indenting, where its old text shows that
 * the client has not seen it.
 */
import { PaddockError } from "../../base/errors.ts";
import { inSteps, Pace } from "../../engine/yield.ts";
import { type Indentation, indentationOf, reindent } from "../../text/indentation.ts";
import { type StringEdit, StringEditError, stringEditSteps } from "../../text/string_edits.ts";

export async function editText(
  text: string,
  edits: readonly StringEdit[],
  signal?: AbortSignal,
): Promise<string> {
  const style = indentationOf(text);
  const kept = style === undefined ? edits : edits.map(({ oldText, newText }) => ({
    oldText,
    newText: isIndented(oldText) ? newText : reindentRest(newText, style),
  }));
  const pace = new Pace(signal);
  try {
    return (await inSteps(stringEditSteps(text, kept), pace)).text;
  } catch (error) {
    throw error instanceof StringEditError ? inWords(error) : error;
  }
}

/** The first line may begin in the middle of one; those after it begin where lines begin. */
function reindentRest(text: string, style: Indentation): string {
  const rest = text.indexOf("\n") + 1;
  return rest === 0 ? text : text.slice(0, rest) + reindent(text.slice(rest), style);
}

function isIndented(text: string): boolean {
  return /(?<![^\n])[\t ]+\S/.test(text);
}

interface EditFailure {
  edit_index: number;
  nearest_match?: { line: number; end_line: number; text: string; differs: string[] } | null;
  lines_compared?: number;
  changed_by_earlier_edit?: boolean;
  count?: number;
  lines?: number[] | { start: number; end: number };
  prior_index?: number;
}

const WHAT_TO_DO = "copy oldText from what fs_read_text_file returns, without line numbers";

function inWords(error: StringEditError): PaddockError {
  const data = error.data as unknown as EditFailure;
  const subject = `edits[${data.edit_index}].oldText`;
  const fail = (message: string, details: Record<string, unknown>) =>
    new PaddockError("INVALID_INPUT", message, { data: { editIndex: data.edit_index, ...details } });
  if (data.prior_index !== undefined) {
    return fail(
      `${subject} overlaps what edits[${data.prior_index}] put in; merge the two edits into one`,
      { priorIndex: data.prior_index },
    );
  }
  if (Array.isArray(data.lines)) {
    const shown = data.lines.slice(0, 20);
    const more = (data.count ?? 0) > shown.length ? ", …" : "";
    return fail(
      `${subject} was found ${data.count} times, at lines ${shown.join(", ")}${more}; ` +
        "add lines around it until it is there only once",
      { count: data.count, lines: data.lines },
    );
  }
  const near = data.nearest_match ?? undefined;
  const compared = data.lines_compared ?? 0;
  const place = near === undefined
    ? "nothing like it is there"
    : `the nearest place is ${placeOf(near)}, which differs in ${near.differs.join(", ")}`;
  const earlier = data.changed_by_earlier_edit ? "; an edit before it in this call changed it" : "";
  return fail(`${subject} was not found; ${place} (${compared} lines compared)${earlier}; ${WHAT_TO_DO}`, {
    nearestMatch: near === undefined ? null : {
      line: near.line,
      endLine: near.end_line,
      text: near.text,
      differs: near.differs,
    },
    linesCompared: compared,
  });
}

function placeOf({ line, end_line }: { line: number; end_line: number }): string {
  return line === end_line ? `line ${line}` : `lines ${line} to ${end_line}`;
}
