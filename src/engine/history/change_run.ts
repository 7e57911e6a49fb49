/**
 * One change of a workspace, from a plan to the end, while the locks are held: the steps 5 to 13 of
 * docs/workspaces_protocol.md. Until the journal counts, nothing has changed, and every failure leaves all as it was.
 */
import { PaddockError, throwIfAborted } from "../../base/errors.ts";
import { type ConfinedPath } from "../../confine/resolve_path.ts";
import { settle } from "../settle.ts";
import { fromBytes, toBytes } from "./byte_names.ts";
import { appendChange } from "./change_cache.ts";
import { type GitStore } from "./git_store.ts";
import { updateIndex } from "./index_changes.ts";
import { type Stat } from "./index_file.ts";
import { clearJournal, draftJournal, publishJournal } from "./journal.ts";
import { type ObjectBatch } from "./loose_objects.ts";
import { commitMessage, keepSummary } from "./message.ts";
import { encodeCommit } from "./objects.ts";
import { Preparation, type Wanted } from "./preparation.ts";
import { folderOfRef, type Head, RefLock, resolveRef } from "./refs.ts";
import { settleGit } from "./settle_git.ts";
import { type Changed, type ChangeRequest, type Plan } from "./store.ts";
import { editTree } from "./tree_edits.ts";
import { undo } from "./undo.ts";
import { type Write } from "./work.ts";
import { type Temp } from "./working_tree.ts";

/** A plan of the engine's own: it may also put back what is in the history. */
export interface InnerPlan<T> extends Omit<Plan<T>, "steps"> {
  readonly steps: readonly Wanted[];
}

/** With more files than this, new contents are not written before the journal, but one after the other. */
const STAGED_AHEAD = 32;

export interface RunContext {
  readonly request: ChangeRequest;
  readonly head: Head;
  readonly batch: ObjectBatch;
  readonly deadline: number;
}

interface NewCommits {
  readonly kept: string | undefined;
  /** The state before the work. */
  readonly base: string | undefined;
  readonly last: string | undefined;
  readonly tree: string | undefined;
  /** Paths that the tool changed, and all that changed, as byte strings. */
  readonly edited: string[];
  readonly touched: string[];
}

/** One change, from the plan to the end. */
export class ChangeRun {
  readonly #store: GitStore;
  readonly #context: RunContext;

  constructor(store: GitStore, context: RunContext) {
    this.#store = store;
    this.#context = context;
  }

  async run<T>({ summary, steps, value }: InnerPlan<T>): Promise<Changed<T>> {
    const { head, batch, request } = this.#context;
    const store = this.#store;
    const preparation = new Preparation({
      store: store.objects,
      batch,
      index: store.index,
      disk: store.disk,
      tree: store.treeOf(head.commit),
      umask: request.umask,
      signal: request.signal,
    });
    for (const step of steps) await preparation.add(step);
    const commits = await this.#commits(preparation, summary);
    if (commits.last !== head.commit || preparation.work.length > 0) {
      await this.#publish(preparation, commits);
    }
    return {
      commit: commits.last ?? "",
      changed: commits.last !== commits.base,
      kept: commits.kept,
      value,
    };
  }

