/**
 * Staged packs: written in `.git/mcp`, where git does not see them, then placed among its own. The index goes
 * last, because git recognises a pack by it.
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { PaddockError } from "../../../base/errors.ts";
import type { GitFolder } from "../git/git_folder.ts";
import { isUnsupported } from "../git/lock_by_link.ts";
import { CHECKSUM, PACKS } from "./pack_format.ts";
import type { EncodedPack } from "./pack_writer.ts";

const STAGED = "mcp";
const ENDINGS = [".pack", ".idx"] as const;
const CHUNK = 256 * 1024;

/** Where a pack is staged, without the extension. */
export function stagedPath(name: string): string {
  return `${STAGED}/${name}`;
}

/** Writes a pack; the caller syncs and closes the files. */
export function stagePack(git: GitFolder, { name, pack, index }: EncodedPack): Deno.FsFile[] {
  const file = git.recreate(`${stagedPath(name)}.pack`, pack, { mode: 0o444 });
  try {
    return [file, git.recreate(`${stagedPath(name)}.idx`, index, { mode: 0o444 })];
  } catch (error) {
    file.close();
    unstagePack(git, name);
    throw error;
  }
}

/** Removes a pack's staged names, whether it was placed or not. */
export function unstagePack(git: GitFolder, name: string): void {
  git.remove(keepPath(name));
  for (const ending of ENDINGS) git.remove(stagedPath(name) + ending);
}

/** Whether a pack is still staged. */
export function isStaged(git: GitFolder, name: string): boolean {
  return ENDINGS.some((ending) => git.stat(stagedPath(name) + ending) !== undefined);
}

/**
 * Places a pack, unless it is placed already. It also keeps its staged name, and a `.keep` file tells git to
 * keep it (as `git fetch` does): until the branch refers to its objects, a `git repack -ad` takes them for
 * garbage, and may remove the pack long after it decided that.
 */
export function placePack(git: GitFolder, name: string): void {
  keep(git, name);
  for (const ending of ENDINGS) {
    const [from, to] = [stagedPath(name) + ending, `${PACKS}/${name}${ending}`];
    try {
      place(git, from, to);
    } catch (error) {
      const isPlaced = error instanceof PaddockError && error.code === "NOT_FOUND" &&
        git.stat(to) !== undefined;
      if (!isPlaced) throw error;
    }
  }
}

/** A second name is cheaper than a file of its own; git does not care what is in it. */
function keep(git: GitFolder, name: string): void {
  try {
    git.link(`${stagedPath(name)}.idx`, keepPath(name)); // an existing one will do
  } catch (error) {
    const isGone = error instanceof PaddockError && error.code === "NOT_FOUND"; // the file, or the folder
    if (!isGone && !isUnsupported(error)) throw error;
    git.makeFolder(PACKS);
    git.recreate(keepPath(name), new Uint8Array(), { mode: 0o444 }).close();
  }
}

function keepPath(name: string): string {
  return `${PACKS}/${name}.keep`;
}

/** On a file system without hard links the pack has only the one name. */
function place(git: GitFolder, from: string, to: string): void {
  try {
    git.link(from, to);
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    git.rename(from, to);
  }
}

/** Whether a pack is complete, placed or staged: both of its files end in their own checksum. */
export function isWholePack(git: GitFolder, name: string): boolean {
  return ENDINGS.every((ending) =>
    [stagedPath(name) + ending, `${PACKS}/${name}${ending}`].some((path) => isSealed(git, path))
  );
}

function isSealed(git: GitFolder, path: string): boolean {
  if (git.stat(path) === undefined) return false;
  using file = git.openToRead(path);
  let left = file.statSync().size - CHECKSUM;
  if (left < 0) return false;
  const hash = createHash("sha1");
  const chunk = Buffer.alloc(CHUNK);
  while (left > 0) {
    const read = file.readSync(chunk.subarray(0, Math.min(left, CHUNK)));
    if (read === null) return false;
    hash.update(chunk.subarray(0, read));
    left -= read;
  }
  const read = file.readSync(chunk.subarray(0, CHECKSUM));
  return read === CHECKSUM && hash.digest().equals(chunk.subarray(0, CHECKSUM));
}
