/**
 * Carries out a prepared change: steps 6 to 12 of docs/notes/workspaces_protocol.md. First everything new is written to
 * disk where nobody sees it, with a record of what is to be done; from then on the change will be made, by this
 * process or by the next one. Until the record is valid nothing has changed, and every failure leaves everything as
 * it was.
 */
import { allDone } from "../../../base/all_done.ts";
import { syncFile } from "../../../confine/confined_fs.ts";
import { PaddockError, throwIfAborted } from "../../../base/errors.ts";
import { osCode } from "../../../confine/os_errors.ts";
import type { ConfinedPath } from "../../../confine/resolve_path.ts";
import { settleAll } from "../../settle.ts";
import { Pace } from "../../yield.ts";
import { StartOver } from "./start_over.ts";
import type { ChangeStore } from "./change_store.ts";
import { fromBytes, toBytes } from "../objects/byte_names.ts";
import { type IndexUpdate, movesOf, updateIndex } from "./index_changes.ts";
import type { Stat } from "../index/index_entry.ts";
import type { ChangeRecord, OpenRecord } from "./journal.ts";
import { LateSaves } from "./late_saves.ts";
import type { ObjectBatch } from "../objects/object_batch.ts";
import { PACKS } from "../objects/pack_format.ts";
import type { Preparation } from "./preparation.ts";
import {
  clearUnderWay,
  folderOfRef,
  type Head,
  keepAside,
  markIndexBehind,
  markUnderWay,
  readHead,
  RefLock,
} from "../git/refs.ts";
import type { ChangeRequest } from "../store.ts";
import type { TreeEntry } from "../objects/tree.ts";
import { type Done, undo } from "./undo.ts";
import type { Work, Write } from "./work.ts";
import type { Temp } from "./new_contents.ts";

/** With more files than this, new contents are not written before the record, but this many at a time. */
const STAGED_AT_ONCE = 32;
/** With more folders than this, a change syncs their names itself; otherwise that is left for later. */
const LEFT_UNSETTLED = 16;

export interface PublicationContext {
  readonly request: ChangeRequest;
  readonly head: Head;
  readonly batch: ObjectBatch;
  readonly deadline: number;
}

/** The outcome of a change in the history. */
export interface NewState {
  /** The state before the work, and the commit that the branch moves to. */
  readonly base: string | undefined;
  readonly last: string | undefined;
  readonly tree: string | undefined;
  /** All paths that change, as byte strings. */
  readonly touched: readonly string[];
}

export class Publication {
  readonly #store: ChangeStore;
  readonly #context: PublicationContext;
  readonly #preparation: Preparation;
  readonly #state: NewState;
  /** The branch's lock is a second name of the file that holds this mark, so the mark must be the new commit. */
  readonly #mark: string;
  /** New contents that are not in place yet. */
  readonly #temps = new Map<Write, Temp>();
  /** Files that stay open until the end. */
  readonly #open: Deno.FsFile[] = [];
  /** Folders in which names have changed. */
  readonly #folders = new Map<string, ConfinedPath>();
  /** The stats of files known to have the commit's content, by byte string. */
  readonly #stats = new Map<string, Stat>();
  readonly #lateSaves = new LateSaves();
  #foreseen: ReadonlyMap<string, Stat> | undefined;
  #lock: RefLock | undefined;
  #record: OpenRecord | undefined;

  constructor(
    store: ChangeStore,
    { preparation, state, ...context }: PublicationContext & { preparation: Preparation; state: NewState },
  ) {
    this.#store = store;
    this.#context = context;
    this.#preparation = preparation;
    this.#state = state;
    this.#mark = this.#isMoving() ? state.last ?? "" : `no commit ${crypto.randomUUID()}`;
  }

