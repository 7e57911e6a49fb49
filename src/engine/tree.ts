/**
 * Changes of structure: removing, copying and moving files and whole trees. They hold the lock of the root
 * while they last, so that two of them, in whatever process, do not work on the same tree at once; each step
 * verifies the folder it works in, and the first surprise ends the work. Links are removed and moved
 * themselves and never followed, except that a copy reads through links that stay inside.
 */
import { PaddockError } from "../base/errors.ts";
import {
  ConfinedFile,
  linkTarget,
  lstat,
  openFolder,
  readFolder,
  readFolderRaw,
  removeEmptyFolder,
  rename,
  setOwnership,
  syncFolder,
  unlink,
} from "../confine/confined_fs.ts";
import { contains, isGitName, quote } from "../confine/path_rules.ts";
import { childOf, type ConfinedPath, parentOf, resolvePath, rootsBelow } from "../confine/resolve_path.ts";
import { type Content } from "./atomic_write.ts";
import { type Changing, lockOptions } from "./changing.ts";
import { ensureFolder, rootOf } from "./folders.ts";
import { updateFile } from "./update_file.ts";
import { Pace } from "./yield.ts";

const CHUNK = 256 * 1024;

/** Removes a file or a link. */
export async function removeFile(path: ConfinedPath, changing: Changing): Promise<void> {
  const info = lstat(path);
  if (info === undefined) throw new PaddockError("NOT_FOUND", `file not found: ${path.given}`);
  const remove = async () => {
    unlink(path);
    await syncFolder(parentOf(path));
  };
  // A regular file's own lock is taken too: an edit under way finishes first.
  if (info.isFile) await changing.locks.withFile(path, remove, lockOptions(changing));
  else await remove();
}

/** Removes a folder with all that is in it; returns how many entries went. */
export async function removeFolder(path: ConfinedPath, changing: Changing): Promise<number> {
  if (path.relative === "") throw new PaddockError("NOT_ALLOWED", "cannot remove root directory");
  return await changing.locks.withFolder(rootOf(path), async () => {
    const info = lstat(path);
    if (info === undefined) throw new PaddockError("NOT_FOUND", `directory not found: ${path.given}`);
    if (!info.isDirectory) {
      throw new PaddockError("INVALID_INPUT", `path is a file, not a directory: ${quote(path.given)}`);
    }
    refuseRoots(path);
    const pace = new Pace(changing.signal);
    await refuseGit(path, pace);
    const removed = await removeTree(path, pace);
    await syncFolder(parentOf(path));
    return removed;
  }, lockOptions(changing));
}

async function removeTree(folder: ConfinedPath, pace: Pace): Promise<number> {
  let removed = 0;
  for (const entry of readFolderRaw(folder)) {
    await pace.step();
    const path = childOf(folder, entry.name);
    if (entry.isDirectory) {
      removed += await removeTree(path, pace);
    } else {
      unlink(path);
      removed++;
    }
  }
  removeEmptyFolder(folder);
  return removed + 1;
}

/** A root inside another is not removed or moved with it. */
function refuseRoots(folder: ConfinedPath): void {
  const [root] = rootsBelow(folder);
  if (root !== undefined) {
    throw new PaddockError("NOT_ALLOWED", `${quote(folder.given)} holds the directory of root ${root.name}`);
  }
}

/** A protected `.git` anywhere below stops a removal before it begins. */
async function refuseGit(folder: ConfinedPath, pace: Pace): Promise<void> {
  const git = folder.owner.git === "open" ? undefined : await findGit(folder, pace);
  if (git === undefined) return;
  throw new PaddockError(
    "NOT_ALLOWED",
    `${quote(folder.given)} holds ${quote(git.relative)}, which can be read but not changed ` +
      `(the operator can set protect_git: false for root ${folder.owner.name}); nothing was removed`,
  );
}

/** The first `.git` below a folder, links not followed. */
async function findGit(folder: ConfinedPath, pace: Pace): Promise<ConfinedPath | undefined> {
  for (const entry of readFolder(folder)) {
    await pace.step();
    const path = childOf(folder, entry.name);
    if (isGitName(entry.name)) return path;
    const below = entry.isDirectory ? await findGit(path, pace) : undefined;
    if (below !== undefined) return below;
  }
  return undefined;
}

export interface Copied {
  isDirectory: boolean;
  /** Bytes copied. */
  size: number;
  files: number;
  /** Links that lead outside or nowhere, pipes, sockets and devices: left out. */
  skipped: number;
}

