/** The bytes of a recorded state, wherever they are: in the store, its trash, or still in the root. */
import { PaddockError } from "../../base/errors.ts";
import { ConfinedFile } from "../../confine/confined_fs.ts";
import type { ConfinedPath } from "../../confine/resolve_path.ts";
import { bytesOf } from "./before.ts";
import { hashOf } from "./contents.ts";
import type { State } from "./state.ts";
import type { UndoStore } from "./store.ts";

/** Undefined if they are no longer available, or more than `most`. */
export async function storedBytes(
  store: UndoStore,
  state: State,
  { path, most }: { path: string; most: number },
): Promise<Uint8Array | undefined> {
  if (state.kind !== "file" || state.size > most) return undefined;
  const { hash, kept } = state;
  const found = hash === undefined ? undefined : store.contents.get(hash);
  if (found !== undefined) return found;
  const isKept = kept !== undefined && store.trash.has(kept);
  const bytes = isKept ? await readAtMost(store.trash.at(kept), most) : undefined;
  if (bytes !== undefined && (hash === undefined || hashOf(bytes) === hash)) return bytes;
  return hash === undefined ? undefined : await bytesInRoot(store, { path, hash, most });
}

/** What is at a path of the root, if it has this hash. */
export async function bytesInRoot(
  store: UndoStore,
  { path, hash, most }: { path: string; hash: string | undefined; most: number },
): Promise<Uint8Array | undefined> {
  try {
    const bytes = await readAtMost(store.at(path), most);
    return bytes !== undefined && hashOf(bytes) === hash ? bytes : undefined;
  } catch (error) {
    if (error instanceof PaddockError) return undefined;
    throw error;
  }
}

async function readAtMost(path: ConfinedPath, most: number): Promise<Uint8Array | undefined> {
  try {
    using file = await ConfinedFile.open(path);
    return file.size > most ? undefined : bytesOf(file);
  } catch (error) {
    if (error instanceof PaddockError) return undefined;
    throw error;
  }
}
