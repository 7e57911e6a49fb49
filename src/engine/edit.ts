/** Editing text: read, decide the new text, write, under one lock. Text is UTF-8, strictly. */
import { PaddockError } from "../base/errors.ts";
import { quote } from "../confine/path_rules.ts";
import { type ConfinedPath } from "../confine/resolve_path.ts";
import { humanSize } from "../text/human_size.ts";
import { decodeUtf8, encodeUtf8 } from "../text/utf8.ts";
import { type Changing } from "./changing.ts";
import { readAll } from "./read.ts";
import { type Updated, updateFile } from "./update_file.ts";

export interface EditOptions {
  /** Largest text, before and after. */
  maxBytes: number;
  changing: Changing;
  /** The surface's own words, where it has them. */
  tooLarge?: (size: number) => PaddockError;
  notText?: () => PaddockError;
}

/** Makes the new text from the one that is there; "" for a file that is not. May be called more than once. */
export type TextEdit = (text: string, exists: boolean) => string;

export function editText(path: ConfinedPath, edit: TextEdit, options: EditOptions): Promise<Updated> {
  const { maxBytes, changing } = options;
  const refuseSize = (size: number) => options.tooLarge?.(size) ?? tooLarge(path, size, maxBytes);
  return updateFile(path, async (current) => {
    if (current !== undefined && current.size > maxBytes) throw refuseSize(current.size);
    const text = current === undefined ? "" : decodeUtf8(await readAll(current, changing.signal));
    if (text === undefined) throw options.notText?.() ?? notText(path);
    const bytes = encodeUtf8(edit(text, current !== undefined));
    if (bytes.length > maxBytes) throw refuseSize(bytes.length);
    return bytes;
  }, changing);
}

function notText(path: ConfinedPath): PaddockError {
  return new PaddockError(
    "UNSUPPORTED",
    `not a UTF-8 text file, so it cannot be edited: ${quote(path.given)}`,
  );
}

function tooLarge(path: ConfinedPath, size: number, limit: number): PaddockError {
  return new PaddockError(
    "TOO_LARGE",
    `file too large to edit (size: ${humanSize(size)}, limit: ${humanSize(limit)}): ${quote(path.given)}`,
    { data: { size, limit } },
  );
}
