/**
 * The history of a workspace as a git repository. Every change is one run of the protocol that
 * docs/workspaces_protocol.md describes: locks, objects, journal, working tree, branch, index. Until the journal
 * counts nothing has changed; from then on the change is completed, whatever happens to the process.
 */
import { PaddockError } from "../../base/errors.ts";
import { osCode } from "../../confine/os_errors.ts";
import { type ConfinedPath, type ConfinedRoot } from "../../confine/resolve_path.ts";
import { BeginAnew } from "./change/begin_anew.ts";
import { ChangeNotes } from "./change/change_cache.ts";
import { ChangeRun, type InnerPlan, type Previewed } from "./change/change_run.ts";
import { type ChangeStore } from "./change/change_store.ts";
import { Conversions } from "./files/conversions.ts";
import { Disk } from "./files/disk.ts";
import { GitFolder } from "./git/git_folder.ts";
import { IndexFile } from "./index/index_file.ts";
import { Journal } from "./change/journal.ts";
import { Modes } from "./files/modes.ts";
import { ObjectStore } from "./objects/object_store.ts";
import { type Crowd } from "./objects/pack_merge.ts";
import { isWhole, recover, settleChanges } from "./change/recovery.ts";
import { type ReplacedFiles, Replacer } from "./git/replaced_files.ts";
import { lastCommit, readHead } from "./git/refs.ts";
import { checkFolder, checkQuiet, checkRepository, type RepositoryState } from "./git/repository_checks.ts";
import { type Changed, type ChangeRequest } from "./store.ts";
import { entryAt, filesBelow } from "./objects/tree_edits.ts";
import { WorkingTree } from "./change/working_tree.ts";
import { WorkspaceLock } from "./git/workspace_lock.ts";

export interface GitStoreOptions {
  /** For tests: told of each step of the protocol as it is reached. */
  readonly onStep?: ((step: string) => void) | undefined;
  /** When so long nothing was changed, what can wait is done; never, unless told. */
  readonly idleMs?: number | undefined;
  /** Where files that are replaced are held until then. */
  readonly replaced?: ReplacedFiles | undefined;
}

/** How often a change is begun anew when a person's commit or save gets in between. */
const ATTEMPTS = 10;

/** Every so many changes it is looked how many packs there are. */
const LOOK_AFTER = 16;
/** With more bytes than this, the records of changes are dealt with before the next one. */
const MOST_RECORDED = 64 * 1024;
/** So many of a size are put together when nobody is waiting, or else before a change. */
const FEW_PACKS = 16;
const MANY_PACKS = 40;

const HEAL_LATER: ReadonlySet<string> = new Set(["TIMEOUT", "CONFLICT", "PERMISSION_DENIED", "UNSUPPORTED"]);

type Planning<T> = () => Promise<InnerPlan<T>> | InnerPlan<T>;
/** What is done while the locks are held; once more when somebody gets in between. */
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
  /** As it was when it was last checked. */
  #state: RepositoryState | undefined;
  /** How many were made since it was last looked how many packs there are. */
  #changes = LOOK_AFTER;

  /** How many were made, by this process. */
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

  /** Throws when there is no repository, or one of another kind. */
  lastCommit(): string | undefined {
    this.#check();
    return lastCommit(this.git);
  }

  treeOf(commit: string | undefined): string | undefined {
    return commit === undefined ? undefined : this.objects.commit(commit).tree;
  }

  async heal(): Promise<void> {
    if (isWhole(this.git) && !this.#lock.isMarked()) return; // before every look: no more than that
    this.#check();
    try {
      await this.#lock.with({ waitMs: 0 }, (deadline) => this.#recover(deadline, undefined));
      this.#tidyWhenIdle();
    } catch (error) {
      this.#lock.letGo();
      this.git.letGo();
      // Whoever holds the locks is alive, and at work; and where nothing may be written, nothing can be healed.
      if (!(error instanceof PaddockError)) throw error;
      if (!HEAL_LATER.has(error.code) && !isFull(error)) throw error;
    }
  }

  async change<T>(request: ChangeRequest, plan: Planning<T>): Promise<Changed<T>> {
    return await this.#locked(request, async (run) => await run.run(await plan()));
  }

  /** Works a plan out to the end, but for doing it: `look` gets the trees before and after it, while they can be read. */
  async preview<T, R>(
    request: ChangeRequest,
    plan: Planning<T>,
    look: (planned: Previewed<T>) => Promise<R>,
  ): Promise<R> {
    return await this.#locked(request, async (run) => await look(await run.preview(await plan())));
  }

  async #locked<R>(request: ChangeRequest, act: Act<R>): Promise<R> {
    checkFolder(this.git);
    if (!this.#lock.isMade()) this.#checkInside(); // in a repository of another kind not even a lock is made
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

  /** While the locks are held. */
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
        if (!(error instanceof BeginAnew) || attempts === ATTEMPTS) throw error;
        contested = error.path;
      }
      state = this.#checkInside();
    }
  }

  /** Once more if only room was wanting, and there is some now; but never what was made before it failed. */
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
   * For when nobody is waiting: brings the names of the last change to the disk, so that its record is not needed
   * any more, and puts packs together. Whoever holds the locks goes first.
   */
  async tidy(): Promise<void> {
    try {
      this.#check();
      await this.heal();
      await this.#lock.with({ waitMs: 0, besideGit: true }, async () => {
        if (isWhole(this.git)) await this.#tidy({ most: FEW_PACKS });
      });
    } finally {
      this.#lock.letGo();
      this.git.letGo();
      await this.git.replacer?.letGoByTurns();
    }
  }

  /** Before packs are put together, no record must name one of them any more. */
  async #tidy(crowd: Crowd): Promise<void> {
    await settleChanges(this.journal.read(), this);
    this.journal.clear();
    this.notes.write();
    this.#changes = 0;
    try {
      await this.objects.mergePacks(crowd);
    } catch (error) {
      if (!(error instanceof PaddockError) && osCode(error) === undefined) throw error; // another time
    }
  }

  #tidyWhenIdle(): void {
    if (this.#idleMs === undefined) return;
    clearTimeout(this.#timer);
    const timer = setTimeout(() => {
      this.tidy().catch(() => {}); // somebody else is at work, or the folder is gone: the next change does it
    }, this.#idleMs);
    Deno.unrefTimer(timer);
    this.#timer = timer;
  }

  /** From the look at the branch to the end of a change. May be done again when somebody gets in between. */
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

  /** Throws when there is no repository, or one of another kind. */
  #check(): void {
    checkFolder(this.git);
    this.#checkInside();
  }

  #checkInside(): RepositoryState {
    const state = checkRepository(this.git, this.#state);
    this.disk.trustsModes = state.trustsModes;
    return this.#state = state;
  }

  /** What git would convert; `tree` is that of the last commit. */
  conversions(tree: string | undefined): Conversions {
    const { git, objects: store, disk } = this;
    const { autocrlf = false, hasOtherAttributes = false } = this.#state ?? {};
    return new Conversions({ git, store, disk, tree, autocrlf, hasOtherAttributes });
  }

  /** Lets go of what is held; it is opened again when it is needed. */
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
