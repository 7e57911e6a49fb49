/**
 * Copying files and whole folders. A folder is copied while the locks of its roots and of the destination's are
 * held, so that nothing is moved or removed under it; its files can be edited meanwhile.
 *
 * Links become what they lead to (see copy_links.ts), and links upon links would multiply a copy without end:
 * twenty folders that each link twice to the next are a million copies. So one that leads back up is left out,
 * and below a folder that was itself reached through a link, each folder is followed once in a call. That keeps
 * links side by side whole, and a copy at most as many times larger as its source has links and folders.
 */
import { PaddockError } from "../base/errors.ts";
import { ConfinedFile, lstat, openFolder, readFolderCounted, setOwnership } from "../confine/confined_fs.ts";
import { contains, isGitName, quote } from "../confine/path_rules.ts";
import { childOf, type ConfinedPath, nameOf } from "../confine/resolve_path.ts";
import { type Changing } from "./changing.ts";
import { contentOf } from "./content_of.ts";
import { destinationOf, sourceOf } from "./copy_links.ts";
import { ensureFolder } from "./folders.ts";
import { isOne, stampOf, type Stamps } from "./stamps.ts";
import { updateFile } from "./update_file.ts";
import { withStructure } from "./with_locks.ts";
import { Pace } from "./yield.ts";

export interface Copied {
  isDirectory: boolean;
  /** Bytes copied. */
  size: number;
  files: number;
  /** Links that are not followed, pipes, sockets and devices, and names that are not valid UTF-8: left out. */
  skipped: number;
}

export interface CopyOptions extends Changing {
  /** Gets what was found at each path below the source when it was copied. */
  stamps?: Stamps;
}

/** Where something goes when a folder is at its destination: into that folder, under its own name. */
export function intoFolder(
  from: ConfinedPath,
  to: ConfinedPath,
  resolve: (relative: string) => ConfinedPath,
): ConfinedPath {
  if (!lstat(to)?.isDirectory || from.absolute === to.absolute) return to;
  if (from.relative === "") {
    throw new PaddockError("INVALID_INPUT", `name the destination: ${quote(to.given)} is a folder`);
  }
  return resolve(childOf(to, nameOf(from)).relative);
}

/** Copies a file or a folder to exactly `to`. A file there is replaced; a folder there is merged into. */
export async function copyEntry(from: ConfinedPath, to: ConfinedPath, options: CopyOptions): Promise<Copied> {
  const info = lstat(from);
  if (info === undefined) throw new PaddockError("NOT_FOUND", `source file not found: ${from.given}`);
  const copied: Copied = { isDirectory: info.isDirectory, size: 0, files: 0, skipped: 0 };
  if (!info.isDirectory) {
    await copyFile(from, to, { copied, changing: options });
    options.stamps?.set(from.absolute, stampOf(info));
    return copied;
  }
  if (contains(from.absolute, to.absolute)) {
    throw new PaddockError(
      "INVALID_INPUT",
      `cannot copy ${quote(from.given)} into itself (${quote(to.given)})`,
    );
  }
  const begin = {
    copied,
    top: from,
    above: [],
    goal: undefined,
    belowLink: false,
    followed: new Set<string>(),
  };
  const { stamps } = options;
  const pace = new Pace(options.signal);
  await withStructure(
    [from, to],
    (changing) => copyTree(from, to, { ...begin, changing, pace, stamps }),
    options,
  );
  return copied;
}

interface Copying {
  copied: Copied;
  changing: Changing;
}

/** As cp does, a copy gets the mode of its source, but never runs as the source's owner (set-id). */
async function copyFile(from: ConfinedPath, to: ConfinedPath, { copied, changing }: Copying): Promise<void> {
  if (from.absolute === to.absolute) {
    throw new PaddockError("INVALID_INPUT", `source and destination are the same file: ${quote(from.given)}`);
  }
  using source = await ConfinedFile.open(from);
  const { size } = await updateFile(to, () => contentOf(source, changing.signal), {
    ...changing,
    newFileMode: source.mode & 0o777,
  });
  copied.size += size;
  copied.files++;
  changing.onEntry?.(copied.files);
}

interface TreeCopying extends Copying {
  pace: Pace;
  stamps: Stamps | undefined;
  /** The folder that was asked for. */
  top: ConfinedPath;
  /** The real folders being copied, to stop a link that leads back up. */
  above: readonly string[];
  /** The folder that all goes into: a folder that is mounted twice can be reached by way of the source, too. */
  goal: Deno.FileInfo | undefined;
  /** Whether this folder, or one above it, was reached through a link. */
  belowLink: boolean;
  /** The folders that links in such folders were followed to, in the whole call. */
  followed: Set<string>;
}

async function copyTree(from: ConfinedPath, to: ConfinedPath, outer: TreeCopying): Promise<void> {
  const { copied, changing, pace, stamps } = outer;
  const mode = (lstat(from)?.mode ?? 0o777) & 0o777;
  const created = await ensureFolder(to, changing);
  if (created) await setFolderMode(to, mode | 0o700); // before anything is in it that others may not see
  stamps?.set(from.absolute, "folder");
  const copying = { ...outer, goal: outer.goal ?? lstat(to), above: [...outer.above, from.absolute] };
  const { entries, unnamed } = readFolderCounted(from);
  copied.skipped += unnamed;
  for (const { name } of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
    await pace.step();
    const hidden = isGitName(name) && (from.owner.git === "hidden" || to.owner.git !== "open");
    if (hidden || !await copyChild(childOf(from, name), childOf(to, name), copying)) copied.skipped++;
  }
  if (created && (mode & 0o700) !== 0o700) await setFolderMode(to, mode);
}

/** Copies what a folder holds under one name. False when it is left out. */
async function copyChild(path: ConfinedPath, to: ConfinedPath, copying: TreeCopying): Promise<boolean> {
  const { stamps, above, followed, belowLink } = copying;
  const entry = lstat(path);
  if (entry === undefined) return false;
  const isLink = entry.isSymlink;
  const source = sourceOf(path, { isLink, top: copying.top });
  const info = source && lstat(source);
  if (source === undefined || info === undefined || above.includes(source.absolute)) return false;
  if (!info.isFile && !info.isDirectory) return false;
  const target = destinationOf(to, above);
  if (info.isFile) {
    await copyFile(source, target, copying);
  } else {
    if (contains(source.absolute, target.absolute) || isOne(info, copying.goal)) return false;
    if (isLink && belowLink && followed.has(source.absolute)) return false;
    if (isLink && belowLink) followed.add(source.absolute);
    const inside = isLink ? { ...copying, belowLink: true, stamps: undefined } : copying;
    await copyTree(source, target, inside);
  }
  if (info.isFile || isLink) stamps?.set(path.absolute, stampOf(entry));
  return true;
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
