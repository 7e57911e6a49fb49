/** Lists changes, newest first, page by page; and shows one change with its files and its diff. */
import { PaddockError } from "../../base/errors.ts";
import { changeNamed } from "./select.ts";
import type { ChangeRow, StepRow } from "./records.ts";
import type { Step } from "./state.ts";
import type { UndoStore } from "./store.ts";
import { type View, viewOf } from "./view.ts";

export interface HistoryQuery {
  readonly path?: string | undefined;
  readonly client?: string | undefined;
  /** Milliseconds since 1970. */
  readonly since?: number | undefined;
  readonly limit: number;
  /** The id of the last change of the page before. */
  readonly before?: string | undefined;
}

export interface HistoryEntry {
  id: string;
  time: string;
  tool: string;
  client: string | null;
  summary: string;
  paths: string[];
  path_count: number;
  undoable: boolean;
  /** If it cannot be undone. */
  why_not?: string;
  undone_by?: string;
  undoes?: string[];
  also?: { root: string; id: string };
}

export interface HistoryPage {
  changes: HistoryEntry[];
  /** For `before`, if there is more. */
  next?: string;
}

/** How many paths of a change are listed. */
const MOST_PATHS = 10;

export function history(store: UndoStore, query: HistoryQuery): HistoryPage {
  const { records } = store;
  const conditions = ["state = 'made'", "tool <> 'person'"];
  const values: (string | number)[] = [];
  const where = (condition: string, ...given: (string | number)[]) => {
    conditions.push(condition);
    values.push(...given);
  };
  if (query.before !== undefined) where("seq < ?", changeNamed(records, query.before).seq);
  if (query.client !== undefined) where("client = ?", query.client);
  if (query.since !== undefined) where("time >= ?", query.since);
  if (query.path !== undefined && query.path !== "") {
    where(TOUCHES_PATH, ...pathRange(query.path));
  }
  const found = records.select(
    `where ${conditions.join(" and ")} order by seq desc limit ?`,
    ...values,
    query.limit + 1,
  );
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  const changes = page.map((change) => entryOf(store, change));
  return { changes, ...(found.length > page.length && last !== undefined && { next: last.id }) };
}

/** Selects changes that touch a path, or something below it. */
export const TOUCHES_PATH = "seq in (select change from step where path = ? or (path > ? and path < ?) " +
  "union select change from step where dest = ? or (dest > ? and dest < ?))";

/** The values for it. */
export function pathRange(path: string): string[] {
  const range = [path, `${path}/`, `${path}0`]; // 0 comes right after /
  return [...range, ...range];
}

function entryOf({ records }: UndoStore, change: ChangeRow): HistoryEntry {
  const { steps, count } = records.firstSteps(change.seq, MOST_PATHS);
  const { id, time, tool, client, summary, whyNot, undoneBy, undoes, also } = change;
  return {
    id,
    time: new Date(time).toISOString(),
    tool,
    client,
    summary,
    paths: [...new Set(steps.flatMap(pathsOf))].slice(0, MOST_PATHS),
    path_count: count,
    undoable: whyNot === null && undoneBy === null,
    ...(whyNot !== null && { why_not: whyNot }),
    ...(undoneBy !== null && { undone_by: undoneBy }),
    ...(undoes.length > 0 && { undoes: [...undoes] }),
    ...(also !== null && { also }),
  };
}

export function pathsOf({ step }: StepRow): string[] {
  return step.op === "move" ? [step.path, step.dest] : [step.path];
}

export interface ShownChange
  extends Pick<HistoryEntry, "id" | "time" | "tool" | "client" | "summary">, View {}

export async function showChange(store: UndoStore, id: string, signal?: AbortSignal): Promise<ShownChange> {
  const { change, steps } = showableSteps(store, id);
  const view = await viewOf(steps, {
    bytes: (state) =>
      Promise.resolve(
        state.kind === "file" && state.hash !== undefined ? store.contents.get(state.hash) : undefined,
      ),
    signal,
  });
  const { time, tool, client, summary } = change;
  return { id: change.id, time: new Date(time).toISOString(), tool, client, summary, ...view };
}

/** A change, and what it did. */
export function showableSteps({ records }: UndoStore, id: string): { change: ChangeRow; steps: Step[] } {
  const change = changeNamed(records, id);
  const steps = records.steps(change.seq).flatMap(({ step, made }) => made === false ? [] : [step]);
  return { change, steps };
}

/** A time with a zone, as milliseconds since 1970. */
export function timeOf(given: string, argument: string): number {
  const time = /(?:z|[+-]\d\d:?\d\d)$/i.test(given.trim()) ? Date.parse(given) : NaN;
  if (!Number.isNaN(time)) return time;
  throw new PaddockError(
    "INVALID_INPUT",
    `${argument} must be a time with a zone, such as 2026-01-31T12:00:00Z; ${
      JSON.stringify(given.slice(0, 80))
    } was given`,
  );
}
