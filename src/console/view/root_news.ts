/** What has happened in a store since it was last checked. */
import {
  type ChangeRow,
  entryOf,
  marksOf,
  type TimelineEntry,
  type UndoStore,
} from "../../engine/undo/looking.ts";

/** If there are more new changes than this at once, they are not reported one by one. */
const MOST_NEWS = 100;

interface Seen {
  version: number;
  count: number;
  last: number;
  /** Numbers of changes in progress. */
  open: ReadonlySet<number>;
}

export class RootNews {
  #seen: Seen | undefined;

  /**
   * Changes that are new or have changed, oldest first; "many" if there are too many to report. In a store that is
   * new, all are new.
   */
  since(store: UndoStore, { isNew }: { isNew: boolean }): readonly TimelineEntry[] | "many" {
    const version = store.db.dataVersion;
    const before = this.#seen ?? (isNew ? NOTHING_SEEN : undefined);
    if (before?.version === version) return [];
    return store.db.read(() => {
      const { count, last } = marksOf(store);
      const open = new Set(store.db.all(OPEN).map(({ seq }) => Number(seq)));
      this.#seen = { version, count, last: Math.max(last, before?.last ?? 0), open };
      if (before === undefined) return [];
      const settled = [...before.open].filter((seq) => !open.has(seq) && seq <= before.last);
      const fresh = store.records.select(
        "where seq > ? and state = 'made' and tool <> 'person' order by seq limit ?",
        before.last,
        MOST_NEWS + 1,
      );
      const late = settled.flatMap((seq) => store.records.change(seq) ?? []).filter(isListed);
      const rows = [...late, ...fresh];
      const isLess = count < before.count + rows.length; // some were pruned
      if (rows.length > MOST_NEWS || isLess) return "many";
      return withUndone(store, rows).map((row) => entryOf(store, row));
    });
  }
}

const NOTHING_SEEN: Seen = { version: -1, count: 0, last: 0, open: new Set() };
const OPEN = "select seq from change where state in ('open', 'running')";

function isListed({ state, tool }: ChangeRow): boolean {
  return state === "made" && tool !== "person";
}

/** Includes the changes that they undo, and those that these had undone: all of them have changed. */
function withUndone({ records }: UndoStore, rows: readonly ChangeRow[]): ChangeRow[] {
  const all = new Map<number, ChangeRow>();
  const add = (row: ChangeRow, depth: number) => {
    if (depth > 0) {
      for (const id of row.undoes) for (const undone of records.changesNamed(id)) add(undone, depth - 1);
    }
    all.delete(row.seq);
    if (isListed(row)) all.set(row.seq, row);
  };
  for (const row of rows) add(row, 2);
  return [...all.values()];
}
