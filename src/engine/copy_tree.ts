/**
 * Walks a folder to copy it: what goes where, in order of names, and what is left out. It runs twice, once to check
 * and once to copy, with a handler for each.
 *
 * Links become what they lead to (see copy_links.ts), and links upon links would multiply a copy without end:
 * twenty folders that each link twice to the next are a million copies. So a link that leads back up is left out,
 * and below a folder that was itself reached through a link, each folder is followed once per call. That keeps
 * links side by side complete, and a copy at most as many times larger as its source has links and folders.
 */
import { lstat, readFolderCounted } from "../confine/confined_fs.ts";
import { isGitFolder } from "../confine/git_folders.ts";
import { contains, isGitName } from "../confine/path_rules.ts";
import { childOf, type ConfinedPath } from "../confine/resolve_path.ts";
import { destinationOf, sourceOf } from "./copy_links.ts";
import { isOne } from "./stamps.ts";
import type { Pace } from "./yield.ts";

/** One file or folder, and where it goes. */
export interface Pair {
  /** What is copied, links followed. */
  readonly from: ConfinedPath;
  readonly to: ConfinedPath;
  /** The name it was found by, and what is there: `from` itself, or a link to it. */
  readonly found: ConfinedPath;
  readonly info: Deno.FileInfo;
  /** Whether a folder above it was reached through a link. */
  readonly belowLink: boolean;
}

export interface CopyHand {
  /** Called before anything in a folder. The function it returns is called after everything in it. */
  folder(pair: Pair): Promise<(() => Promise<void>) | undefined>;
  file(pair: Pair): Promise<void>;
  /** This many entries at or in a path are not copied. */
  leftOut(path: ConfinedPath, entries: number): void;
}

export interface WalkOptions {
  readonly hand: CopyHand;
  readonly pace: Pace;
}

export async function walkCopy(from: ConfinedPath, to: ConfinedPath, options: WalkOptions): Promise<void> {
  const info = lstat(from);
  if (info === undefined) return;
  await walkFolder({ from, to, found: from, info, belowLink: false }, {
    ...options,
    top: from,
    above: [],
    goal: undefined,
    followed: new Set(),
  });
}

interface Walking extends WalkOptions {
  /** The requested folder. */
  readonly top: ConfinedPath;
  /** The real folders being copied, to stop a link that leads back up. */
  readonly above: readonly string[];
  /** The folder that everything goes into: if it is mounted twice, it can also be reached through the source. */
  readonly goal: Deno.FileInfo | undefined;
  /** The folders that links below links were followed to, in the whole call. */
  readonly followed: Set<string>;
}

async function walkFolder(pair: Pair, outer: Walking): Promise<void> {
  const { from, to, found, info } = pair;
  const { hand, pace } = outer;
  const finish = await hand.folder(pair);
  const walking = { ...outer, goal: outer.goal ?? lstat(to), above: [...outer.above, from.absolute] };
  const belowLink = pair.belowLink || info.isSymlink;
  const { entries, unnamed } = readFolderCounted(from);
  if (unnamed > 0) hand.leftOut(found, unnamed);
  for (const { name } of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
    await pace.step();
    const child = childOf(from, name);
    const hidden = isGitName(name) && (from.owner.git === "hidden" || to.owner.git !== "open");
    const next = hidden ? undefined : pairOf(child, childOf(to, name), { ...walking, belowLink });
    if (next === undefined) hand.leftOut(child, 1);
    else if (next.isFolder) await walkFolder(next, walking);
    else await hand.file(next);
  }
  await finish?.();
}

/** What a folder contains under one name, and where it goes; undefined if it is left out. */
function pairOf(
  found: ConfinedPath,
  to: ConfinedPath,
  { top, above, goal, followed, belowLink }: Walking & { belowLink: boolean },
): Pair & { isFolder: boolean } | undefined {
  const info = lstat(found);
  if (info === undefined) return undefined;
  const from = sourceOf(found, { isLink: info.isSymlink, top });
  const source = from && lstat(from);
  if (from === undefined || source === undefined || above.includes(from.absolute)) return undefined;
  if (!source.isFile && !source.isDirectory) return undefined;
  const target = destinationOf(to, above);
  const pair = { from, to: target, found, info, belowLink, isFolder: source.isDirectory };
  if (source.isFile) return pair;
  if (contains(from.absolute, target.absolute) || isOne(source, goal)) return undefined;
  if (to.owner.git !== "open" && isGitFolder(from.absolute)) return undefined;
  if (info.isSymlink && belowLink && followed.has(from.absolute)) return undefined;
  if (info.isSymlink && belowLink) followed.add(from.absolute);
  return pair;
}