  /** Writes the objects of the new commits. */
  async #commits(preparation: Preparation, summary: string): Promise<NewCommits> {
    const { head, batch, request } = this.#context;
    const { objects } = this.#store;
    const context = { store: objects, batch };
    const { tool, client } = request;
    const before = this.#store.treeOf(head.commit);
    const time = Math.floor(Date.now() / 1000);
    const commit = (tree: string, parent: string | undefined, text: string) =>
      batch.add(
        "commit",
        encodeCommit({ tree, parent, time, message: commitMessage({ tool, client, summary: text }) }),
      );
    let [kept, tree, base]: (string | undefined)[] = [undefined, before, head.commit];
    if (preparation.kept.size > 0) {
      tree = await editTree(before, preparation.kept, context);
      if (tree !== before) {
        kept = base = await commit(
          tree,
          head.commit,
          keepSummary([...preparation.kept.keys()].map(fromBytes)),
        );
      }
      await batch.flush();
    }
    const edits = preparation.edits(tree);
    const after = edits.size === 0 ? tree : await editTree(tree, edits, context);
    const last = after === undefined || after === tree ? base : await commit(after, base, summary);
    const edited = [...edits.keys()];
    return {
      kept,
      base,
      last,
      tree: after,
      edited,
      touched: [...new Set([...preparation.kept.keys(), ...edited])],
    };
  }

  /** Everything from the first look at the locks of git to the end of the change. */
  async #publish(preparation: Preparation, commits: NewCommits): Promise<void> {
    const { head, batch, request } = this.#context;
    const { git } = this.#store;
    const temps = await this.#stage(preparation);
    const open: Deno.FsFile[] = [];
    let lock: RefLock | undefined;
    try {
      if (commits.last !== undefined && commits.last !== head.commit) {
        open.push(RefLock.prepare(git, commits.last));
      }
      const draft = draftJournal(git, {
        ref: head.ref,
        old: head.commit ?? null,
        base: commits.base ?? null,
        new: commits.last ?? null,
        work: preparation.work,
        touched: commits.touched,
      });
      open.push(draft.file);
      this.#store.reached("staged");
      await batch.flush([...temps.values()].map(({ file }) => file).concat(open));
      this.#store.reached("objects");
      if (commits.last !== head.commit) lock = await RefLock.take(git, head.ref, this.#wait());
      this.#store.reached("branch locked");
      if (resolveRef(git, head.ref) !== head.commit) throw branchMoved(head.ref);
      preparation.checkUnchanged();
      throwIfAborted(request.signal); // the last moment; from here on it happens
      publishJournal(draft);
    } catch (error) {
      lock?.release();
      for (const temp of temps.values()) this.#store.files.discard(temp);
      throw error;
    } finally {
      for (const file of open) file.close();
    }
    this.#store.reached("journal");
    await this.#complete(preparation, { commits, temps, lock });
  }

  /** For those who look back later. The change is made: what goes wrong here is no error of it. */
  #remember({ kept }: Preparation, commits: NewCommits): void {
    const { git } = this.#store;
    const { head } = this.#context;
    try {
      if (commits.kept !== undefined) {
        appendChange(git, commits.kept, { parent: head.commit, paths: [...kept.keys()] });
      }
      if (commits.last !== undefined && commits.last !== commits.base) {
        appendChange(git, commits.last, { parent: commits.base, paths: commits.edited });
      }
    } catch (error) {
      if (!(error instanceof PaddockError)) throw error;
    }
  }

  #wait() {
    return { deadline: this.#context.deadline, signal: this.#context.request.signal };
  }

  async #stage({ work, contents }: Preparation): Promise<Map<Write, Temp>> {
    const temps = new Map<Write, Temp>();
    const writes = work.filter((one) => one.kind === "write");
    if (writes.length > STAGED_AHEAD) return temps;
    try {
      for (const write of writes) {
        const content = contents.get(write.oid) ?? this.#store.objects.blob(write.oid);
        temps.set(write, await this.#store.files.stage(write, content));
      }
      return temps;
    } catch (error) {
      for (const temp of temps.values()) this.#store.files.discard(temp);
      throw error;
    }
  }

  async #complete(
    preparation: Preparation,
    { commits, temps, lock }: { commits: NewCommits; temps: Map<Write, Temp>; lock: RefLock | undefined },
  ): Promise<void> {
    const { git, index, disk, objects, files } = this.#store;
    const { ref } = this.#context.head;
    const folders = new Map<string, ConfinedPath>();
    const stats = new Map<string, Stat>();
    const done: typeof preparation.work = [];
    try {
      for (const work of preparation.work) {
        const temp = work.kind === "write" ? temps.get(work) : undefined;
        const before = work.kind === "move" ? disk.stat(work.from) : temp?.info;
        for (const folder of await files.perform(work, temp)) folders.set(folder.absolute, folder);
        done.push(work);
        this.#context.request.onEntry?.(done.length);
        const path = work.kind === "write" ? work.path : work.kind === "move" ? work.to : undefined;
        const after = path === undefined ? undefined : disk.stat(path);
        if (path !== undefined && before?.isFile && isUntouched(before, after)) {
          stats.set(toBytes(path), after);
        }
        this.#store.reached("working tree");
      }
      lock?.commit();
    } catch (error) {
      await undo(done, preparation.work[done.length], {
        disk,
        files,
        store: objects,
        tree: this.#store.treeOf(commits.base),
      });
      lock?.release();
      clearJournal(git);
      throw error;
    }
    this.#store.reached("branch");
    const moved = preparation.work.filter((work) => work.kind === "move")
      .map(({ from, to }) => ({ from: toBytes(from), to: toBytes(to) }));
    try {
      updateIndex(index, { store: objects, tree: commits.tree, touched: commits.touched, stats, moved });
      index.save((name) => disk.stat(fromBytes(name)));
    } catch (error) {
      // The change is made. With its journal left, the next call brings the index up to date.
      if (!(error instanceof PaddockError)) throw error;
      index.reset();
      return;
    }
    this.#store.reached("index");
    // All at once: a journaling file system keeps the order of the renames, and another may have written the
    // branch already. Each round of syncs would take as long as all of them together.
    await Promise.all([
      this.#context.batch.settle(),
      ...(lock === undefined ? [] : [settleGit(git, [folderOfRef(ref)])]),
      ...Array.from(folders.values(), (folder) => settle(folder, "the change was made")),
    ]);
    clearJournal(git);
    this.#remember(preparation, commits);
    this.#store.reached("done");
  }
}

/** Whether a file is, after its rename, what it was before: only then is its state known to go with its content. */
function isUntouched(before: Deno.FileInfo, after: Deno.FileInfo | undefined): boolean {
  return after !== undefined && before.ino === after.ino && before.size === after.size &&
    before.mtime?.getTime() === after.mtime?.getTime();
}

function branchMoved(ref: string): PaddockError {
  return new PaddockError("CONFLICT", `the branch ${ref} was moved by git meanwhile; try again`);
}
