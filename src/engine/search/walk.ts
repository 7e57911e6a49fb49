/**
 * Walks a folder and all below it in the order of full paths (code point by code point), without ever following
 * a link. Every folder is verified after it was read: one that was swapped for a link meanwhile gives nothing.
 */
import { PaddockError } from "../../base/errors.ts";
import { readFolderCounted } from "../../confine/confined_fs.ts";
import { isGitName } from "../../confine/path_rules.ts";
import { childOf, type ConfinedPath } from "../../confine/resolve_path.ts";
import { type EntryType } from "../metadata.ts";
import { type SearchTime } from "./search_time.ts";

export interface WalkEntry {
  readonly path: ConfinedPath;
  /** Below the folder that is walked, with `/` between names. */
  readonly below: string;
  readonly type: EntryType;
}

export interface WalkOptions {
  time: SearchTime;
  /** 1 is what lies in the folder itself, 2 what lies in its folders, and so on. */
  maxDepth?: number | undefined;
  /** Whether it is any use to look into a folder. */
  mayMatchBelow?: ((below: string) => Promise<boolean>) | undefined;
  /** Whether the caller may look into a folder: one of another root obeys other rules. */
  mayEnter?: ((folder: ConfinedPath) => boolean) | undefined;
  /** Told how many entries were left out: folders that could not be read, names that are not valid UTF-8. */
  onSkip?: ((count: number) => void) | undefined;
}

/** Ends early, without an error, when the time is up. An error about the folder itself is thrown. */
export async function* walk(folder: ConfinedPath, options: WalkOptions): AsyncGenerator<WalkEntry> {
  const { time, maxDepth = Infinity } = options;
  if (maxDepth < 1) return;
  const open: Listing[] = [list(folder, "", options)];
  for (let listing = open.at(-1); listing !== undefined; listing = open.at(-1)) {
    const item = listing.items[listing.next++];
    if (item === undefined) {
      open.pop();
      continue;
    }
    if (!await time.step()) return;
    const { entry, enters } = item;
    const path = childOf(listing.folder, entry.name);
    const below = listing.prefix + entry.name;
    if (!enters) {
      yield { path, below, type: typeOf(entry) };
    } else if (open.length < maxDepth && await mayEnter(path, below, options)) {
      const inner = listUnlessRefused(path, `${below}/`, options);
      if (inner === undefined) options.onSkip?.(1);
      else open.push(inner);
    }
  }
}

interface Item {
  /** What it is sorted by: a folder's contents come where its name with a slash belongs. */
  readonly key: string;
  readonly entry: Deno.DirEntry;
  /** Whether this stands for what is in a folder, not for the folder. */
  readonly enters: boolean;
}

interface Listing {
  readonly folder: ConfinedPath;
  readonly prefix: string;
  readonly items: readonly Item[];
  next: number;
}

function list(folder: ConfinedPath, prefix: string, { onSkip }: WalkOptions): Listing {
  const { entries, unnamed } = readFolderCounted(folder);
  if (unnamed > 0) onSkip?.(unnamed);
  const items: Item[] = [];
  for (const entry of entries) {
    if (folder.owner.git === "hidden" && isGitName(entry.name)) continue;
    items.push({ key: entry.name, entry, enters: false });
    if (entry.isDirectory) items.push({ key: `${entry.name}/`, entry, enters: true });
  }
  items.sort((a, b) => byCodePoint(a.key, b.key));
  return { folder, prefix, items, next: 0 };
}

function listUnlessRefused(folder: ConfinedPath, prefix: string, options: WalkOptions): Listing | undefined {
  try {
    return list(folder, prefix, options);
  } catch (error) {
    if (isPassing(error)) return undefined;
    throw error;
  }
}

/** Whether an error is about one file or folder only: it may not be read, went away, was swapped or is busy. */
export function isPassing(error: unknown): boolean {
  return error instanceof PaddockError && PASSING.has(error.code);
}

const PASSING: ReadonlySet<string> = new Set([
  "PERMISSION_DENIED",
  "NOT_FOUND",
  "OUT_OF_BOUNDS",
  "INVALID_INPUT",
  "UNSUPPORTED",
  "CONFLICT",
]);

async function mayEnter(folder: ConfinedPath, below: string, options: WalkOptions): Promise<boolean> {
  return (await options.mayMatchBelow?.(below) ?? true) && (options.mayEnter?.(folder) ?? true);
}

function typeOf(entry: Deno.DirEntry): EntryType {
  if (entry.isSymlink) return "symlink";
  if (entry.isDirectory) return "directory";
  return entry.isFile ? "file" : "other";
}

/** By code point, which is the order of the bytes in UTF-8; JavaScript's own order differs above U+D800. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [one, other] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (one !== other) return rank(one) - rank(other);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all that are written without them. */
function rank(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit;
}
