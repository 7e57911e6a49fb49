/** Identifies a plan, so that exactly what was previewed is done. */
import { createHash } from "node:crypto";
import { PaddockError } from "../../../base/errors.ts";
import type { TreeEntry } from "../objects/tree.ts";
import type { Difference } from "./tree_diff.ts";

export interface Planned {
  /** The commit to restore or to revert. */
  readonly commit: string;
  readonly changes: readonly Difference[];
}

/** The hash of the current plan. Fails if another one is expected. */
export function agreedPlan(planned: Planned, expected: string | undefined): string {
  const hash = planHash(planned);
  if (expected === undefined || expected === hash) return hash;
  throw new PaddockError(
    "CONFLICT",
    "conflict: the plan is out of date, because something has changed since it was made; nothing was " +
      "changed: ask for a new plan",
    { data: { plan: "stale" } },
  );
}

function planHash({ commit, changes }: Planned): string {
  const told = (entry: TreeEntry | undefined) => entry === undefined ? "-" : `${entry.mode} ${entry.oid}`;
  const hash = createHash("sha256").update(commit);
  for (const { name, before, after } of changes) hash.update(`\n${told(before)} ${told(after)} ${name}`);
  return hash.digest("hex").slice(0, 32);
}
