/** The versions of one file, newest change first, through moves and under all its names. */
import type { ChangeRow, StepRow } from "./records.ts";
import { ABSENT, liesIn, movedTo, type State } from "./state.ts";
import type { UndoStore } from "./store.ts";

export interface FileVersion {
  readonly change: ChangeRow;
  /** The file's path after the change, or before it if it was moved away or removed. */
  readonly path: string;
  /** Where it was moved from. */
  readonly from?: string;
  readonly before: State | undefined;
  readonly after: State | undefined;
}

/** A position in the list, to continue from. */
export interface VersionPlace {
  readonly seq: number;
  readonly n: number;
  readonly path: string;
}

const END = Number.MAX_SAFE_INTEGER;

export function fileVersions(
  { records }: UndoStore,
  { path, limit, after }: { path: string; limit: number; after?: VersionPlace | undefined },
): { versions: FileVersion[]; next?: VersionPlace } {
  const versions: FileVersion[] = [];
  let at: VersionPlace = after ?? { seq: END, n: END, path };
  for (;;) {
    const row = records.touching(at.path, at, "upTo");
    if (row === undefined) return { versions };
    if (versions.length >= limit) return { versions, next: at };
    const change = records.change(row.seq);
    const version = change?.state === "made" && row.made === true
      ? versionOf(change, row, at.path)
      : undefined;
    if (version !== undefined) versions.push(version);
    at = { seq: row.seq, n: row.n - 1, path: version?.from ?? at.path };
  }
}

function versionOf(change: ChangeRow, { step }: StepRow, path: string): FileVersion | undefined {
  if (step.op !== "move") {
    if (step.path === path) return { change, path, before: step.before, after: step.after };
    // A folder removed or created with everything in it; one by itself says nothing about its contents.
    if (step.before.kind === "tree") return { change, path, before: undefined, after: ABSENT };
    return step.after.kind === "tree" ? { change, path, before: ABSENT, after: undefined } : undefined;
  }
  if (liesIn(step.dest, path)) {
    return {
      change,
      path,
      from: movedTo(path, { from: step.dest, to: step.path }),
      before: undefined,
      after: undefined,
    };
  }
  return { change, path, before: undefined, after: ABSENT };
}
