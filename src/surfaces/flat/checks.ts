/**
 * Checks arguments, with the wording that the flat surface's errors must have. `base` is how the caller counts
 * lines: from 0 over MCP, from 1 over REST and bare JSON-RPC.
 */
import { PaddockError } from "../../base/errors.ts";
import type { LineEdit } from "../../text/line_edits.ts";
import { checkFileName } from "./names.ts";
import type { Range } from "./folder.ts";

export type Base = 0 | 1;

export const MAX_EDITS = 1_000;

export interface ReadArguments {
  name: string;
  range: Range;
}

export interface EditArguments {
  name: string;
  /** Their lines are as the caller counts. */
  edits: LineEdit[];
  append: string | undefined;
  createIfMissing: boolean | undefined;
}

export function checkList(given: unknown): Record<string, never> {
  checkKeys(asObject(given), []);
  return {};
}

export function checkRead(given: unknown, base: Base): ReadArguments {
  const args = asObject(given);
  checkKeys(args, ["name", "start_line", "end_line"]);
  const name = checkFileName(args.name);
  const start = checkLine(args.start_line, base);
  const end = checkLine(clamped(args.end_line), base);
  if (start !== undefined && end !== undefined && start > end) {
    throw invalid(`Invalid line range: start ${start} > end ${end}`);
  }
  return { name, range: { start, end, base } };
}

export function checkEdit(given: unknown, base: Base): EditArguments {
  const args = asObject(given);
  checkKeys(args, ["name", "edits", "append", "create_if_missing"]);
  const name = checkFileName(args.name);
  const { edits = [], append, create_if_missing: createIfMissing } = args;
  if (!Array.isArray(edits)) throw invalid("edits must be a list");
  if (edits.length > MAX_EDITS) {
    throw invalid(`Too many edits: ${edits.length}; at most ${MAX_EDITS} in one call`);
  }
  if (append !== undefined) checkText(append, "append");
  if (args.edits !== undefined && edits.length === 0 && (append ?? "") === "") {
    throw invalid("edits is empty: there is nothing to do; give at least one edit, or text to append");
  }
  if (createIfMissing !== undefined && typeof createIfMissing !== "boolean") {
    throw invalid("create_if_missing must be true or false");
  }
  return {
    name,
    edits: edits.map((edit) => checkLineEdit(edit, base)),
    append: append as string | undefined,
    createIfMissing,
  };
}

function checkLineEdit(given: unknown, base: Base): LineEdit {
  const edit = asObject(given, "an edit");
  checkKeys(edit, ["line", "operation", "content"]);
  const { operation, content } = edit;
  const line = checkLine(edit.line, base);
  if (line === undefined) throw invalid("every edit needs a line");
  if (operation !== "replace" && operation !== "insert" && operation !== "delete") {
    const shown = typeof operation === "string" ? operation : String(JSON.stringify(operation));
    throw invalid(`Invalid edit operation: ${shown.slice(0, 100)}`);
  }
  if (operation === "delete") {
    if (content !== undefined && content !== null) throw invalid("Delete operation cannot specify content");
    return { line, operation };
  }
  if (content === undefined || content === null) {
    throw invalid(`${operation === "replace" ? "Replace" : "Insert"} operation must specify content`);
  }
  return { line, operation, content: checkText(content, "content") };
}

/** No file has so many lines; larger numbers in JSON are no longer exact. */
function clamped(line: unknown): unknown {
  return typeof line === "number" && line > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : line;
}

/** A line as the caller counts; undefined if none was given. */
function checkLine(given: unknown, base: Base): number | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given !== "number" || !Number.isSafeInteger(given) || given < base) {
    throw invalid(`Line numbers must be ${base === 0 ? "non-negative" : "positive"} integers`);
  }
  return given;
}

function checkText(given: unknown, what: string): string {
  if (typeof given !== "string") throw invalid(`${what} must be a string`);
  if (!given.isWellFormed()) throw invalid(`${what} holds a lone surrogate and cannot be written as UTF-8`);
  return given;
}

function asObject(given: unknown, what = "arguments"): Record<string, unknown> {
  const value = given ?? {};
  if (typeof value !== "object" || Array.isArray(value)) throw invalid(`${what} must be an object`);
  return value as Record<string, unknown>;
}

function checkKeys(args: Record<string, unknown>, known: readonly string[]): void {
  for (const key of Object.keys(args)) {
    if (known.includes(key)) continue;
    const names = known.length === 0 ? "there are none" : `known: ${known.join(", ")}`;
    throw invalid(`Unknown argument ${JSON.stringify(key.slice(0, 100))}; ${names}`);
  }
}

function invalid(message: string): PaddockError {
  return new PaddockError("INVALID_INPUT", message);
}
