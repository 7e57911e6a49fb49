/** Finds the changes that are meant: by the beginning of an id, or the newest. */
import { PaddockError } from "../../base/errors.ts";
import { quote } from "../../confine/path_rules.ts";
import { looksLikeId } from "./ids.ts";
import { type ChangeRow, PERSON, type Records } from "./records.ts";

export function changeNamed(records: Records, given: string): ChangeRow {
  const prefix = given.trim().toLowerCase();
  const found = looksLikeId(prefix)
    ? records.changesNamed(prefix).filter(({ state, tool }) => state === "made" && tool !== PERSON)
    : [];
  const [change, other] = found;
  if (change === undefined) {
    throw new PaddockError("NOT_FOUND", `no change ${quote(given)}; ${newestOf(records)}`);
  }
  if (other !== undefined && change.id !== prefix) {
    throw new PaddockError(
      "INVALID_INPUT",
      `${quote(given)} is the beginning of several ids; give more of it`,
    );
  }
  return change;
}

/** The newest changes of a session that are not undone and do not undo others, newest first. */
export function newestChanges(
  records: Records,
  { session, count }: { session: string; count: number },
): ChangeRow[] {
  const found = records.select(
    "where session = ? and state = 'made' and undone_by is null and undoes is null and tool <> 'person' " +
      "order by seq desc limit ?",
    session,
    count,
  );
  if (found.length === count) return found;
  const what = found.length === 0
    ? "there is nothing to undo in this session"
    : `there are only ${found.length} changes to undo in this session`;
  throw new PaddockError("NOT_FOUND", `${what}; ${newestOf(records)}`);
}

/** For an error: what could have been meant. */
export function newestOf(records: Records): string {
  const newest = records.select("where state = 'made' and tool <> 'person' order by seq desc limit 3");
  if (newest.length === 0) return "no change has been recorded in this root";
  const listed = newest.map(({ id, summary, client, undoneBy }) =>
    `${id} (${summary}${client === null ? "" : `, ${client}`}${undoneBy === null ? "" : ", undone"})`
  );
  return `the newest changes are ${listed.join(", ")}: give one of them as id`;
}

/** Throws if a change cannot be undone, whatever is there now. */
export function refuseUndo({ id, whyNot, undoneBy }: ChangeRow): void {
  if (undoneBy !== null) {
    throw new PaddockError(
      "CONFLICT",
      `change ${id} was already undone by ${undoneBy}; undo that to redo it`,
    );
  }
  if (whyNot !== null) throw new PaddockError("UNSUPPORTED", `change ${id} cannot be undone: ${whyNot}`);
}