/** Copies a file or a folder to exactly `to`. A file there is replaced; a folder there is merged into. */
export async function copyEntry(from: ConfinedPath, to: ConfinedPath, changing: Changing): Promise<Copied> {
  const info = lstat(from);
  if (info === undefined) throw new PaddockError("NOT_FOUND", `source not found: ${from.given}`);
  const copied: Copied = { isDirectory: info.isDirectory, size: 0, files: 0, skipped: 0 };
  if (!info.isDirectory) {
    await copyFile(from, to, { copied, changing });
    return copied;
  }
  if (contains(from.absolute, to.absolute)) {
    throw new PaddockError(
      "INVALID_INPUT",
      `cannot copy ${quote(from.given)} into itself (${quote(to.given)})`,
    );
  }
  await copyTree(from, to, { copied, changing, pace: new Pace(changing.signal), above: [] });
  return copied;
}

interface Copying {
  copied: Copied;
  changing: Changing;
}

async function copyFile(from: ConfinedPath, to: ConfinedPath, { copied, changing }: Copying): Promise<void> {
  if (from.absolute === to.absolute) {
    throw new PaddockError("INVALID_INPUT", `source and destination are the same file: ${quote(from.given)}`);
  }
  using source = await ConfinedFile.open(from);
  const { size } = await updateFile(to, () => contentOf(source, changing.signal), {
    ...changing,
    newFileMode: source.mode,
  });
  copied.size += size;
  copied.files++;
}

/** The content of an open file as a stream of chunks. */
export function contentOf(file: ConfinedFile, signal: AbortSignal | undefined): Content {
  return async (write) => {
    const pace = new Pace(signal);
    const buffer = new Uint8Array(Math.min(CHUNK, file.size + 1));
    for (let position = 0;;) {
      const read = file.readAt(buffer, position);
      if (read === 0) return;
      await write(buffer.subarray(0, read));
      position += read;
      await pace.step();
    }
  };
}

interface TreeCopying extends Copying {
  pace: Pace;
  /** The real folders being copied, to stop a link that leads back up. */
  above: readonly string[];
}

async function copyTree(from: ConfinedPath, to: ConfinedPath, copying: TreeCopying): Promise<void> {
  const { copied, changing, pace } = copying;
  const mode = (lstat(from)?.mode ?? 0o777) & 0o777;
  const created = await ensureFolder(to, changing);
  if (created) await setFolderMode(to, mode | 0o700); // before anything is in it that others may not see
  const above = [...copying.above, from.absolute];
  for (const entry of readFolder(from).sort((a, b) => a.name < b.name ? -1 : 1)) {
    await pace.step();
    if (isGitName(entry.name) && (from.owner.git === "hidden" || to.owner.git !== "open")) {
      copied.skipped++;
      continue;
    }
    const source = followInside(childOf(from, entry.name), entry.isSymlink);
    const kind = source === undefined ? undefined : lstat(source);
    if (source === undefined || kind === undefined || above.includes(source.absolute)) {
      copied.skipped++;
    } else if (kind.isDirectory && !contains(source.absolute, to.absolute)) {
      await copyTree(source, childOf(to, entry.name), { ...copying, above });
    } else if (kind.isFile) {
      await copyFile(source, childOf(to, entry.name), copying);
    } else {
      copied.skipped++;
    }
  }
  if (created && (mode & 0o700) !== 0o700) await setFolderMode(to, mode);
}

/** Sets who may do what; what a folder has from the one above it (set-gid) is kept. */
async function setFolderMode(path: ConfinedPath, mode: number): Promise<void> {
  const folder = openFolder(path);
  if (folder === undefined) return;
  try {
    const special = (folder.statSync().mode ?? 0) & 0o7000;
    await setOwnership(path, { file: folder, mode: special | mode, uid: null, gid: null });
  } finally {
    folder.close();
  }
}

/** What a link inside a copied folder stands for, or undefined when it leads nowhere or where nobody may go. */
function followInside(path: ConfinedPath, isLink: boolean): ConfinedPath | undefined {
  if (!isLink) return path;
  if (linkTarget(path).place !== "inside") return undefined;
  try {
    return resolvePath(path.root, path.relative);
  } catch (error) {
    if (error instanceof PaddockError) return undefined; // a hidden .git, a name of ours, or gone meanwhile
    throw error;
  }
}

/** Moves a file, link or folder to exactly `to`; a file there is replaced. */
export async function moveEntry(from: ConfinedPath, to: ConfinedPath, changing: Changing): Promise<void> {
  if (from.relative === "") throw new PaddockError("NOT_ALLOWED", "cannot move root directory");
  await withLocks([rootOf(from), rootOf(to)], () => moveLocked(from, to, changing), {
    changing,
    kind: "withFolder",
  });
}

