/**
 * Contents of files by hash, in the database, deflated where that helps. A file that was appended to is not stored
 * whole each time: its content can be computed from what is stored and the parts that were added and cut (see
 * Splice).
 */
import { createHash } from "node:crypto";
import { deflateRaw, deflateRawSync, inflateRawSync } from "node:zlib";
import type { Database, Row } from "./database.ts";

/** Larger contents are kept as files, and not merged. */
export const LARGEST_CONTENT = 1024 * 1024;
/** Up to this, deflating takes less than a millisecond. */
const AT_ONCE = 32 * 1024;
const LEAST = 64;
/** How many splices to follow to compute a content. */
const FARTHEST = 20_000;

export interface Packed {
  readonly hash: string;
  readonly size: number;
  readonly packed: boolean;
  readonly data: Uint8Array;
  /** It is stored only if it was dropped since somebody looked: see `knownContent`. */
  readonly isKnown?: boolean;
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** A content in its stored form; made before the transaction that stores it. */
export async function packContent(bytes: Uint8Array, hash: string = hashOf(bytes)): Promise<Packed> {
  const packed = packNow(bytes, hash);
  return bytes.length <= AT_ONCE ? packed : packedIfSmaller(packed, await deflated(bytes));
}

/**
 * A content that was in the store a moment ago, or could be computed from it. Another process may drop the changes
 * that it belongs to before it is referred to again; so whoever refers to it passes it along.
 */
export function knownContent(bytes: Uint8Array, hash: string): Packed {
  return { hash, size: bytes.length, packed: false, data: bytes, isKnown: true };
}

/** The stored form, made at once: as it is, if it is long. */
export function packNow(bytes: Uint8Array, hash: string): Packed {
  const plain = { hash, size: bytes.length, packed: false, data: bytes };
  if (bytes.length < LEAST || bytes.length > AT_ONCE) return plain;
  return packedIfSmaller(plain, deflateRawSync(bytes, { level: 1 }));
}

function packedIfSmaller(plain: Packed, data: Uint8Array): Packed {
  return data.length < plain.size * 0.9 ? { ...plain, packed: true, data } : plain;
}

function deflated(bytes: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) =>
    deflateRaw(bytes, { level: 1 }, (error, data) => error === null ? resolve(data) : reject(error))
  );
}

export class Contents {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  has(hash: string): boolean {
    return this.#db.get("select 1 from content where hash = ?", hash) !== undefined;
  }

  /** Whether it is stored or can be computed. */
  isKnown(hash: string): boolean {
    return this.has(hash) ||
      this.#db.get("select 1 from step where op = 'splice' and after_hash = ?", hash) !== undefined;
  }

  /** Inside a transaction. */
  put({ hash, size, packed, data, isKnown = false }: Packed): void {
    if (isKnown && this.isKnown(hash)) return;
    this.#db.run(
      "insert or ignore into content (hash, size, packed, data) values (?, ?, ?, ?)",
      hash,
      size,
      packed ? 1 : 0,
      data,
    );
  }

  /**
   * The content with this hash, if it is stored or can be computed. One that does not match its hash is not
   * returned.
   */
  get(hash: string): Uint8Array | undefined {
    return this.#kept(hash) ?? this.#workedOut(hash);
  }

  #kept(hash: string): Uint8Array | undefined {
    if (hash === EMPTY_HASH) return new Uint8Array();
    const row = this.#db.get("select packed, data from content where hash = ?", hash);
    if (!(row?.data instanceof Uint8Array)) return undefined;
    try {
      const bytes = row.packed === 1 ? new Uint8Array(inflateRawSync(row.data)) : row.data;
      return hashOf(bytes) === hash ? bytes : undefined;
    } catch {
      return undefined; // damaged
    }
  }

  /** Follows splices from the wanted hash to one that is stored, then applies them to it on the way back. */
  #workedOut(wanted: string): Uint8Array | undefined {
    const cameFrom = new Map<string, { row: Row; next: string; forth: boolean }>();
    const queue = [wanted];
    for (let at = 0; at < queue.length && at < FARTHEST; at++) {
      const hash = queue[at] ?? "";
      let bytes = at === 0 ? undefined : this.#kept(hash);
      if (bytes !== undefined) {
        for (let step = cameFrom.get(hash); step !== undefined; step = cameFrom.get(step.next)) {
          bytes = bytes && this.#spliced(bytes, step.row, step.forth);
        }
        return bytes !== undefined && hashOf(bytes) === wanted ? bytes : undefined;
      }
      for (const forth of [false, true]) {
        const [mine, other] = forth ? ["after_hash", "before_hash"] : ["before_hash", "after_hash"];
        const rows = this.#db.all(
          `select ${other} as other, offset, cut, added from step where op = 'splice' and ${mine} = ? limit 8`,
          hash,
        );
        for (const row of rows) {
          const other = String(row.other);
          if (other === wanted || cameFrom.has(other)) continue;
          cameFrom.set(other, { row, next: hash, forth });
          queue.push(other);
        }
      }
    }
    return undefined;
  }

  #spliced(bytes: Uint8Array, row: Row, forth: boolean): Uint8Array | undefined {
    const [out, put] = forth ? [row.cut, row.added] : [row.added, row.cut];
    const gone = this.#kept(String(out));
    const come = this.#kept(String(put));
    if (gone === undefined || come === undefined) return undefined;
    return spliced(bytes, { offset: Number(row.offset), cut: gone.length, add: come });
  }
}

/** sha256 of nothing. */
export const EMPTY_HASH = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

export function spliced(
  bytes: Uint8Array,
  { offset, cut, add }: { offset: number; cut: number; add: Uint8Array },
): Uint8Array {
  const result = new Uint8Array(bytes.length - cut + add.length);
  result.set(bytes.subarray(0, offset));
  result.set(add, offset);
  result.set(bytes.subarray(offset + cut), offset + add.length);
  return result;
}
