/** The contents of compared files: from the history, or from the disk if they are in no commit. */
import { Pace } from "../../yield.ts";
import type { Disk } from "../files/disk.ts";
import { fromBytes } from "../objects/byte_names.ts";
import type { ObjectStore } from "../objects/object_store.ts";
import { MODE_REPOSITORY } from "../objects/objects.ts";
import { MAX_TEXT } from "./commit_diff.ts";
import type { ContentOf } from "./rename_pairs.ts";
import { type Difference, lookAt, MAX_KEPT_IN_ALL, type Seen } from "./tree_diff.ts";

const NONE: ReadonlyMap<string, Seen> = new Map();

/** `found` are files on disk, by the object names that their contents would have. */
export function contentsIn(store: ObjectStore, found = NONE): ContentOf {
  return ({ before, after }, side) => {
    const oid = side === "before" ? before?.oid : after?.oid;
    if (oid === undefined) return new Uint8Array();
    const now = found.get(oid);
    if (now?.isLarge === true) return undefined;
    const size = now?.bytes?.length ?? store.size(oid);
    return size > MAX_TEXT ? undefined : now?.bytes ?? store.blob(oid);
  };
}

/** What is on disk before the changes and in no commit, as far as memory allows. */
export async function unrecorded(
  changes: readonly Difference[],
  { store, disk, signal }: { store: ObjectStore; disk: Disk; signal: AbortSignal | undefined },
): Promise<ReadonlyMap<string, Seen>> {
  const [found, pace] = [new Map<string, Seen>(), new Pace(signal)];
  let left = MAX_KEPT_IN_ALL;
  for (const { name, before } of changes) {
    await pace.step();
    if (before === undefined || before.mode === MODE_REPOSITORY || store.has(before.oid)) continue;
    const now = await lookAt(disk, fromBytes(name));
    if (now?.entry.oid !== before.oid) continue;
    const size = now.bytes?.length ?? 0;
    const isLarge = size > left;
    if (!isLarge) left -= size;
    found.set(before.oid, { ...now, bytes: isLarge ? undefined : now.bytes, isLarge });
  }
  return found;
}
