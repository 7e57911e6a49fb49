/**
 * A folder whose content is kept file by file, because it cannot be moved to the trash whole: the trash is on
 * another file system, or the folder goes to another root. Either all of it is kept or, if it is too much, nothing.
 */
import { PaddockError } from "../../base/errors.ts";
import { later } from "../../base/later.ts";
import { ConfinedFile, lstat, readLink } from "../../confine/confined_fs.ts";
import { quote } from "../../confine/path_rules.ts";
import type { ConfinedPath } from "../../confine/resolve_path.ts";
import { stampOf, type Stamps } from "../stamps.ts";
import { giveWay, Pace } from "../yield.ts";
import { keepFile } from "./before.ts";
import type { Packed } from "./contents.ts";
import { lookAt, ownedOf } from "./look.ts";
import { ABSENT, type State, type Step } from "./state.ts";
import type { StoreChange } from "./store_change.ts";
import type { UndoStore } from "./store.ts";
import { type Listed, listTree } from "./tree_listing.ts";
import { StoreTrouble } from "./trouble.ts";

/** How many entries, and bytes of contents, go into one transaction. */
const BATCH_ENTRIES = 500;
const BATCH_BYTES = 4 * 1024 * 1024;

export interface KeepingTree {
  readonly change: StoreChange;
  readonly store: UndoStore;
  /** The number of a step that this replaces. */
  readonly instead?: number;
  readonly pace: Pace;
  readonly relativeOf: (path: ConfinedPath) => string;
}

/** The state in which everything kept was found; undefined if it is not kept. */
export async function keepTree(top: ConfinedPath, keeping: KeepingTree): Promise<Stamps | undefined> {
  const { change, store, pace, relativeOf } = keeping;
  const { entries, bytes, unnamed } = await listTree(top, pace);
  const why = unnamed > 0
    ? "it contains names that are not valid UTF-8, which cannot be copied"
    : bytes > change.allowed
    ? `it would mean copying more than ${Math.round(change.allowed / 1024 / 1024)} MB (max_change_mb)`
    : entries.some(({ info }) => !info.isFile && !info.isDirectory)
    ? "it contains links, pipes, sockets or devices, which can be kept only on their own file system"
    : undefined;
  const info = lstat(top);
  if (why !== undefined && info !== undefined) {
    await change.cannotUndo(why);
    const before: State = info.isDirectory
      ? { kind: "tree", ...ownedOf(info), size: entries.length }
      : await bareState(top, info);
    const step: Step = { op: "put", path: relativeOf(top), before, after: ABSENT };
    await change.intend({ steps: [step], instead: keeping.instead });
    return undefined;
  }
  const stamps: Stamps = new Map();
  let batch: { steps: Step[]; contents: Packed[]; bytes: number } = { steps: [], contents: [], bytes: 0 };
  let { instead } = keeping;
  const flush = async () => {
    const { steps, contents } = batch;
    batch = { steps: [], contents: [], bytes: 0 };
    // The first replaces the step that was to move everything to the trash.
    if (instead !== undefined) await change.intend({ steps: steps.splice(0, 1), contents, instead });
    instead = undefined;
    if (steps.length > 0) await change.intend({ steps, contents });
    await giveWay();
  };
  for (const listed of entries) {
    await pace.step();
    const kept = await change.attempt(() => keepEntry(listed, { store, change }));
    if (kept === undefined) return undefined;
    stamps.set(listed.path.absolute, listed.info.isDirectory ? "folder" : stampOf(listed.info));
    batch.steps.push({ op: "put", path: relativeOf(listed.path), before: kept.state, after: ABSENT });
    batch.contents.push(...kept.contents);
    batch.bytes += Math.max(kept.copied, ...kept.contents.map(({ data }) => data.length));
    if (batch.steps.length >= BATCH_ENTRIES || batch.bytes >= BATCH_BYTES) await flush();
  }
  if (batch.steps.length > 0) await flush();
  return stamps;
}

async function keepEntry(
  { path, info }: Listed,
  { store, change }: { store: UndoStore; change: StoreChange },
): Promise<{ state: State; contents: readonly Packed[]; copied: number }> {
  if (info.isDirectory) return { state: { kind: "folder", ...ownedOf(info) }, contents: [], copied: 0 };
  using file = await readable(path);
  const kept = await keepFile(store, file, change);
  if (kept === undefined) throw new StoreTrouble("unusable", "it has grown in the meantime");
  change.allowed -= kept.copied;
  return kept;
}

async function readable(path: ConfinedPath): Promise<ConfinedFile> {
  try {
    return await ConfinedFile.open(path);
  } catch (error) {
    if (!(error instanceof PaddockError)) throw error;
    throw new StoreTrouble("unusable", `${quote(path.given)} in it cannot be read`, error);
  }
}

async function bareState(path: ConfinedPath, info: Deno.FileInfo): Promise<State> {
  if (info.isSymlink) return { kind: "link", target: readLink(path) };
  return await Promise.resolve({ kind: "file", ...ownedOf(info), size: info.size });
}

/** What has arrived at a place: a file, or a folder with everything in it, outermost first. */
export async function arrivals(
  top: ConfinedPath,
  { pace, relativeOf }: Pick<KeepingTree, "pace" | "relativeOf">,
): Promise<Step[]> {
  const { entries } = await listTree(top, pace);
  const steps: Step[] = [];
  for (const { path } of entries.toReversed()) {
    await pace.step();
    steps.push({ op: "put", path: relativeOf(path), before: ABSENT, after: await lookAt(path) });
  }
  return steps;
}

/** Measures something in the trash, when there is time for it. */
export function sizeLater(store: UndoStore, name: string): void {
  later(async () => {
    try {
      const { entries, bytes } = await listTree(store.trash.at(name), new Pace(undefined));
      await store.db.write(
        () =>
          store.db.run("update trash set entries = ?, bytes = ? where name = ?", entries.length, bytes, name),
        { deadline: Date.now() + LATER_WAIT_MS, durable: false },
      );
    } catch {
      // It was restored, or the store is gone: then there is nothing to measure. Pruning looks again.
    }
  }, LATER_MS);
}

const LATER_MS = 200;
const LATER_WAIT_MS = 1_000;
