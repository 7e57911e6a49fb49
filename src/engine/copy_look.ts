/**
 * Checks a folder before it is copied: what cannot be read, and what is in the way at the destination, is found
 * before anything is copied that would have to be reported or removed again.
 */
import { PaddockError } from "../base/errors.ts";
import { lstat, openForLock, UnprovenFile } from "../confine/confined_fs.ts";
import { quote } from "../confine/path_rules.ts";
import { type ConfinedPath, parentOf } from "../confine/resolve_path.ts";
import { type CopyHand, type Pair, walkCopy } from "./copy_tree.ts";
import { refuseFixed } from "./removable.ts";
import type { Pace } from "./yield.ts";

export interface CopyPlan {
  /** How many files will be copied. */
  files: number;
  /** The first entry that will be left out, and how many there are. */
  leftOut: { first: ConfinedPath | undefined; entries: number };
}

export async function lookBeforeCopy(from: ConfinedPath, to: ConfinedPath, pace: Pace): Promise<CopyPlan> {
  const plan: CopyPlan = { files: 0, leftOut: { first: undefined, entries: 0 } };
  await walkCopy(from, to, { hand: looking(plan), pace });
  return plan;
}

function looking(plan: CopyPlan): CopyHand {
  const known = new Set<string>(); // folders that will be new, or whose names can be changed
  const refuseIn = async (folder: ConfinedPath) => {
    if (known.has(folder.absolute)) return;
    await refuseFixed(nearestFolder(folder));
    known.add(folder.absolute);
  };
  return {
    folder: async ({ to }) => {
      const there = lstat(to);
      if (there?.isDirectory === false) {
        throw new PaddockError(
          "ALREADY_EXISTS",
          `path exists and is a file, not a folder: ${quote(to.given)}`,
        );
      }
      if (there === undefined) {
        await refuseIn(parentOf(to));
        known.add(to.absolute);
      }
      return undefined;
    },
    file: async (pair) => {
      refuseSame(pair);
      await refuseIn(parentOf(pair.to));
      using _readable = await UnprovenFile.open(pair.from);
      if (lstat(pair.to) !== undefined) openForLock(pair.to).close(); // opened as it will be when it is replaced
      plan.files++;
    },
    leftOut: (path, entries) => {
      plan.leftOut.first ??= path;
      plan.leftOut.entries += entries;
    },
  };
}

export function refuseSame({ from, to }: Pick<Pair, "from" | "to">): void {
  if (from.absolute !== to.absolute) return;
  throw new PaddockError("INVALID_INPUT", `source and destination are the same file: ${quote(from.given)}`);
}

/** The folder in which the first new name will be: this one, or the first existing one above it. */
function nearestFolder(path: ConfinedPath): ConfinedPath {
  let at = path;
  while (at.relative !== "" && lstat(at) === undefined) at = parentOf(at);
  return at;
}
