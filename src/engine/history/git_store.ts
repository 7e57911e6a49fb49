/**
 * The history of a workspace as a git repository. Every change is one run of the protocol in
 * docs/notes/workspaces_protocol.md: locks, objects, journal, working tree, branch, index. Until the journal record
 * is valid, nothing has changed; from then on the change is completed, even if the process dies.
 */
import { PaddockError } from "../../base/errors.ts";
import { later } from "../../base/later.ts";
import { osCode } from "../../confine/os_errors.ts";
import type { ConfinedPath, ConfinedRoot } from "../../confine/resolve_path.ts";
import { StartOver } from "./change/start_over.ts";
import { ChangeNotes } from "./change/change_cache.ts";
import { ChangeRun, type InnerPlan, type Previewed } from "./change/change_run.ts";
import type { ChangeStore } from "./change/change_store.ts";
import { Conversions } from "./files/conversions.ts";
import { Disk } from "./files/disk.ts";
import { GitFolder } from "./git/git_folder.ts";
import { IndexFile } from "./index/index_file.ts";
import { Journal } from "./change/journal.ts";
import { Modes } from "./files/modes.ts";
import { ObjectStore } from "./objects/object_store.ts";
import type { Crowd } from "./objects/pack_merge.ts";
import { isWhole, recover, settleChanges } from "./change/recovery.ts";
import { type ReplacedFiles, Replacer } from "./git/replaced_files.ts";
import { lastCommit, readHead } from "./git/refs.ts";
import { checkFolder, checkQuiet, checkRepository, type RepositoryState } from "./git/repository_checks.ts";
import type { Changed, ChangeRequest } from "./store.ts";
import { entryAt, filesBelow } from "./objects/tree_edits.ts";
import { WorkingTree } from "./change/working_tree.ts";
import { WorkspaceLock } from "./git/workspace_lock.ts";

export interface GitStoreOptions {
  /** For tests: called at each step of the protocol. */
  readonly onStep?: ((step: string) => void) | undefined;
  /** Deferred work runs after this long without a change; never, if undefined. */
  readonly idleMs?: number | undefined;
  /** Holds replaced files open until then. */
  readonly replaced?: ReplacedFiles | undefined;
}

/** How often a change is started over because a person's commit or save got in between. */
const ATTEMPTS = 10;

/** The packs are counted every so many changes. */
const LOOK_AFTER = 16;
/** Above this many bytes, the journal is cleared before the next change. */
const MOST_RECORDED = 64 * 1024;
/** This many packs of a size are merged: when nobody is waiting, and before a change. */
const FEW_PACKS = 16;
const MANY_PACKS = 40;

const HEAL_LATER: ReadonlySet<string> = new Set(["TIMEOUT", "CONFLICT", "PERMISSION_DENIED", "UNSUPPORTED"]);

type Planning<T> = () => Promise<InnerPlan<T>> | InnerPlan<T>;
/** Runs while the locks are held, and again when somebody gets in between. */
type Act<R> = (run: ChangeRun) => Promise<R>;

export class GitStore implements ChangeStore {
  readonly git: GitFolder;
  readonly journal: Journal;
  readonly objects: ObjectStore;
  readonly index: IndexFile;
  readonly disk: Disk;
  readonly notes: ChangeNotes;
  readonly modes: Modes;
  readonly #files: WorkingTree;
  readonly #lock: WorkspaceLock;
  readonly #onStep: (step: string) => void;
  /** As of the last check. */
  #state: RepositoryState | undefined;
  /** Changes since the packs were last counted. */
  #changes = LOOK_AFTER;

