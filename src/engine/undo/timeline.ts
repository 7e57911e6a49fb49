/** The changes of a store in order of time, for a person: filtered, page by page, and counted. */
import { pathRange, pathsOf, TOUCHES_PATH } from "./history.ts";
import type { ChangeRow } from "./records.ts";
import type { UndoStore } from "./store.ts";

export interface TimelineQuery {
  readonly path?: string | undefined;
  readonly client?: string | undefined;
  readonly tool?: string | undefined;
  /** Milliseconds since 1970, inclusive. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Part of the summary, the client, the tool, the id or a path; ignores case. */
  readonly text?: string | undefined;
  readonly undone?: boolean | undefined;
  /** Only what comes after this position in the order: older, or as old and with a smaller number. */
  readonly after?: { readonly time: number; readonly seq: number } | undefined;
  readonly limit: number;
}

export interface TimelineEntry {
  readonly change: ChangeRow;
  /** The first few. */
  readonly paths: readonly string[];
  readonly pathCount: number;
}

const MOST_PATHS = 10;
/** What agents did: other programs' changes have records of their own, and unfinished ones are not listed yet. */
const LISTED = "state = 'made' and tool <> 'person'";

/** Newest first. */
export function timeline(store: UndoStore, query: TimelineQuery): TimelineEntry[] {
  const conditions = [LISTED];
  const values: (string | number)[] = [];
  const where = (condition: string, ...given: (string | number)[]) => {
    conditions.push(condition);
    values.push(...given);
  };
  const { after, client, tool, since, until, path, text, undone } = query;
  if (after !== undefined) where("(time, seq) < (?, ?)", after.time, after.seq);
  if (client !== undefined) where("client = ?", client);
  if (tool !== undefined) where("tool = ?", tool);
  if (since !== undefined) where("time >= ?", since);
  if (until !== undefined) where("time <= ?", until);
  if (undone !== undefined) where(undone ? "undone_by is not null" : "undone_by is null");
  if (path !== undefined && path !== "") where(TOUCHES_PATH, ...pathRange(path));
  if (text !== undefined && text !== "") where(CONTAINS_TEXT, ...Array(6).fill(likeText(text)));
  const found = store.records.select(
    `where ${conditions.join(" and ")} order by time desc, seq desc limit ?`,
    ...values,
    query.limit,
  );
  return found.map((change) => entryOf(store, change));
}

const CONTAINS_TEXT = `(${
  ["summary", "client", "tool", "id"].map((column) => `${column} like ? escape '\\'`).join(" or ")
} or exists (select 1 from step where change = seq and (path like ? escape '\\' or dest like ? escape '\\')))`;

/** A pattern for what contains a text, whose own % and _ are literal. */
function likeText(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}

/** A change with the first of its paths. */
export function entryOf({ records }: UndoStore, change: ChangeRow): TimelineEntry {
  const { steps, count } = records.firstSteps(change.seq, MOST_PATHS);
  return { change, paths: [...new Set(steps.flatMap(pathsOf))].slice(0, MOST_PATHS), pathCount: count };
}

/** Distinguishes the changes of a store at one moment from those at another. */
export interface Marks {
  readonly count: number;
  /** When the newest was made. */
  readonly newest: number | undefined;
  /** The largest number there is. */
  readonly last: number;
}

export function marksOf({ db }: UndoStore): Marks {
  const row = db.get(
    `select count(*) as n, max(time) as newest, max(seq) as last from change where ${LISTED}`,
  );
  return {
    count: Number(row?.n ?? 0),
    newest: row?.newest === null || row?.newest === undefined ? undefined : Number(row.newest),
    last: Number(row?.last ?? 0),
  };
}

export interface Tally {
  readonly name: string | null;
  readonly count: number;
  readonly newest: number;
}

/** How many changes each client or tool made, the most first. */
export function tally(
  { db }: UndoStore,
  { by, since = 0, limit }: { by: "client" | "tool"; since?: number; limit: number },
): Tally[] {
  return db.all(
    `select ${by} as name, count(*) as n, max(time) as newest from change where ${LISTED} and time >= ? ` +
      `group by ${by} order by n desc limit ?`,
    since,
    limit,
  ).map(({ name, n, newest }) => ({
    name: name === null ? null : String(name),
    count: Number(n),
    newest: Number(newest),
  }));
}
