/**
 * What a restore comes to: for every file that git knows, its wanted state against the disk and the last commit.
 * What cannot be restored is found here, before anything changes, so that a dry run reports it too; it stays as it
 * is, on disk and in the history.
 */
import { PaddockError } from "../../../base/errors.ts";
import { gitPiece, isGitFolder, type Piece } from "../../../confine/git_folders.ts";
import { findGit } from "../../guarded.ts";
import { Pace } from "../../yield.ts";
import { fromBytes, isUtf8, toBytes } from "../objects/byte_names.ts";
import type { Conversions } from "../files/conversions.ts";
import { type Disk, MAX_FILE, type OnDisk } from "../files/disk.ts";
import type { IndexFile } from "../index/index_file.ts";
import { LEFT_OUT, leftOutBy } from "../files/left_out.ts";
import { MODE_FOLDER, MODE_LINK, MODE_REPOSITORY, NotFetched } from "../objects/objects.ts";
import type { ObjectStore } from "../objects/object_store.ts";
import type { Skipped } from "../store.ts";
import type { TreeEntry } from "../objects/tree.ts";
import { type Difference, lookAt } from "./tree_diff.ts";
import { entryAt, filesBelow, isSameEntry } from "../objects/tree_edits.ts";

export interface RestorePlanQuery {
  readonly store: ObjectStore;
  readonly index: IndexFile;
  readonly disk: Disk;
  readonly conversions: Conversions;
  /** The wanted tree, and that of the last commit. */
  readonly target: string;
  readonly last: string | undefined;
  /** A byte string. */
  readonly path: string;
  /** Which of these files existed before they were in the history: the commits that recorded them. */
  readonly firstKept: (names: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export interface RestorePlan {
  /** `after` is the wanted state; where the disk has that already, `before` is what the last commit has. */
  readonly changes: Difference[];
  readonly skipped: Skipped[];
}

export async function planRestore(query: RestorePlanQuery): Promise<RestorePlan> {
  const { index, disk, signal } = query;
  const pace = new Pace(signal);
  const obstacles = new Obstacles(query);
  const changes: Difference[] = [];
  const skipped: Skipped[] = [];
  const names = namesOf(query);
  const kept = await query.firstKept(names.filter(isNew).map(([name]) => name));
  let left: string | undefined;
  for (const [name, { target, last }] of names) {
    await pace.step();
    if (left !== undefined && name.startsWith(`${left}/`)) continue; // what is skipped is skipped with everything in it
    if (index.isSkipped(name)) {
      if (!isSameEntry(target, last)) skipped.push({ path: fromBytes(name), reason: LEFT_OUT });
      continue;
    }
    if (!isUtf8(name)) {
      if (!isSameEntry(target, last)) {
        skipped.push({ path: fromBytes(name), reason: "its name is not valid UTF-8" });
      }
      continue;
    }
    const keeping = kept.get(name);
    if (keeping !== undefined && !isInTheWay(name, query)) {
      skipped.push({ path: fromBytes(name), reason: foundLater(keeping) });
      continue;
    }
    const isEntryOnly = (target ?? last)?.mode === MODE_REPOSITORY;
    const seen = isEntryOnly ? undefined : await lookAt(disk, fromBytes(name));
    const now = isEntryOnly ? last : seen?.entry;
    if (isSameEntry(now, target)) {
      if (!isSameEntry(last, target)) changes.push({ name, before: last, after: target });
      continue;
    }
    const reason = isEntryOnly && target === undefined
      ? undefined
      : unavailable(query.store, target) ?? await obstacles.inTheWayOf(fromBytes(name), target) ??
        await converted(query, { path: fromBytes(name), target, last, seen });
    if (reason === undefined) changes.push({ name, before: now, after: target });
    else {
      skipped.push({ path: fromBytes(name), reason });
      left = name;
    }
  }
  return { changes, skipped };
}

/** Not in the wanted commit, but in the last one. */
function isNew([, { target, last }]: [name: string, sides: Sides]): boolean {
  return target === undefined && last !== undefined;
}

/** Whether the wanted commit needs the file's place. */
function isInTheWay(name: string, { store, target }: RestorePlanQuery): boolean {
  if (entryAt(store, target, name) !== undefined) return true; // a folder
  for (let cut = name.indexOf("/"); cut > 0; cut = name.indexOf("/", cut + 1)) {
    const above = entryAt(store, target, name.slice(0, cut));
    if (above?.mode !== MODE_FOLDER) return above !== undefined;
  }
  return false;
}

function foundLater(keeping: string): string {
  return `no tool created it, and it was first recorded later, in ${keeping}: it may have existed at that time, ` +
    "with unknown content";
}

function unavailable(store: ObjectStore, target: TreeEntry | undefined): string | undefined {
  const isFile = target !== undefined && target.mode !== MODE_LINK && target.mode !== MODE_REPOSITORY;
  if (!isFile) return undefined;
  try {
    return store.size(target.oid) > MAX_FILE ? `it has more than ${MAX_FILE} bytes` : undefined;
  } catch (error) {
    if (error instanceof NotFetched) return error.message;
    throw error;
  }
}

/** Git must convert neither what is recorded first nor what is restored. */
async function converted(
  { store, conversions }: RestorePlanQuery,
  { path, target, last, seen }: Sides & { path: string; seen: OnDisk | undefined },
): Promise<string | undefined> {
  const sides = [target, isSameEntry(seen?.entry, last) ? undefined : seen?.entry];
  for (const entry of sides) {
    if (entry === undefined || entry.mode === MODE_LINK || entry.mode === MODE_REPOSITORY) continue;
    const bytes = entry === target ? undefined : seen?.bytes;
    const why = await conversions.find(path, () => bytes ?? store.blob(entry.oid));
    if (why !== undefined) return `git is set to convert it (${why})`;
  }
  return undefined;
}

interface Sides {
  readonly target?: TreeEntry | undefined;
  readonly last?: TreeEntry | undefined;
}

/** In git's order: a file comes before what is in a folder of its name. */
function namesOf({ store, index, target, last, path }: RestorePlanQuery): [name: string, sides: Sides][] {
  const names = new Map<string, Sides>();
  for (const name of index.namesBelow(path)) names.set(name, {});
  for (const { name, mode, oid } of filesBelow(store, entryAt(store, last, path), path)) {
    names.set(name, { last: { mode, oid } });
  }
  for (const { name, mode, oid } of filesBelow(store, entryAt(store, target, path), path)) {
    names.set(name, { ...names.get(name), target: { mode, oid } });
  }
  return [...names].sort(([a], [b]) => a < b ? -1 : 1);
}

/** What makes a restore of something impossible. */
class Obstacles {
  readonly #disk: Disk;
  readonly #index: IndexFile;
  readonly #signal: AbortSignal | undefined;
  /** By folder: files to be restored that would look like parts of a git folder. */
  readonly #coming = new Map<string, Piece[]>();
  /** Folders that are not in the way of what is in them. */
  readonly #plain = new Set<string>();

  constructor({ disk, index, signal }: RestorePlanQuery) {
    this.#disk = disk;
    this.#index = index;
    this.#signal = signal;
  }

  async inTheWayOf(path: string, target: TreeEntry | undefined): Promise<string | undefined> {
    if (target?.mode === MODE_LINK) return "symbolic links cannot be created here";
    const leftOut = target && leftOutBy(toBytes(path), { index: this.#index, disk: this.#disk });
    if (leftOut !== undefined) return `${fromBytes(leftOut)} is left out of the sparse checkout`;
    const repository = target === undefined ? undefined : this.#wouldMakeRepository(path);
    if (repository !== undefined) return `it would turn ${repository} into a git repository`;
    for (let cut = path.indexOf("/"); cut > 0; cut = path.indexOf("/", cut + 1)) {
      const folder = path.slice(0, cut);
      if (this.#plain.has(folder)) continue;
      const info = this.#disk.stat(folder);
      if (info === undefined) return undefined;
      if (info.isFile || info.isSymlink) return undefined; // it will be removed
      if (!info.isDirectory) return `${folder} is a device, pipe or socket`;
      const isRepository = this.#disk.stat(`${folder}/.git`) !== undefined ||
        isGitFolder(this.#disk.at(folder).absolute);
      if (isRepository) return `${folder} is a nested git repository`;
      this.#plain.add(folder);
    }
    const info = this.#disk.stat(path);
    if (info === undefined || info.isFile || info.isSymlink) return undefined;
    if (!info.isDirectory) return "a device, pipe or socket is in its place";
    return target?.mode === MODE_REPOSITORY ? undefined : await this.#inFolder(path);
  }

  /**
   * Git would run what the config and hooks in such a folder say; restoring `path` also creates the folders above
   * it.
   */
  #wouldMakeRepository(path: string): string | undefined {
    const names = path.split("/");
    for (const [i, name] of names.entries()) {
      const piece = gitPiece(name);
      if (piece === undefined) continue;
      const folder = names.slice(0, i).join("/");
      const coming = this.#coming.get(folder) ?? [];
      if (isGitFolder(this.#disk.at(folder).absolute, [...coming, piece])) return folder || "the workspace";
      this.#coming.set(folder, [...coming, piece]);
    }
    return undefined;
  }

  /** A folder makes room for a file only if everything in it can be recorded in the history. */
  async #inFolder(path: string): Promise<string | undefined> {
    const folder = this.#disk.at(path);
    try {
      if (await findGit(folder, new Pace(this.#signal)) !== undefined) {
        return "the folder in its place contains a git repository";
      }
      for await (const { relative } of this.#disk.below(folder, this.#signal)) {
        const info = this.#disk.stat(relative);
        const isSpecial = info !== undefined && !info.isFile && !info.isSymlink;
        if (isSpecial) return `${relative}, a device, pipe or socket, is in its place`;
      }
      return undefined;
    } catch (error) {
      if (error instanceof PaddockError && error.code === "UNSUPPORTED") return error.message;
      throw error;
    }
  }
}
