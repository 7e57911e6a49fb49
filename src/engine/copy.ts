/**
 * Copies files and whole folders. A folder is copied while the locks of its roots and the destination's are held,
 * so that nothing is moved or removed under it; its files can be edited meanwhile. It is checked first
 * (copy_look.ts), and copied in the same order (copy_tree.ts). A copy that ends halfway says how far it got.
 */
import { PaddockError } from "../base/errors.ts";
import { ConfinedFile, lstat, openFolder, setOwnership } from "../confine/confined_fs.ts";
import { howToAllow, isGitFolder } from "../confine/git_folders.ts";
import { contains, quote } from "../confine/path_rules.ts";
import { childOf, type ConfinedPath, nameOf } from "../confine/resolve_path.ts";
import { beginChange, type Changing } from "./changing.ts";
import { contentOf } from "./content_of.ts";
import { type CopyPlan, lookBeforeCopy, refuseSame } from "./copy_look.ts";
import { type CopyHand, type Pair, walkCopy } from "./copy_tree.ts";
import { ensureFolder } from "./folders.ts";
import { beforehand, reworded } from "./in_part.ts";
import { isRespelling } from "./spelling.ts";
import { stampOf, type Stamps } from "./stamps.ts";
import { updateFile } from "./update_file.ts";
import { withStructure } from "./with_locks.ts";
import { Pace } from "./yield.ts";

export interface Copied {
  isDirectory: boolean;
  /** Bytes copied. */
  size: number;
  files: number;
  /** Left out: links that are not followed, pipes, sockets, devices, and names that are not valid UTF-8. */
  skipped: number;
}

export interface CopyOptions extends Changing {
  /** Gets a stamp of everything below the source as it was copied. */
  stamps?: Stamps;
  /** Gets what would be left out of a folder before anything is copied, and may refuse. */
  accept?: (leftOut: CopyPlan["leftOut"]) => void;
}

/** Where something goes if a folder is at its destination: into that folder, under its own name. */
export function intoFolder(
  from: ConfinedPath,
  to: ConfinedPath,
  resolve: (relative: string) => ConfinedPath,
): ConfinedPath {
  if (!lstat(to)?.isDirectory || from.absolute === to.absolute || isRespelling(from, to)) return to;
  if (from.relative === "") {
    throw new PaddockError(
      "INVALID_INPUT",
      `${quote(to.given)} is a folder; give the full path of the destination`,
    );
  }
  return resolve(childOf(to, nameOf(from)).relative);
}

/** Copies a file or a folder to exactly `to`. A file there is replaced; a folder there is merged into. */
export async function copyEntry(from: ConfinedPath, to: ConfinedPath, options: CopyOptions): Promise<Copied> {
  const info = lstat(from);
  if (info === undefined) throw new PaddockError("NOT_FOUND", `source file not found: ${from.given}`);
  const copied: Copied = { isDirectory: info.isDirectory, size: 0, files: 0, skipped: 0 };
  if (!info.isDirectory) {
    await copyFile({ from, to }, { copied, changing: options });
    options.stamps?.set(from.absolute, stampOf(info));
    return copied;
  }
  refuseGitFolder(from, to);
  if (contains(from.absolute, to.absolute)) {
    throw new PaddockError(
      "INVALID_INPUT",
      `cannot copy ${quote(from.given)} into itself (${quote(to.given)})`,
    );
  }
  const pace = new Pace(options.signal);
  await withStructure([from, to], async (changing) => {
    const { files } = await beforehand("nothing was copied", async () => {
      const plan = await lookBeforeCopy(from, to, pace);
      options.accept?.(plan.leftOut);
      beginChange(changing);
      return plan;
    });
    try {
      const hand = copying({ copied, changing, stamps: options.stamps });
      await walkCopy(from, to, { hand, pace });
    } catch (error) {
      throw reworded(
        error,
        (reason) =>
          `${quote(from.given)} was copied to ${
            quote(to.given)
          } only in part (${copied.files} of ${files} files, ` +
          `each of them complete; the source is unchanged): ${reason}`,
      );
    }
  }, options);
  return copied;
}

/** A copy of a `.git` under another name could be changed, and git would run what it says. */
function refuseGitFolder(from: ConfinedPath, to: ConfinedPath): void {
  if (to.owner.git === "open" || !isGitFolder(from.absolute)) return;
  throw new PaddockError(
    "NOT_ALLOWED",
    `${
      quote(from.given)
    } is the folder of a git repository, which must not be copied to where it is protected` +
      howToAllow(to.owner),
  );
}

interface Copying {
  readonly copied: Copied;
  readonly changing: Changing;
  readonly stamps?: Stamps | undefined;
}

function copying({ copied, changing, stamps }: Copying): CopyHand {
  const stamp = ({ found, info, belowLink }: Pair) => {
    if (!belowLink) stamps?.set(found.absolute, info.isDirectory ? "folder" : stampOf(info));
  };
  return {
    folder: async (pair) => {
      const { from, to } = pair;
      const mode = (lstat(from)?.mode ?? 0o777) & 0o777;
      const created = await ensureFolder(to, changing);
      if (created) await setFolderMode(to, mode | 0o700); // before it holds anything that others may not see
      stamp(pair);
      return created && (mode & 0o700) !== 0o700 ? () => setFolderMode(to, mode) : undefined;
    },
    file: async (pair) => {
      await copyFile(pair, { copied, changing });
      stamp(pair);
    },
    leftOut: (_path, entries) => {
      copied.skipped += entries;
    },
  };
}

/** As with cp, a copy gets the mode of its source, but never runs as the source's owner (set-id). */
async function copyFile(pair: Pick<Pair, "from" | "to">, { copied, changing }: Copying): Promise<void> {
  refuseSame(pair);
  using source = await ConfinedFile.open(pair.from);
  const content = () => {
    beginChange(changing);
    return contentOf(source, changing.signal);
  };
  const newFileMode = source.mode & 0o777;
  const { size } = await updateFile(pair.to, content, { ...changing, newFileMode });
  copied.size += size;
  copied.files++;
  changing.onEntry?.(copied.files);
}

/** Sets the permissions, but keeps what a folder inherits from the one above it (set-gid). */
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
