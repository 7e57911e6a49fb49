/** Changes and their steps as rows of the database. All of it runs inside the caller's transaction. */
import type { Database, Row } from "./database.ts";
import { ABSENT, type FileState, selfAndAbove, type State, type Step } from "./state.ts";

/** `open`: in progress or interrupted; `running`: all or nothing, and not finished; `failed`: rolled back. */
export type ChangeStatus = "open" | "made" | "running" | "failed";

export interface ChangeFacts {
  readonly id: string;
  readonly time: number;
  readonly tool: string;
  readonly client: string | null;
  readonly session: string | null;
  readonly summary: string;
  /** Who writes it, see Liveness. */
  readonly writer: string;
}

export interface ChangeRow extends ChangeFacts {
  readonly seq: number;
  readonly state: ChangeStatus;
  readonly whyNot: string | null;
  readonly undoes: readonly string[];
  readonly undoneBy: string | null;
  readonly also: { root: string; id: string } | null;
}

export interface StepRow {
  readonly seq: number;
  readonly n: number;
  readonly step: Step;
  readonly made: boolean | undefined;
}

export const PERSON = "person";

const CHANGE_COLUMNS =
  "seq, id, time, tool, client, session, summary, state, writer, why_not, undoes, undone_by, also_root, also_id";

/** As the index has it: SQLite uses a partial index only where it can see that the condition is the same. */
export const IS_UNFINISHED = "state in ('running', 'open')";

export class Records {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns the number by which it is ordered. */
  addChange(facts: ChangeFacts, state: ChangeStatus, undoes: readonly string[] = []): number {
    const { id, time, tool, client, session, summary, writer } = facts;
    this.#db.run(
      "insert into change (id, time, tool, client, session, summary, writer, state, undoes) " +
        "values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      id,
      time,
      tool,
      client,
      session,
      summary,
      writer,
      state,
      undoes.length === 0 ? null : undoes.join(" "),
    );
    return Number(this.#db.get("select seq from change where id = ?", id)?.seq);
  }

