/**
 * Keeps what is about to be replaced or removed. Small contents go into the database; a large file gets a second
 * name in the trash, which takes no time, or is copied there if the store is on another file system.
 */
import type { ConfinedFile } from "../../confine/confined_fs.ts";
import { hashOpenFile, sha256 } from "../hash.ts";
import { knownContent, LARGEST_CONTENT, packContent, type Packed } from "./contents.ts";
import type { FileState } from "./state.ts";
import type { UndoStore } from "./store.ts";

/** A larger file is kept without a hash: reading all of it would take longer than the change. */
const LARGEST_HASHED = 64 * 1024 * 1024;

export interface Kept {
  readonly state: FileState;
  /** To be stored in the database along with the record. */
  readonly contents: readonly Packed[];
  /** How many bytes had to be copied. */
  readonly copied: number;
}

/** Undefined if it would take more copying than allowed. */
export async function keepFile(
  store: UndoStore,
  file: ConfinedFile,
  { allowed, name }: { allowed: number; name?: string },
): Promise<Kept | undefined> {
  if (file.size <= LARGEST_CONTENT) {
    if (file.size > allowed) return undefined;
    const bytes = bytesOf(file);
    const hash = await sha256(bytes);
    const state: FileState = { ...stateOf(file), size: bytes.length, hash };
    if (store.contents.has(hash)) return { state, contents: [knownContent(bytes, hash)], copied: 0 };
    return { state, contents: [await packContent(bytes, hash)], copied: bytes.length };
  }
  file.readAt(new Uint8Array(1), 0); // from here on a save by somebody else matters
  const hash = file.size > LARGEST_HASHED
    ? {}
    : { hash: (await hashOpenFile(file, { algorithm: "sha256" })).hash };
  const kept = name ?? store.trash.newName();
  const state: FileState = { ...stateOf(file), ...hash, kept };
  if (file.isUnchanged() && file.isInPlace() && await store.trash.link(file.path, kept)) {
    file.lookAgain(); // a second name counts as a change of the file
    return { state, contents: [], copied: 0 };
  }
  if (file.size > allowed) return undefined;
  await store.trash.copy(file, kept);
  return { state, contents: [], copied: file.size };
}

export function stateOf(file: ConfinedFile): Omit<FileState, "hash" | "kept"> {
  return { kind: "file", mode: file.mode, ...file.owner, size: file.size };
}

export function bytesOf(file: ConfinedFile): Uint8Array {
  const held = file.held();
  if (held !== undefined) return held;
  const bytes = new Uint8Array(file.size + 1);
  let length = 0;
  for (;;) {
    const read = file.readAt(bytes.subarray(length), length);
    length += read;
    if (read === 0 || length === bytes.length) return bytes.subarray(0, length);
  }
}
