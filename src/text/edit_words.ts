/**
 * What a model reads about an edit that cannot be applied: the file's own lines, where they are and how they
 * differ from those it gave, so that it can write the right edit from the message alone. What it gave is not
 * repeated.
 */

import type { Difference } from "./differences.ts";
import type { NearMatch } from "./nearest_match.ts";
import type { EditFailure } from "./string_edit_error.ts";

/** The surface's names for the arguments and tools that help a model along. */
export interface EditNames {
  readonly oldText: string;
  readonly nearLine: string;
  readonly replaceAll: string;
  /** Tools to look at a file, and to replace all of it. */
  readonly look: string;
  readonly write: string;
}

export const SNAKE_CASE_NAMES: EditNames = {
  oldText: "old_text",
  nearLine: "near_line",
  replaceAll: "replace_all",
  look: "read_file or grep",
  write: "write_file",
};

export interface FailedEdit {
  /** The name of the argument that does not match, such as `edits[0].old_text`. */
  readonly subject: string;
  readonly path: string;
  readonly oldText: string;
  readonly failure: EditFailure;
  readonly names?: EditNames;
}

export function editFailureText(
  { subject, path, oldText, failure, names = SNAKE_CASE_NAMES }: FailedEdit,
): string {
  switch (failure.kind) {
    case "empty":
      return `${subject} is empty; give text of ${path}, or use ${names.write} to replace all of it. ` +
        "Nothing was changed.";
    case "overlap":
      return `${subject} overlaps what edits[${failure.prior}] put into ${path}; combine the two into one edit. ` +
        "Nothing was changed.";
    case "several": {
      const { count, lines } = failure;
      const more = count > lines.length ? `\nand ${count - lines.length} more` : "";
      return `${subject} occurs ${count} times in ${path}:\n${
        lines.map(({ line, text }) => `${line}:${text}`).join("\n")
      }${more}\nNothing was changed. Add ${names.nearLine} with the number of the line meant, or ${names.replaceAll}: ` +
        "true, or give more of the text around it.";
    }
    case "missing":
      return missingText({ subject, path, oldText, names }, failure);
  }
}

/**
 * The nearest matches of a text that is not there, each with the file's own lines; undefined when there are
 * none.
 */
export function nearestText(nearest: readonly NearMatch[], given: string): string | undefined {
  if (nearest.length === 0) return undefined;
  return `The nearest match is ${nearest.map((match) => placeText(match, given)).join("\nor ")}`;
}

function missingText(
  { subject, path, oldText, names }: Required<Omit<FailedEdit, "failure">>,
  { nearest, wasThere }: EditFailure & { kind: "missing" },
): string {
  const missing = wasThere
    ? `${subject} is no longer in ${path}: an earlier edit in this call changed it`
    : `${subject} is not in ${path}`;
  const places = nearestText(nearest, oldText);
  if (places === undefined) {
    return `${missing}; nothing similar was found. Nothing was changed. Look with ${names.look}.`;
  }
  return `${missing}. ${places}\n` +
    `Nothing was changed. Give ${names.oldText} exactly as one of these.`;
}

function placeText(match: NearMatch, oldText: string): string {
  const { line, endLine, text, isCut } = match;
  const where = line === endLine ? `line ${line}` : `lines ${line}-${endLine}`;
  const cut = isCut ? ", cut short" : "";
  const fence = fenceFor(text);
  return `${where} (${differenceText(match, oldText)})${cut}:\n${fence}\n${text}\n${fence}`;
}

/** Longer than any run of backticks in the text. */
function fenceFor(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  return "`".repeat(longest + 1);
}

function differenceText({ differs, text }: NearMatch, oldText: string): string {
  const words = differs.map((difference) => WORDS[difference]({ given: oldText, here: text }));
  return words.length === 0 ? "different only at its ends" : words.join("; ");
}

interface Both {
  readonly given: string;
  readonly here: string;
}

const WORDS: Record<Difference, (both: Both) => string> = {
  line_endings: ({ given, here }) => `${endingsOf(here)} here, ${endingsOf(given)} given`,
  indentation: (both) => indentationText(both) ?? "different indentation",
  whitespace: () => "different whitespace or line breaks",
  quotes: () => "different quotation marks",
  case: () => "different upper and lower case",
  text: () => "different words",
};

function endingsOf(text: string): string {
  if (text.includes("\r\n")) return "CRLF";
  return text.includes("\r") ? "CR" : text.includes("\n") ? "LF" : "no line break";
}

/** Based on the first line whose indentation differs. */
function indentationText({ given, here }: Both): string | undefined {
  const [a, b] = [given.split("\n"), here.split("\n")];
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [wanted, there] = [indentOf(a[i] ?? ""), indentOf(b[i] ?? "")];
    if (wanted === there) continue;
    const [ours, theirs] = [indentWords(there), indentWords(wanted)];
    return ours === theirs ? undefined : `${ours} here, ${theirs} given`;
  }
  return undefined;
}

function indentOf(line: string): string {
  return /^[^\S\r]*/.exec(line)?.[0] ?? "";
}

function indentWords(indent: string): string {
  if (indent === "") return "not indented";
  const count = (what: string) => `${indent.length} ${what}${indent.length === 1 ? "" : "s"}`;
  if (/^\t+$/.test(indent)) return count("tab");
  return /^ +$/.test(indent) ? count("space") : "tabs and spaces";
}
