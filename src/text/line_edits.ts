/**
 * Edits by line number, all or none. A line number refers to the file before the call. Only the places that
 * change are cut out of the text, so the cost is one pass, whatever the number of edits.
 *
 * Endings: an untouched line keeps its own, the last line of a replacement takes that of the line it
 * replaces, every other new line gets the file's usual one. A file without a final newline gets none, unless
 * what is left at its end is an old line that had one, or is empty (which without one is not a line).
 */

import { PaddockError } from "../base/errors.ts";
import {
  type Block,
  glue,
  LineCursor,
  newBlock,
  replacement,
  splitBlock,
  withEnding,
} from "./line_blocks.ts";
import { countLines, detectEnding, type Ending, hasFinalNewline, stripBom } from "./lines.ts";

export interface LineEdit {
  /** A line of the original file, counted from `base`. */
  readonly line: number;
  /** "replace", "insert" (before the line) or "delete"; anything else is refused. */
  readonly operation: string;
  /** One line or several; a newline at its end does not start another line. */
  readonly content?: string | undefined;
}

export interface LineEdits {
  readonly edits?: readonly LineEdit[] | undefined;
  /** Lines after the last one, the final newline as given; "" changes nothing. */
  readonly append?: string | undefined;
  /** The caller's number for the first line, here and in messages. */
  readonly base?: 0 | 1;
}

export interface LineEdited {
  readonly text: string;
  /** Lines inserted, by any operation, plus lines deleted. */
  readonly linesModified: number;
  readonly totalLines: number;
}

export function applyLineEdits(text: string, { edits = [], append = "", base = 0 }: LineEdits): LineEdited {
  const checked = edits.map((edit, index) => checkEdit(edit, { index, base }));
  const { bom, body } = stripBom(text);
  const file = readFile(body, [...checked.map(({ content }) => content), append]);

  const blocks = insertPastEnd(editInside(file, checked), checked, file);
  const parts = blocks.map((block) => block.text);
  if (append !== "") parts.push(file.hasBreak ? withEnding(append, file.ending) : append);
  else if (file.isUnended && !endsInOldEnding(blocks, checked, file)) dropLastEnding(parts);

  const appended = countLines(append);
  const added = sumLines(blocks.filter(({ isOld }) => !isOld));
  const deleted = checked.filter(({ operation }) => operation === "delete").length;
  return {
    text: bom + glue(parts),
    linesModified: added + deleted + appended,
    totalLines: sumLines(blocks) + appended,
  };
}

interface CheckedEdit {
  /** From 0. */
  readonly line: number;
  readonly operation: "replace" | "insert" | "delete";
  /** "" for a deletion. */
  readonly content: string;
  readonly refuse: (message: string) => PaddockError;
  /** The number as the caller gave it. */
  readonly givenLine: number;
}

function checkEdit(
  { line, operation, content }: LineEdit,
  { index, base }: { index: number; base: number },
): CheckedEdit {
  const refuse = (message: string) =>
    new PaddockError("INVALID_INPUT", message, { data: { edit_index: index } });
  if (!Number.isSafeInteger(line) || line < base) {
    throw refuse(`Line numbers must be ${base === 0 ? "non-negative" : "positive"} integers`);
  }
  if (operation !== "replace" && operation !== "insert" && operation !== "delete") {
    throw refuse(`Invalid edit operation: ${operation}`);
  }
  if (operation === "delete" && content !== undefined) {
    throw refuse("Delete operation cannot specify content");
  }
  if (operation !== "delete" && content === undefined) {
    throw refuse(`${operation === "replace" ? "Replace" : "Insert"} operation must specify content`);
  }
  return { line: line - base, operation, content: content ?? "", refuse, givenLine: line };
}

function outOfRange({ refuse, givenLine, operation }: CheckedEdit): PaddockError {
  return refuse(`Line ${givenLine} out of range for ${operation} operation`);
}

interface OldFile {
  /** With an ending on every line. */
  readonly text: string;
  readonly lines: number;
  /** For new lines. */
  readonly ending: Ending;
  readonly hasBreak: boolean;
  /** The last line has no ending of its own. */
  readonly isUnended: boolean;
}

/** A file without any line break adopts the ending of what is inserted. */
function readFile(body: string, given: readonly string[]): OldFile {
  const hasBreak = /[\r\n]/.test(body);
  const ending = detectEnding(hasBreak ? body : given.join(" "));
  const isUnended = body !== "" && !hasFinalNewline(body);
  const text = isUnended ? body + ending : body;
  return { text, lines: countLines(text), ending, hasBreak, isUnended };
}

/** The edits at lines of the original. An insertion goes before what another edit does to its line. */
function editInside({ text, lines, ending }: OldFile, edits: readonly CheckedEdit[]): Block[] {
  const lost = edits.find(({ operation, line }) => operation !== "insert" && line >= lines);
  if (lost !== undefined) throw outOfRange(lost);
  const blocks: Block[] = [];
  const cursor = new LineCursor(text);
  const keepTo = (line: number) => {
    const count = line - cursor.line;
    if (count > 0) blocks.push({ text: cursor.take(line), lines: count, isOld: true });
  };
  const rank = ({ operation }: CheckedEdit) => operation === "insert" ? 0 : 1;
  const inside = edits.filter(({ line }) => line <= lines);
  for (const edit of inside.toSorted((a, b) => a.line - b.line || rank(a) - rank(b))) {
    if (edit.line < cursor.line) {
      throw edit.refuse(`Line ${edit.givenLine} is replaced or deleted by more than one edit`);
    }
    keepTo(edit.line);
    if (edit.operation === "insert") blocks.push(newBlock(edit.content, ending));
    else {
      const old = cursor.take(edit.line + 1);
      const ownEnding = old.slice(old.search(/[\r\n]/));
      if (edit.operation === "replace") blocks.push(...replacement(edit.content, ending, ownEnding));
    }
  }
  keepTo(lines);
  return blocks;
}

/**
 * Then come insertions past the original end, in ascending order, each at a line of the result of those
 * before it. The blocks still ahead form a stack, and each insertion is pushed onto it, because the next
 * insertion may fall inside it. For the same reason insertions at one line are processed from last to first.
 */
function insertPastEnd(blocks: readonly Block[], edits: readonly CheckedEdit[], file: OldFile): Block[] {
  const past = edits.filter(({ operation, line }) => operation === "insert" && line > file.lines);
  const passed: Block[] = [];
  const ahead = blocks.toReversed();
  let line = 0;
  for (const edit of past.toReversed().sort((a, b) => a.line - b.line)) {
    while (line < edit.line) {
      const block = ahead.pop();
      if (block === undefined) throw outOfRange(edit);
      const [head, tail] = splitBlock(block, edit.line - line);
      passed.push(head);
      line += head.lines;
      if (tail !== undefined) ahead.push(tail);
    }
    ahead.push(newBlock(edit.content, file.ending));
  }
  return passed.concat(ahead.reverse());
}

/** Whether the last line is an old one that was not the last, and so has its own ending. */
function endsInOldEnding(blocks: readonly Block[], edits: readonly CheckedEdit[], file: OldFile): boolean {
  const isLastGone = edits.some(({ operation, line }) => operation !== "insert" && line === file.lines - 1);
  return isLastGone && blocks.at(-1)?.isOld === true;
}

function dropLastEnding(parts: string[]): void {
  const last = parts.pop() ?? "";
  const length = /[^\r\n](\r\n?|\n)$/.exec(last.slice(-3))?.[1]?.length ?? 0;
  parts.push(last.slice(0, last.length - length));
}

function sumLines(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { lines }) => sum + lines, 0);
}