  async run(): Promise<void> {
    try {
      try {
        await this.#prepare();
        await this.#perform();
      } catch (error) {
        this.#abandon();
        throw error;
      }
      await this.#finish();
      await this.#takeLateSaves();
    } finally {
      for (const file of this.#open) this.#store.git.giveBack(file);
      this.#lateSaves.letGo();
    }
  }

  /** Syncs everything new, and the record. */
  async #prepare(): Promise<void> {
    const { head, batch, request, deadline } = this.#context;
    const { git } = this.#store;
    batch.stage();
    this.#open.push(markUnderWay(git, this.#mark));
    this.#store.reached("staged");
    if (this.#isMoving()) {
      this.#lock = await RefLock.take(git, head.ref, { deadline, signal: request.signal });
    }
    this.#store.reached("branch locked");
    const now = readHead(git);
    if (now.ref !== head.ref || now.commit !== head.commit) throw StartOver.forBranch(head.ref);
    await this.#preparation.keeping.seen.check(request.signal);
    throwIfAborted(request.signal); // the last moment: from here on it happens, unless the disk fails
    const modes = this.#store.modes.note(this.#preparation.keeping.modes);
    if (modes !== undefined) this.#open.push(modes);
    this.#record = this.#store.journal.add(this.#planned());
    this.#open.push(this.#record.file);
    this.#store.reached("journal");
    // Only now: should this process die, the record says in which folders the new contents are.
    const { work } = this.#preparation;
    if (work.length <= STAGED_AT_ONCE && work.every(isStageable)) await this.#stage(work);
    const files = [...Array.from(this.#temps.values(), ({ file }) => file), ...batch.files, ...this.#open];
    const synced = allDone(files.map((file) => syncFile(file)));
    try {
      await this.#foresee();
      if (this.#foreseen !== undefined) await this.#writeIndex();
    } finally {
      await synced;
    }
    this.#store.reached("synced");
  }

  #isMoving(): boolean {
    return this.#state.last !== undefined && this.#state.last !== this.#context.head.commit;
  }

  #planned(): ChangeRecord {
    const { head, batch } = this.#context;
    const { base = null, last = null, touched } = this.#state;
    const { work } = this.#preparation;
    const { ref, commit: old = null } = head;
    return { mark: this.#mark, ref, old, base, new: last, packs: batch.packs, work, touched };
  }

  async #stage(work: readonly Work[]): Promise<void> {
    const { contents, replaced } = this.#preparation;
    for (const write of work.filter((one) => one.kind === "write")) {
      const content = contents.get(write.oid) ?? this.#store.objects.blob(write.oid);
      this.#temps.set(write, await this.#store.files.stage(write, content, replaced.get(write)));
    }
  }

  /** Stages the next few of many: syncing them together takes hardly longer than syncing one. */
  async #stageNext(rest: readonly Work[]): Promise<void> {
    const other = rest.findIndex((one) => !isStageable(one));
    await this.#stage(rest.slice(0, other < 0 ? STAGED_AT_ONCE : Math.min(other, STAGED_AT_ONCE)));
    await allDone(Array.from(this.#temps.values(), ({ file }) => syncFile(file)));
  }

  /**
   * Works out and writes the index while the disk is busy, if all that happens is that new contents are put in
   * place. The only thing to predict is the second in which that happens.
   */
  async #foresee(): Promise<void> {
    const { work } = this.#preparation;
    if (!work.every((one) => one.kind === "write" && this.#temps.has(one))) return;
    const now = new Date();
    const stats = new Map<string, Stat>();
    for (const [{ path }, { info }] of this.#temps) stats.set(toBytes(path), { ...info, ctime: now });
    await this.#updateIndex(stats);
    await this.#store.index.begin((name, entry) => this.#prove(name, entry));
    this.#foreseen = stats;
  }

  async #updateIndex(stats: IndexUpdate["stats"]): Promise<void> {
    const { index, objects: store } = this.#store;
    const { tree, touched } = this.#state;
    const moved = movesOf(this.#preparation.work);
    await updateIndex(index, { store, tree, touched, stats, moved });
  }

  #writeIndex(): Promise<void> {
    return this.#store.index.write((name, entry) => this.#prove(name, entry));
  }

  #prove(name: string, entry: TreeEntry): Promise<Stat> {
    return this.#store.disk.prove(fromBytes(name), entry);
  }

  /** Changes the working tree and moves the branch. If a step fails, those before it are rolled back. */
  async #perform(): Promise<void> {
    const { disk, files } = this.#store;
    const { work, derived, keeping: { seen } } = this.#preparation;
    const done: Done[] = [];
    const [pace, left] = [new Pace(undefined), new Map<string, number>()];
    let next = 0;
    try {
      for (; next < work.length; next++) {
        const one = work[next];
        if (one === undefined) break;
        await pace.step();
        const isStaged = one.kind !== "write" || this.#temps.has(one);
        if (!isStaged) await this.#stageNext(work.slice(next));
        const temp = one.kind === "write" ? this.#temps.get(one) : undefined;
        if (one.kind === "write") this.#temps.delete(one); // no longer ours to discard
        const from = one.kind === "move" ? disk.stat(one.from) : undefined;
        const before = one.kind === "move" && seen.isSame(disk.at(one.from)) ? from : temp?.info;
        const folders = await files.perform(one, {
          temp,
          seen,
          left,
          lateSaves: this.#lateSaves,
          deadline: this.#context.deadline,
        });
        this.#context.request.onEntry?.(next + 1);
        if (folders === undefined && one.kind === "write" && derived.has(one)) {
          throw StartOver.forFile(disk.at(one.path));
        }
        if (folders === undefined) continue; // somebody else has written there since: git shows it as modified
        for (const folder of folders) this.#folders.set(folder.absolute, folder);
        const path = one.kind === "write" ? one.path : one.kind === "move" ? one.to : undefined;
        const after = path === undefined ? undefined : disk.stat(path);
        done.push({ work: one, after });
        if (path !== undefined && before?.isFile && isUntouched(before, after)) {
          this.#stats.set(toBytes(path), after);
        }
        this.#store.reached("working tree");
      }
      this.#placeObjects();
      this.#lock?.commit();
    } catch (error) {
      await this.#rollBack(done, work[next]);
      throw error;
    }
    this.#store.reached("branch");
  }

  /** What cannot be rolled back is in the history: in the last commit, or in one made to record it. */
  async #rollBack(done: readonly Done[], failed: Work | undefined): Promise<void> {
    const { git, disk, objects, files, modes } = this.#store;
    const { base } = this.#state;
    const { replaced } = this.#preparation;
    const tree = this.#store.treeOf(base);
    const { deadline } = this.#context;
    const context = { disk, files, modes, store: objects, tree, replaced, deadline };
    const isAllBack = await undo(done, failed, context);
    if (isAllBack || base === undefined || base === this.#context.head.commit) return;
    try {
      objects.publish();
      await keepAside(git, base);
    } catch (error) {
      if (!(error instanceof PaddockError)) throw error; // a full disk: the first failure is reported
    }
  }

  /** As late as possible: until the branch refers to them, a `git gc --prune=now` may remove them as garbage. */
  #placeObjects(): void {
    const { git, objects } = this.#store;
    if (this.#context.batch.packs.length > 0) {
      objects.publish();
      this.#note(git.at(PACKS));
    }
    this.#store.reached("objects");
    if (this.#lock !== undefined) this.#note(git.at(folderOfRef(this.#context.head.ref)));
  }

  #note(folder: ConfinedPath): void {
    this.#folders.set(folder.absolute, folder);
  }

