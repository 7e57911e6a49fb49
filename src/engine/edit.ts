/** Edits text: read, decide the new text, write, under one lock. Text is UTF-8, strictly. */
import { PaddockError } from "../base/errors.ts";
import type { ConfinedFile } from "../confine/confined_fs.ts";
import { quote } from "../confine/path_rules.ts";
import type { ConfinedPath } from "../confine/resolve_path.ts";
import { sizeAndLimit } from "../text/human_size.ts";
import { decodeUtf8, encodeUtf8, looksBinary } from "../text/utf8.ts";
import type { Changing } from "./changing.ts";
import { checkExpectedHash } from "./expected_hash.ts";
import { sha256 } from "./hash.ts";
import { fromSettled } from "./open_settled.ts";
import { readAll } from "./read.ts";
import { type Updated, updateFile } from "./update_file.ts";

export interface EditOptions {
  /** The largest text allowed, before and after. */
  maxBytes: number;
  changing: Changing;
  /** The sha256 of the only content that may be changed. */
  expectedHash?: string | undefined;
  /** Whether a NUL near the start means that it is not text, as it does for reading. */
  refuseBinary?: boolean;
  /** The surface's own wording, if it has one. */
  tooLarge?: (size: number) => PaddockError;
  notText?: () => PaddockError;
}

export interface Edited extends Updated {
  /** The sha256 of the whole file. */
  hash: string;
  /** What it was; nothing if there was no file. */
  before: Uint8Array;
}

/** Makes the new text from the existing one; "" for a missing file. May be called more than once. */
export type TextEdit = (text: string, exists: boolean) => string | Promise<string>;

export async function editText(path: ConfinedPath, edit: TextEdit, options: EditOptions): Promise<Edited> {
  const { changing } = options;
  let made = { before: NOTHING, after: NOTHING };
  const updated = await updateFile(path, async (current) => {
    made = await editOpenFile(path, edit, { ...options, current, signal: changing.signal });
    return made.after;
  }, changing);
  return { ...updated, hash: await sha256(made.after), before: made.before };
}

/** What an edit would make of a file's text; nothing is written. */
export async function planEdit(
  path: ConfinedPath,
  edit: TextEdit,
  { signal, ...options }: Omit<EditOptions, "changing"> & { signal: AbortSignal | undefined },
): Promise<{ before: Uint8Array; after: Uint8Array }> {
  const plan = (current: ConfinedFile) => editOpenFile(path, edit, { ...options, current, signal });
  return await fromSettled(path, plan, signal);
}

export interface OpenEditOptions extends Omit<EditOptions, "changing"> {
  /** The file as it is; undefined if there is none. */
  current: ConfinedFile | undefined;
  signal: AbortSignal | undefined;
}

/**
 * The content of an open file, and what an edit makes of it, for callers that write in another way or not at all.
 */
export async function editOpenFile(
  path: ConfinedPath,
  edit: TextEdit,
  options: OpenEditOptions,
): Promise<{ before: Uint8Array; after: Uint8Array }> {
  const { current, signal, maxBytes, expectedHash } = options;
  if (current !== undefined && current.size > maxBytes) {
    throw options.tooLarge?.(current.size) ?? tooLarge(path.given, current.size, maxBytes);
  }
  const before = current === undefined ? NOTHING : await readAll(current, signal);
  await checkExpectedHash(path, { expectedHash, current, bytes: before });
  const after = await editBytes(before, (text) => edit(text, current !== undefined), {
    ...options,
    given: path.given,
  });
  return { before, after };
}

export type BytesEditOptions =
  & Pick<EditOptions, "maxBytes" | "refuseBinary" | "tooLarge" | "notText">
  & { given: string };

/** What an edit makes of some content, wherever that comes from. */
export async function editBytes(
  before: Uint8Array,
  edit: (text: string) => string | Promise<string>,
  { given, maxBytes, refuseBinary = false, ...words }: BytesEditOptions,
): Promise<Uint8Array> {
  const refuseSize = (size: number) => words.tooLarge?.(size) ?? tooLarge(given, size, maxBytes);
  if (before.length > maxBytes) throw refuseSize(before.length);
  const text = refuseBinary && looksBinary(before) ? undefined : decodeUtf8(before);
  if (text === undefined) throw words.notText?.() ?? notText(given);
  const after = encodeUtf8(await edit(text));
  if (after.length > maxBytes) throw refuseSize(after.length);
  return after;
}

const NOTHING: Uint8Array = new Uint8Array();

function notText(given: string): PaddockError {
  return new PaddockError("UNSUPPORTED", `not a UTF-8 text file, so it cannot be edited: ${quote(given)}`);
}

export function tooLarge(given: string, size: number, limit: number): PaddockError {
  return new PaddockError(
    "TOO_LARGE",
    `file too large to edit (${sizeAndLimit(size, limit)}): ${quote(given)}`,
    { data: { size, limit } },
  );
}