async function moveLocked(from: ConfinedPath, to: ConfinedPath, outer: Changing): Promise<void> {
  const changing = { ...outer, structureLocked: true };
  const info = lstat(from);
  if (info === undefined) throw new PaddockError("NOT_FOUND", `source not found: ${from.given}`);
  const there = lstat(to);
  if (from.absolute === to.absolute) return;
  await refuseMove(from, to, { info, there, changing });
  await ensureFolder(parentOf(to), changing);
  const same = info.isFile && there !== undefined && info.ino === there.ino && info.dev === there.dev;
  const step = async () => {
    if (same && isOtherName(from, to)) unlink(from); // rename(2) leaves two names of one file as they are
    else if (!rename(from, to)) return false;
    await syncFolder(parentOf(to));
    if (parentOf(from).absolute !== parentOf(to).absolute) await syncFolder(parentOf(from));
    return true;
  };
  // The locks of both files are taken too: an edit of either that is under way finishes first.
  const source = info.isFile ? [from] : [];
  const files = there?.isFile && !same ? [...source, to] : source;
  if (await withLocks(files, step, { changing, kind: "withFile" })) return;
  await withLocks(source, () => moveAcross(from, to, { info, changing }), { changing, kind: "withFile" });
}

/** Whether two paths of one file are two names, and not one name in two spellings. */
function isOtherName(from: ConfinedPath, to: ConfinedPath): boolean {
  return from.absolute.normalize().toLowerCase() !== to.absolute.normalize().toLowerCase();
}

interface Move {
  info: Deno.FileInfo;
  there: Deno.FileInfo | undefined;
  changing: Changing;
}

async function refuseMove(
  from: ConfinedPath,
  to: ConfinedPath,
  { info, there, changing }: Move,
): Promise<void> {
  if (info.isDirectory) refuseRoots(from);
  if (info.isDirectory && contains(from.absolute, to.absolute)) {
    throw new PaddockError(
      "INVALID_INPUT",
      `cannot move ${quote(from.given)} into itself (${quote(to.given)})`,
    );
  }
  if (there?.isDirectory) {
    throw new PaddockError("ALREADY_EXISTS", `destination exists and is a directory: ${quote(to.given)}`);
  }
  if (there !== undefined && info.isDirectory) {
    throw new PaddockError("ALREADY_EXISTS", `destination exists and is a file: ${quote(to.given)}`);
  }
  if (info.isSymlink && linkTarget(from).place === "outside") {
    throw new PaddockError(
      "OUT_OF_BOUNDS",
      `a link that leads outside the root is not moved: ${quote(from.given)}`,
    );
  }
  if (!info.isDirectory || from.owner === to.owner) return;
  // Moved to where it is open, changed, and moved back, a hook would run at the user's next commit.
  const git = from.owner.git === "open" && to.owner.git === "open"
    ? undefined
    : await findGit(from, new Pace(changing.signal));
  if (git !== undefined) {
    throw new PaddockError(
      "NOT_ALLOWED",
      `${quote(from.given)} holds ${
        quote(git.relative)
      }, which does not leave or enter a root that protects it; ` +
        "nothing was moved",
    );
  }
}

/** Between file systems there is no rename: copy, then remove. Nothing may be left out of the copy. */
async function moveAcross(
  from: ConfinedPath,
  to: ConfinedPath,
  { info, changing }: { info: Deno.FileInfo; changing: Changing },
): Promise<void> {
  if (info.isSymlink) {
    throw new PaddockError(
      "UNSUPPORTED",
      `a link cannot be moved to another file system: ${quote(from.given)}`,
    );
  }
  const copied = await copyEntry(from, to, changing);
  if (copied.skipped > 0) {
    throw new PaddockError(
      "CONFLICT",
      `${quote(from.given)} was copied to ${quote(to.given)} but not removed: ${copied.skipped} entries ` +
        "(links, pipes, sockets or devices) cannot be moved to another file system",
    );
  }
  if (info.isDirectory) await removeTree(from, new Pace(changing.signal));
  else unlink(from);
  await syncFolder(parentOf(from));
}

/** Takes several locks, always in the same order, so that two calls cannot wait for each other. */
async function withLocks<T>(
  paths: readonly ConfinedPath[],
  body: () => Promise<T>,
  { changing, kind }: { changing: Changing; kind: "withFile" | "withFolder" },
): Promise<T> {
  const [first, ...rest] = paths.toSorted((a, b) => a.absolute < b.absolute ? -1 : 1);
  if (first === undefined) return await body();
  const others = rest.filter((path) => path.absolute !== first.absolute);
  const inner = () => withLocks(others, body, { changing, kind });
  return await changing.locks[kind](first, inner, lockOptions(changing));
}