  /** Nothing was touched, or it was rolled back. */
  #abandon(): void {
    const { git, index } = this.#store;
    this.#record?.remove();
    index.discard();
    this.#lock?.release();
    this.#store.files.unstage([...this.#temps.values()]);
    clearUnderWay(git);
  }

  /** The change is made. A failure from here on does not undo it, and the next call completes it. */
  async #finish(): Promise<void> {
    const { git, objects } = this.#store;
    const isIndexed = await this.#publishIndex();
    this.#store.reached("index");
    const folders = [...this.#folders.values()];
    const isLeft = this.#isMoving() && folders.length <= LEFT_UNSETTLED;
    if (!isLeft) await settleAll(folders, "the change was made");
    objects.unstage();
    if (!isIndexed) return markIndexBehind(git);
    if (!isLeft) this.#record?.remove();
    clearUnderWay(git);
  }

  /** The change is made and stays, whatever happens here. */
  async #takeLateSaves(): Promise<void> {
    try {
      for await (const late of this.#lateSaves.found()) {
        await this.#store.files.putBack(late, this.#context.deadline);
      }
    } catch (error) {
      if (!(error instanceof PaddockError) && osCode(error) === undefined) throw error;
    }
  }

  /** False if there is no space for it, not even after releasing replaced files. */
  async #publishIndex(): Promise<boolean> {
    const stats = this.#stats;
    const isForeseen = this.#foreseen !== undefined &&
      Array.from(this.#foreseen).every(([path, stat]) => isSameSecond(stat, stats.get(path)));
    if (await this.#tryIndex(isForeseen)) return true;
    return this.#giveRoom() && await this.#tryIndex(false);
  }

  /** False if nothing was held. */
  #giveRoom(): boolean {
    const held = [this.#lateSaves.letGo(), this.#store.git.replacer?.letGo() === true];
    return held.includes(true);
  }

  async #tryIndex(isWritten: boolean): Promise<boolean> {
    const { index } = this.#store;
    try {
      if (!isWritten) {
        const stats = this.#stats;
        await this.#updateIndex(stats);
        await index.begin((name, entry) => this.#prove(name, entry));
        await this.#writeIndex();
      }
      index.publish();
      return true;
    } catch (error) {
      index.discard();
      if (!(error instanceof PaddockError) && osCode(error) === undefined) throw error;
      return false;
    }
  }
}

/** Moves and removals must run in order with new contents, which are written beside their files. */
function isStageable({ kind }: Work): boolean {
  return kind === "write" || kind === "folder";
}

/** Whether a file is unchanged after its rename: only then does its stat belong to its known content. */
function isUntouched(before: Deno.FileInfo, after: Deno.FileInfo | undefined): boolean {
  return after !== undefined && before.ino === after.ino && before.size === after.size &&
    before.mtime?.getTime() === after.mtime?.getTime();
}

/** The rest of the stat was compared before. */
function isSameSecond(foreseen: Stat, now: Stat): boolean {
  const second = (stat: Stat) => Math.floor((stat?.ctime?.getTime() ?? 0) / 1000);
  return now !== undefined && second(foreseen) === second(now);
}