  addStep(seq: number, n: number, step: Step & { made?: boolean | undefined }): void {
    const { dest = null, offset = null, cut = null, add = null, before = null, after = null } = step as
      & { [key in "dest" | "cut" | "add"]?: string }
      & { offset?: number; before?: State; after?: State };
    this.#db.run(
      `insert or replace into step (change, n, op, path, dest, offset, cut, added, made,
        before_kind, before_mode, before_uid, before_gid, before_size, before_hash, before_target, before_kept,
        after_kind, after_mode, after_uid, after_gid, after_size, after_hash, after_target, after_kept)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      seq,
      n,
      step.op,
      step.path,
      dest,
      offset,
      cut,
      add,
      step.made === undefined ? null : step.made ? 1 : 0,
      ...columnsOf(before),
      ...columnsOf(after),
    );
  }

  /** Undefined while it is about to be made, or to be rolled back. */
  setMade(seq: number, n: number, made: boolean | undefined): void {
    const value = made === undefined ? null : made ? 1 : 0;
    this.#db.run("update step set made = ? where change = ? and n = ?", value, seq, n);
  }

  setState(seq: number, state: ChangeStatus): void {
    this.#db.run("update change set state = ? where seq = ?", state, seq);
  }

  setWhyNot(seq: number, why: string): void {
    this.#db.run("update change set why_not = ? where seq = ?", why, seq);
  }

  setAlso(seq: number, also: { root: string; id: string }): void {
    this.#db.run("update change set also_root = ?, also_id = ? where seq = ?", also.root, also.id, seq);
  }

  setUndoneBy(id: string, by: string | null): void {
    this.#db.run("update change set undone_by = ? where id = ?", by, id);
  }

  dropChange(seq: number): void {
    this.#db.run("delete from change where seq = ?", seq);
  }

  change(seq: number): ChangeRow | undefined {
    return changeOf(this.#db.get(`select ${CHANGE_COLUMNS} from change where seq = ?`, seq));
  }

  /** All changes whose ids begin with a text. */
  changesNamed(prefix: string): ChangeRow[] {
    return this.#changes("where id >= ? and id < ? order by seq limit 10", prefix, `${prefix}~`);
  }

  /** The numbers of the changes that a change undoes. */
  undoneIn(seq: number): number[] {
    const undoes = this.change(seq)?.undoes ?? [];
    return undoes.flatMap((id) => this.changesNamed(id).map((change) => change.seq));
  }

  /** Asked before every change, so it must be quick among any number of them. */
  changesIn(state: "open" | "running"): ChangeRow[] {
    return this.#changes(`where state = ? and ${IS_UNFINISHED} order by seq`, state);
  }

  /** By any condition, in any order. */
  select(sql: string, ...values: (string | number)[]): ChangeRow[] {
    return this.#changes(sql, ...values);
  }

  steps(seq: number): StepRow[] {
    return this.#db.all("select * from step where change = ? order by n", seq).map(stepOf);
  }

  /** The first steps of a change, and how many there are. */
  firstSteps(seq: number, limit: number): { steps: StepRow[]; count: number } {
    const steps = this.#db.all("select * from step where change = ? order by n limit ?", seq, limit).map(
      stepOf,
    );
    const count = Number(this.#db.get("select count(*) as n from step where change = ?", seq)?.n);
    return { steps, count };
  }

  /** The last step at exactly this path, not one that moved or removed a folder above it. */
  lastAt(path: string): StepRow | undefined {
    const row = this.#db.get(
      "select * from step where path = ? and made = 1 order by change desc, n desc limit 1",
      path,
    );
    return row && stepOf(row);
  }

  /** Whether anything moved or removed the path, or a folder above it, after a step. */
  wasTakenAlong(path: string, after: { seq: number; n: number }): boolean {
    return selfAndAbove(path).some((at) =>
      this.#db.get(
          "select 1 from step where path = ? and (change, n) > (?, ?) and made is not 0 and (op = 'move' or path <> ?)",
          at,
          after.seq,
          after.n,
          path,
        ) !== undefined ||
      this.#db.get(
          "select 1 from step where dest = ? and (change, n) > (?, ?) and made is not 0",
          at,
          after.seq,
          after.n,
        ) !== undefined
    );
  }

  /** The next step, in one direction of time, that touches a path or a folder above it. */
  touching(path: string, from: { seq: number; n: number }, way: "after" | "upTo"): StepRow | undefined {
    const [compare, order, better] = way === "after"
      ? [">", "asc", (a: StepRow, b: StepRow) => a.seq < b.seq || (a.seq === b.seq && a.n < b.n)] as const
      : ["<=", "desc", (a: StepRow, b: StepRow) => a.seq > b.seq || (a.seq === b.seq && a.n > b.n)] as const;
    let best: StepRow | undefined;
    for (const at of selfAndAbove(path)) {
      for (const column of ["path", "dest"]) {
        const row = this.#db.get(
          `select * from step where ${column} = ? and (change, n) ${compare} (?, ?) and made is not 0 ` +
            `order by change ${order}, n ${order} limit 1`,
          at,
          from.seq,
          from.n,
        );
        const found = row && stepOf(row);
        if (found !== undefined && (best === undefined || better(found, best))) best = found;
      }
    }
    return best;
  }

  #changes(where: string, ...values: (string | number)[]): ChangeRow[] {
    return this.#db.all(`select ${CHANGE_COLUMNS} from change ${where}`, ...values)
      .flatMap((row) => changeOf(row) ?? []);
  }
}

function changeOf(row: Row | undefined): ChangeRow | undefined {
  if (row === undefined) return undefined;
  const text = (name: string) => row[name] === null || row[name] === undefined ? null : String(row[name]);
  const also = text("also_id");
  return {
    seq: Number(row.seq),
    id: String(row.id),
    time: Number(row.time),
    tool: String(row.tool),
    client: text("client"),
    session: text("session"),
    summary: String(row.summary),
    state: String(row.state) as ChangeStatus,
    writer: text("writer") ?? "",
    whyNot: text("why_not"),
    undoes: text("undoes")?.split(" ") ?? [],
    undoneBy: text("undone_by"),
    also: also === null ? null : { root: text("also_root") ?? "", id: also },
  };
}

type Column = string | number | null;

function columnsOf(state: State | null): Column[] {
  if (state === null) return Array(8).fill(null);
  const { kind, mode = null, uid = null, gid = null, size = null, hash = null, target = null, kept = null } =
    state as
      & { kind: string }
      & { [key in "mode" | "uid" | "gid" | "size"]?: number | null }
      & {
        [key in "hash" | "target" | "kept"]?: string;
      };
  return [kind, mode, uid, gid, size, hash, target, kept];
}

export function stepOf(row: Row): StepRow {
  const made = row.made === null ? undefined : row.made === 1;
  return { seq: Number(row.change), n: Number(row.n), step: readStep(row), made };
}

function readStep(row: Row): Step {
  const path = String(row.path);
  switch (row.op) {
    case "move":
      return { op: "move", path, dest: String(row.dest) };
    case "splice":
      return {
        op: "splice",
        path,
        before: readState(row, "before") as FileState,
        after: readState(row, "after") as FileState,
        offset: Number(row.offset),
        cut: String(row.cut),
        add: String(row.added),
      };
    default:
      return { op: "put", path, before: readState(row, "before"), after: readState(row, "after") };
  }
}

function readState(row: Row, side: "before" | "after"): State {
  const value = (name: string) => row[`${side}_${name}`];
  const number = (name: string) => value(name) === null ? null : Number(value(name));
  const kept = value("kept") === null ? {} : { kept: String(value("kept")) };
  const hash = value("hash") === null ? {} : { hash: String(value("hash")) };
  const owned = { mode: number("mode") ?? 0, uid: number("uid"), gid: number("gid") };
  switch (value("kind")) {
    case "file":
      return { kind: "file", ...owned, size: number("size") ?? 0, ...hash, ...kept };
    case "folder":
      return { kind: "folder", ...owned };
    case "tree":
      return { kind: "tree", ...owned, size: number("size") ?? 0, ...hash, ...kept };
    case "link":
      return { kind: "link", target: String(value("target")), ...kept };
    case "other":
      return { kind: "other", ...kept };
    default:
      return ABSENT;
  }
}
