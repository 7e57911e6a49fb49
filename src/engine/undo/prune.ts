/**
 * Pruning: drops whole changes, oldest first, when they are older than the limit or the store takes more space than
 * it may (the newest stays: what was just done can be undone), and everything that nothing refers to any more. Runs
 * a while after an answer, never during one.
 */
import { lstat, readFolderRaw } from "../../confine/confined_fs.ts";
import { childOf } from "../../confine/resolve_path.ts";
import { Pace } from "../yield.ts";
import { type Packed, packNow } from "./contents.ts";
import { removeWhole } from "./remove_whole.ts";
import { DAMAGED, type UndoStore } from "./store.ts";
import { listTree } from "./tree_listing.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const WAIT_MS = 1_000;
/** How many changes are dropped in one transaction. */
const BATCH = 200;
/** Something unrecorded in the trash may just be on its way there. */
const UNKNOWN_MS = 60 * 60 * 1000;
const IS_OVER = "state not in ('open', 'running')";
/** The changes to drop need not be consecutive: clocks are set back, and some changes are still in progress. */
const IS_DROPPED = "change in (select value from json_each(?))";

/** Throws StoreTrouble. */
export async function prune(store: UndoStore): Promise<void> {
  await sizeTrash(store);
  let dropped = 0;
  for (;;) {
    const seqs = tooMany(store);
    if (seqs.length === 0) break;
    await dropChanges(store, seqs);
    dropped += seqs.length;
  }
  if (dropped > 0) store.db.run("pragma incremental_vacuum");
  await sweepTrash(store);
  await sweepDamaged(store);
}

/** The next changes to drop. */
function tooMany({ db, settings: { keepDays, maxBytes } }: UndoStore): number[] {
  const oldest = Date.now() - keepDays * DAY_MS;
  const old = db.all(
    `select seq from change where time < ? and ${IS_OVER} order by seq limit ?`,
    oldest,
    BATCH,
  );
  if (old.length > 0) return old.map(({ seq }) => Number(seq));
  const used = Number(
    db.get(
      "select coalesce((select sum(length(data)) from content), 0) + coalesce((select sum(bytes) from trash), 0) as n",
    )?.n,
  );
  if (used <= maxBytes) return [];
  const share = Math.ceil(Number(db.get("select count(*) as n from change")?.n) / 20); // a twentieth at a time
  return db.all(
    `select seq from change where ${IS_OVER} and seq < (select max(seq) from change) order by seq limit ?`,
    Math.max(1, Math.min(share, BATCH)),
  )
    .map(({ seq }) => Number(seq));
}

async function dropChanges(store: UndoStore, seqs: readonly number[]): Promise<void> {
  const dropped = JSON.stringify(seqs);
  const ofNone = "change not in (select seq from change)";
  const names = store.db.all(`select name from trash where ${IS_DROPPED} or ${ofNone}`, dropped)
    .map(({ name }) => String(name));
  await store.db.write(() => {
    for (const base of newBases(store, dropped)) store.contents.put(base);
    for (const seq of seqs) store.records.dropChange(seq);
    for (const name of names) store.db.run("delete from trash where name = ?", name);
    store.db.run(
      "delete from content where hash not in (select before_hash from step where before_hash is not null union " +
        "select after_hash from step where after_hash is not null union select cut from step where cut is not null " +
        "union select added from step where added is not null)",
    );
  }, { deadline: Date.now() + WAIT_MS });
  for (const name of names) await store.trash.drop(name);
}

/**
 * Dropped changes may hold what later appends are computed from: that is stored whole once more. Inside the transaction
 * that drops them, because others may append meanwhile.
 */
function newBases(store: UndoStore, dropped: string): Packed[] {
  const rows = store.db.all(
    `select distinct s.before_hash as hash from step s where s.op = 'splice' and not s.${IS_DROPPED} and exists ` +
      `(select 1 from step o where o.op = 'splice' and o.after_hash = s.before_hash and o.${IS_DROPPED})`,
    dropped,
    dropped,
  );
  return rows.flatMap(({ hash: name }) => {
    const hash = String(name);
    const bytes = store.contents.has(hash) ? undefined : store.contents.get(hash);
    return bytes === undefined ? [] : [packNow(bytes, hash)];
  });
}

/** Measures what went to the trash when there was no time for it. */
async function sizeTrash(store: UndoStore): Promise<void> {
  for (const row of store.db.all("select name from trash where bytes is null")) {
    const name = String(row.name);
    const { entries, bytes } = store.trash.has(name)
      ? await listTree(store.trash.at(name), new Pace(undefined))
      : { entries: [], bytes: 0 };
    await store.db.write(
      () =>
        store.db.run("update trash set entries = ?, bytes = ? where name = ?", entries.length, bytes, name),
      { deadline: Date.now() + WAIT_MS, durable: false },
    );
  }
}

async function sweepTrash(store: UndoStore): Promise<void> {
  for (const name of store.trash.names()) {
    if (store.db.get("select 1 from trash where name = ?", name) !== undefined) continue;
    const changed = lstat(store.trash.at(name))?.ctime?.getTime() ?? Date.now();
    if (Date.now() - changed > UNKNOWN_MS) await store.trash.drop(name);
  }
}

async function sweepDamaged({ folder, settings }: UndoStore): Promise<void> {
  for (const { name, isDirectory } of readFolderRaw(folder)) {
    const since = isDirectory && name.startsWith(DAMAGED) ? Number(name.slice(DAMAGED.length)) : NaN;
    if (Date.now() - since > settings.keepDays * DAY_MS) await removeWhole(childOf(folder, name));
  }
}
