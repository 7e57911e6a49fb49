/** The format of packs, for reading and writing them. */
import type { ObjectType } from "./objects.ts";

/** The kinds of entries that hold a whole object; the others are deltas. */
export const TYPES: Readonly<Record<number, ObjectType>> = { 1: "commit", 2: "tree", 3: "blob", 4: "tag" };

export const PACK_HEADER = 12;
export const CHECKSUM = 20;
/** The index: signature and version, then how many names begin with each byte, then the names. */
export const INDEX_MARK = 0xff744f63;
export const FANOUT = 8;
export const NAMES = FANOUT + 256 * 4;

/** An index's entry for an object. */
export interface IndexedEntry {
  readonly oid: string;
  /** Of the bytes in the pack. */
  readonly crc: number;
  /** Where they begin. */
  readonly at: number;
}

/** Where git keeps its packs; a pack is named without its two extensions. */
export const PACKS = "objects/pack";
export const PACK_FILE = /^(pack-[0-9a-f]{40})\.(pack|idx)$/;
