/**
 * The state of the files involved when they were read. Anyone who changes one of them after that has written what
 * is in no commit yet; so each is checked again right before it is replaced or removed. Time stamps are coarse, so
 * small files are also read again.
 */
import { lstat } from "../../../confine/confined_fs.ts";
import type { ConfinedPath } from "../../../confine/resolve_path.ts";
import { stampOf } from "../../stamps.ts";
import { Pace } from "../../yield.ts";
import { StartOver } from "./start_over.ts";
import type { OnDisk } from "../files/disk.ts";
import { hashObject, MODE_LINK } from "../objects/objects.ts";

/** A larger file is not read again. */
const MAX_COMPARED = 1024 * 1024;

interface Known {
  readonly path: ConfinedPath;
  readonly stamp: string;
  readonly content: SeenContent | undefined;
}

/** What a file held. */
export interface SeenContent {
  readonly oid: string;
  readonly size: number;
  /** When it was last written. */
  readonly mtime: number | undefined;
}

type Found = Pick<OnDisk, "info"> & Partial<Pick<OnDisk, "entry">>;

export class Seen {
  readonly #known = new Map<string, Known>();

  /** What was found at these paths. */
  static of(...found: readonly [path: ConfinedPath, now: Found | undefined][]): Seen {
    const seen = new Seen();
    for (const [path, now] of found) seen.note(path, now);
    return seen;
  }

  /** `now` is from before the file was read; undefined if there was none. */
  note(path: ConfinedPath, now: Found | undefined): void {
    const entry = now?.entry?.mode === MODE_LINK ? undefined : now?.entry;
    const content = entry && now &&
      { oid: entry.oid, size: now.info.size, mtime: now.info.mtime?.getTime() };
    this.#known.set(path.absolute, { path, stamp: stampOfState(now?.info), content });
  }

  contentOf(path: ConfinedPath): SeenContent | undefined {
    return this.#known.get(path.absolute)?.content;
  }

  /** Whether a path is unchanged; undefined if it was not read. `open` is the file there, if it is open. */
  isSame(path: ConfinedPath, open?: Deno.FsFile): boolean | undefined {
    const known = this.#known.get(path.absolute);
    if (known === undefined) return undefined;
    if (known.stamp !== stampOfState(lstat(path))) return false;
    return known.content === undefined || open === undefined || holdsStill(open, known.content);
  }

  /** Throws if one of them has changed. */
  async check(signal: AbortSignal | undefined): Promise<void> {
    const pace = new Pace(signal);
    for (const { path, stamp } of this.#known.values()) {
      await pace.step();
      if (stampOfState(lstat(path)) !== stamp) throw StartOver.forFile(path);
    }
  }
}

/** Whether an open file still holds the same; for a large one, as far as size and time tell. */
export function holdsStill(open: Deno.FsFile, { oid, size, mtime }: SeenContent): boolean {
  if (size > MAX_COMPARED) {
    const now = open.statSync();
    return now.size === size && now.mtime?.getTime() === mtime;
  }
  const bytes = new Uint8Array(size + 1);
  open.seekSync(0, Deno.SeekMode.Start);
  for (let length = 0;;) {
    const read = open.readSync(bytes.subarray(length)) ?? 0;
    if (read > 0 && (length += read) <= size) continue;
    return length === size && hashObject("blob", bytes.subarray(0, size)) === oid;
  }
}

/** Identifies what is at a path, or that nothing is. */
export function stampOfState(info: Deno.FileInfo | undefined): string {
  return info === undefined ? "none" : `${stampOf(info)} ${info.ctime?.getTime()}`;
}
