/**
 * Edits by text, in this surface's wording: for an edit that does not fit, the error says where it nearly does, and
 * for one that fits in several places, where. New text adopts the file's indentation if the old text shows that the
 * client has not seen it.
 */
import * as s from "../../tools/schema/mod.ts";
import { PaddockError } from "../../base/errors.ts";
import { quote } from "../../engine/fence.ts";
import { inSteps, Pace } from "../../engine/yield.ts";
import { editFailureText, type EditNames } from "../../text/edit_words.ts";
import { type Indentation, indentationOf, reindent } from "../../text/indentation.ts";
import { type StringEdit, StringEditError, stringEditSteps } from "../../text/string_edits.ts";
import { textArgument } from "../../tools/schemas.ts";

export const editsArgument = s.array(s.strictObject({
  oldText: s.string(),
  newText: textArgument,
  replaceAll: s.boolean().default(false),
  nearLine: s.int().min(1).optional(),
})).max(10_000);

const NAMES: EditNames = {
  oldText: "oldText",
  nearLine: "nearLine",
  replaceAll: "replaceAll",
  look: "fs_read_text_file or fs_grep",
  write: "fs_write_file",
};

export interface Editing {
  /** As it was given. */
  readonly path: string;
  /** What the list of edits is called; default: `edits`. */
  readonly list?: string;
  readonly signal?: AbortSignal | undefined;
}

export async function editText(
  text: string,
  edits: readonly StringEdit[],
  { path, list = "edits", signal }: Editing,
): Promise<string> {
  const style = indentationOf(text);
  const kept = style === undefined ? edits : edits.map((edit) => ({
    ...edit,
    newText: isIndented(edit.oldText) ? edit.newText : reindentRest(edit.newText, style),
  }));
  const pace = new Pace(signal);
  try {
    return (await inSteps(stringEditSteps(text, kept), pace)).text;
  } catch (error) {
    throw error instanceof StringEditError ? inWords(error, { path, list, edits }) : error;
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

interface Failed {
  readonly path: string;
  readonly list: string;
  readonly edits: readonly StringEdit[];
}

function inWords(error: StringEditError, { path, list, edits }: Failed): PaddockError {
  const { failure } = error;
  const index = Number(error.data?.edit_index);
  if (failure === undefined) return error;
  const subject = `${list}[${index}].oldText`;
  const oldText = edits[index]?.oldText ?? "";
  return new PaddockError(
    "INVALID_INPUT",
    editFailureText({ subject, path: quote(path), oldText, failure, names: NAMES }),
    {
      lines: true,
      data: { editIndex: index, ...detailsOf(error) },
      forLog: `${subject} does not fit`,
    },
  );
}

/** The same for programs. */
function detailsOf({ failure, data = {} }: StringEditError): Record<string, unknown> {
  switch (failure?.kind) {
    case "overlap":
      return { priorIndex: failure.prior };
    case "several":
      return { count: failure.count, lines: data.lines };
    case "missing": {
      const [near] = failure.nearest;
      return {
        nearestMatch: near === undefined ? null : {
          line: near.line,
          endLine: near.endLine,
          text: near.text,
          differs: near.differs,
        },
        linesCompared: data.lines_compared,
      };
    }
    default:
      return {};
  }
}
