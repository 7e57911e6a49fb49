/** Conflicts: reported with the file, the lines and the later change; nothing is changed then. */
import { PaddockError } from "../../base/errors.ts";
import { quote } from "../../confine/path_rules.ts";
import { type ChangeRow, PERSON, type Records } from "./records.ts";

/** The same as the conflict's message, for programs. */
export interface ConflictFacts {
  /** Counted from 1. */
  readonly lines?: { readonly first: number; readonly last: number };
  /** The change made since, if it is recorded. */
  readonly later?: Pick<ChangeRow, "id" | "tool" | "client"> | undefined;
}

export function conflict(path: string, why: string, { lines, later }: ConflictFacts = {}): PaddockError {
  const named = later && later.tool !== PERSON && { id: later.id, tool: later.tool, client: later.client };
  return new PaddockError("CONFLICT", `conflict: ${quote(path)} ${why}; nothing was changed`, {
    data: { conflict: { path, lines: lines ?? null, later: named || null } },
  });
}

/** Somebody was faster: everything is as before, and a new plan may fit. */
export class Meanwhile extends PaddockError {
  constructor(path: string) {
    super("CONFLICT", `conflict: ${quote(path)} has changed in the meantime; nothing was changed`);
  }
}

/** Something that can only be moved, not copied, would have to go to another file system. */
export class Elsewhere extends PaddockError {
  constructor(path: string) {
    const why = "cannot be moved to the undo store, which is on another file system";
    super("CONFLICT", `conflict: ${quote(path)} ${why}; nothing was changed`);
  }
}

/** The last change of a path after the given one; undefined for another program. */
export function laterAt(
  records: Records,
  path: string,
  after: { seq: number; n: number },
): ChangeRow | undefined {
  let last: ChangeRow | undefined;
  let at: { seq: number; n: number } = after;
  for (let looks = 0; looks < 1_000; looks++) {
    const row = records.touching(path, at, "after");
    if (row === undefined) break;
    if (row.seq !== after.seq) last = records.change(row.seq) ?? last;
    at = row;
  }
  return last?.tool === PERSON ? undefined : last;
}

/** For the end of a sentence. */
export function byChange(change: ChangeRow | undefined): string {
  if (change === undefined || change.tool === PERSON) return " by another program";
  const client = change.client === null ? "" : ` of ${change.client}`;
  return ` by change ${change.id} (${change.tool}${client})`;
}