  /** Changes made by this process. */
  #made = 0;
  readonly #idleMs: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(root: ConfinedRoot, { onStep, idleMs, replaced }: GitStoreOptions = {}) {
    const isHolding = idleMs !== undefined && replaced !== undefined;
    this.git = new GitFolder(root, isHolding ? new Replacer(replaced) : undefined);
    this.journal = new Journal(this.git);
    this.objects = new ObjectStore(this.git);
    this.index = new IndexFile(this.git);
    this.disk = new Disk(root, this.index);
    this.notes = new ChangeNotes(this.git);
    this.modes = new Modes(this.git);
    this.#files = new WorkingTree(this.git, this.disk, (oid) => this.objects.blob(oid));
    this.#lock = new WorkspaceLock(this.git, { keepsOpen: idleMs !== undefined });
    this.#onStep = onStep ?? (() => {});
    this.#idleMs = idleMs;
  }

  /** Throws when there is no repository, or one that paddock does not work on. */
  lastCommit(): string | undefined {
    this.#check();
    return lastCommit(this.git);
  }

  treeOf(commit: string | undefined): string | undefined {
    return commit === undefined ? undefined : this.objects.commit(commit).tree;
  }

  async heal(): Promise<void> {
    if (isWhole(this.git) && !this.#lock.isMarked()) return; // called before every read, so this check is all it may cost
    this.#check();
    try {
      await this.#lock.with({ waitMs: 0 }, (deadline) => this.#recover(deadline, undefined));
      this.#tidyWhenIdle();
    } catch (error) {
      this.#lock.letGo();
      this.git.letGo();
      // Another live process holds the locks, or nothing may be written here: neither can be healed now.
      if (!(error instanceof PaddockError)) throw error;
      if (!HEAL_LATER.has(error.code) && !isFull(error)) throw error;
    }
  }

  async change<T>(request: ChangeRequest, plan: Planning<T>): Promise<Changed<T>> {
    return await this.#locked(request, async (run) => await run.run(await plan()));
  }

  /**
   * Works out a plan without carrying it out: `look` gets the trees before and after, while they can be read.
   */
  async preview<T, R>(
    request: ChangeRequest,
    plan: Planning<T>,
    look: (planned: Previewed<T>) => Promise<R>,
  ): Promise<R> {
    return await this.#locked(request, async (run) => await look(await run.preview(await plan())));
  }

  async #locked<R>(request: ChangeRequest, act: Act<R>): Promise<R> {
    checkFolder(this.git);
    if (!this.#lock.isMade()) this.#checkInside(); // not even a lock file is created in a repository that paddock does not work on
    clearTimeout(this.#timer);
    try {
      return await this.#lock.with(request, (deadline) => this.#change(request, act, deadline));
    } catch (error) {
      this.git.replacer?.letGo();
      throw error;
    } finally {
      this.#tidyWhenIdle();
    }
  }

  /** Runs while the locks are held. */
  async #change<R>(request: ChangeRequest, act: Act<R>, deadline: number): Promise<R> {
    this.#onStep("locked");
    let state = this.#checkInside();
    await this.#withRoom(() => this.#recover(deadline, request.signal));
    if (this.#changes >= LOOK_AFTER || this.journal.size > MOST_RECORDED) {
      await this.#tidy({ most: MANY_PACKS, onlySmall: true });
    }
    const attempt = () => this.#withRoom(() => this.#attempt(request, act, deadline));
    let contested: ConfinedPath | undefined;
    for (let attempts = 1;; attempts++) {
      checkQuiet(state);
      try {
        return await (contested === undefined
          ? attempt()
          : this.#files.holding(contested, attempt, deadline));
      } catch (error) {
        if (!(error instanceof StartOver) || attempts === ATTEMPTS) throw error;
        contested = error.path;
      }
      state = this.#checkInside();
    }
  }

  /**
   * Tries again if the disk was full and space could be freed; never repeats a change that was already made.
   */
  async #withRoom<T>(act: () => Promise<T>): Promise<T> {
    const made = this.#made;
    try {
      return await act();
    } catch (error) {
      const isOver = this.#made !== made || !isFull(error);
      if (isOver || this.git.replacer?.letGo() !== true) throw error;
      return await act();
    }
  }

  /**
   * For when nobody is waiting: syncs the names of the last change, so that its journal record is no longer
   * needed, and merges packs. Gives way to anyone who holds the locks.
   */
  async tidy(): Promise<void> {
    try {
      this.#check();
      await this.heal();
      await this.#lock.with({ waitMs: 0, besideGit: true }, async () => {
        if (!isWhole(this.git)) return;
        await this.index.sync();
        await this.#tidy({ most: FEW_PACKS });
      });
    } finally {
      this.#lock.letGo();
      this.git.letGo();
      await this.git.replacer?.letGoByTurns();
    }
  }

  /** Clears the journal before merging packs: no record may name a pack that is about to go. */
  async #tidy(crowd: Crowd): Promise<void> {
    await settleChanges(this.journal.read(), this);
    this.journal.clear();
    this.notes.write();
    this.#changes = 0;
    try {
      await this.objects.mergePacks(crowd);
    } catch (error) {
      if (!(error instanceof PaddockError) && osCode(error) === undefined) throw error; // else: merge them another time
    }
  }

  #tidyWhenIdle(): void {
    if (this.#idleMs === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = later(() => {
      this.tidy().catch(() => {}); // somebody else is at work, or the folder is gone: the next change does it
    }, this.#idleMs);
  }

  /** From reading the branch to the end of a change. Repeated when somebody gets in between. */
  async #attempt<R>(request: ChangeRequest, act: Act<R>, deadline: number): Promise<R> {
    const head = readHead(this.git);
    const tree = this.treeOf(head.commit);
    this.index.load(() => filesBelow(this.objects, entryAt(this.objects, tree, ""), ""));
    const batch = this.objects.batch();
    try {
      return await act(new ChangeRun(this, { request, head, batch, deadline }));
    } finally {
      this.objects.unstage();
      this.#changes++;
    }
  }

  #recover(deadline: number, signal: AbortSignal | undefined): Promise<void> {
    const { git, journal, objects, index, disk } = this;
    return recover({ git, journal, store: objects, index, disk, files: this.#files, deadline, signal });
  }

  /** Throws when there is no repository, or one that paddock does not work on. */
  #check(): void {
    checkFolder(this.git);
    this.#checkInside();
  }

  #checkInside(): RepositoryState {
    const state = checkRepository(this.git, this.#state);
    this.disk.trustsModes = state.trustsModes;
    return this.#state = state;
  }

  /** What git would convert; `tree` is the last commit's. */
  conversions(tree: string | undefined): Conversions {
    const { git, objects: store, disk } = this;
    const { autocrlf = false, hasOtherAttributes = false } = this.#state ?? {};
    return new Conversions({ git, store, disk, tree, autocrlf, hasOtherAttributes });
  }

  /** Closes what is open; it is opened again when needed. */
  close(): void {
    this.notes.write();
    this.objects.close();
    this.#lock.letGo();
    this.git.letGo();
    this.git.replacer?.letGo();
  }

  /** For ChangeRun only. */
  get files(): WorkingTree {
    return this.#files;
  }

  reached(step: string): void {
    if (step === "branch") this.#made++;
    this.#onStep(step);
  }
}

function isFull(error: unknown): boolean {
  const code = osCode(error instanceof PaddockError ? error.cause : error);
  return code === "ENOSPC" || code === "EDQUOT";
}
