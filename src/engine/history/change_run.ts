/**
 * One change of a workspace, from a plan to the end, while the locks are held: the steps 5 to 13 of
 * docs/workspaces_protocol.md. Until the journal counts, nothing has changed, and every failure leaves all as it was.
 */
import { PaddockError, throwIfAborted } from "../../base/errors.ts";
import { osCode } from "../../confine/os_errors.ts";
import { type ConfinedPath } from "../../confine/resolve_path.ts";
import { settle } from "../settle.ts";
import { Pace } from "../yield.ts";
import { fromBytes, toBytes } from "./byte_names.ts";
import { appendChange } from "./change_cache.ts";
import { type GitStore } from "./git_store.ts";
import { type IndexUpdate, updateIndex } from "./index_changes.ts";
import { type Stat } from "./index_file.ts";
import { clearJournal, draftJournal, publishJournal } from "./journal.ts";
import { type ObjectBatch } from "./loose_objects.ts";
import { commitMessage, keepSummary } from "./message.ts";
import { encodeCommit } from "./objects.ts";
import { Preparation, type Wanted } from "./preparation.ts";
import { appendReflog } from "./reflog.ts";
import { folderOfRef, type Head, RefLock, resolveRef } from "./refs.ts";
import { settleGit } from "./settle_git.ts";
import { stagedOnly } from "./staged.ts";
import { type Changed, type ChangeRequest, type Plan } from "./store.ts";
import { editTree } from "./tree_edits.ts";
import { type Done, undo } from "./undo.ts";
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
  /** Commits of what others had staged, and of how the files were on the disk. */
  readonly staged: string | undefined;
  readonly kept: string | undefined;
  /** The state before the work. */
  readonly base: string | undefined;
  readonly last: string | undefined;
  readonly tree: string | undefined;
  /** Paths that the tool changed, and all that changed, as byte strings. */
  readonly keptPaths: string[];
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
    const { objects, index, disk } = this.#store;
    const tree = this.#store.treeOf(head.commit);
    const preparation = new Preparation({
      store: objects,
      batch,
      index,
      disk,
      conversions: this.#store.conversions(tree),
      tree,
      umask: request.umask,
      signal: request.signal,
    });
    const pace = new Pace(request.signal);
    for (const step of steps) {
      await pace.step();
      await preparation.add(step);
    }
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
    const { objects, index } = this.#store;
    const context = { store: objects, batch };
    const { tool, client } = request;
    const before = this.#store.treeOf(head.commit);
    const time = Math.floor(Date.now() / 1000);
    const commit = (tree: string, parent: string | undefined, text: string) =>
      batch.add(
        "commit",
        encodeCommit({ tree, parent, time, message: commitMessage({ tool, client, summary: text }) }),
      );
    let tree = before;
    if (preparation.kept.size > 0) {
      tree = await editTree(before, preparation.kept, context);
      await batch.flush();
    }
    const edits = preparation.edits(tree);
    const after = edits.size === 0 ? tree : await editTree(tree, edits, context);
    const edited = [...edits.keys()];
    const touched = [...new Set([...preparation.kept.keys(), ...edited])];
    const isNothing = after === before && tree === before && preparation.work.length === 0;
    const trees = [after, before, tree];
    const stage = await stagedOnly({
      store: objects,
      index,
      touched: isNothing ? [] : touched,
      trees,
      signal: request.signal,
    });
    const keptPaths = [...new Set([...preparation.kept.keys(), ...stage.keys()])];
    let [staged, kept, base]: (string | undefined)[] = [undefined, undefined, head.commit];
    if (stage.size > 0) {
      const text = keepSummary([...stage.keys()].map(fromBytes));
      staged = base = await commit(await editTree(before, stage, context), base, text);
      tree ??= await editTree(undefined, new Map(), context);
    }
    if (tree !== undefined && (tree !== before || staged !== undefined)) {
      kept = base = await commit(tree, base, keepSummary(keptPaths.map(fromBytes)));
    }
    const last = after === undefined || after === tree ? base : await commit(after, base, summary);
    return { staged, kept, base, last, tree: after ?? tree, keptPaths, edited, touched };
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
      if (resolveRef(git, head.ref) !== head.commit) throw new BranchMoved(head.ref);
      await preparation.seen.check(request.signal);
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
  #remember(commits: NewCommits): void {
    const { git } = this.#store;
    const { head } = this.#context;
    try {
      if (commits.kept !== undefined) {
        appendChange(git, commits.kept, {
          parent: commits.staged ?? head.commit,
          paths: commits.keptPaths,
        });
      }
      if (commits.last !== undefined && commits.last !== commits.base) {
        appendChange(git, commits.last, { parent: commits.base, paths: commits.edited });
      }
    } catch (error) {
      if (!(error instanceof PaddockError)) throw error;
    }
  }

  #logMoves({ staged, kept, last }: NewCommits): void {
    const { ref, commit } = this.#context.head;
    const { git, objects } = this.#store;
    const made = [...new Set([commit, staged, kept, last])].filter((oid) => oid !== undefined);
    const moves = made.map((to, i) => ({ from: i === 0 ? undefined : made[i - 1], to }))
      .filter(({ to }) => to !== commit)
      .map((move) => ({ ...move, message: objects.commit(move.to).message }));
    appendReflog(git, ref, moves);
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
    const { git, disk, objects, files } = this.#store;
    const { ref } = this.#context.head;
    const folders = new Map<string, ConfinedPath>();
    const stats = new Map<string, Stat>();
    const done: Done[] = [];
    const { work, seen } = preparation;
    const [pace, left] = [new Pace(undefined), new Map<string, number>()];
    let next = 0;
    try {
      for (; next < work.length; next++) {
        const one = work[next];
        if (one === undefined) break;
        await pace.step();
        const temp = one.kind === "write" ? temps.get(one) : undefined;
        const from = one.kind === "move" ? disk.stat(one.from) : undefined;
        const before = one.kind === "move" && seen.isSame(disk.at(one.from)) ? from : temp?.info;
        const changed = await files.perform(one, { temp, seen, left });
        this.#context.request.onEntry?.(next + 1);
        if (changed === undefined) continue; // somebody else has written there since: git shows it as modified
        for (const folder of changed) folders.set(folder.absolute, folder);
        const path = one.kind === "write" ? one.path : one.kind === "move" ? one.to : undefined;
        const after = path === undefined ? undefined : disk.stat(path);
        done.push({ work: one, after });
        if (path !== undefined && before?.isFile && isUntouched(before, after)) {
          stats.set(toBytes(path), after);
        }
        this.#store.reached("working tree");
      }
      lock?.commit();
    } catch (error) {
      for (const one of work.slice(next + 1)) {
        const temp = one.kind === "write" ? temps.get(one) : undefined;
        if (temp !== undefined) files.discard(temp);
      }
      await undo(done, work[next], {
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
    const moved = work.filter((one) => one.kind === "move")
      .map(({ from, to }) => ({ from: toBytes(from), to: toBytes(to) }));
    const { tree, touched } = commits;
    const isIndexed = await this.#updateIndex({ store: objects, tree, touched, stats, moved });
    this.#store.reached("index");
    // All at once: a journaling file system keeps the order of the renames, and another may have written the
    // branch already. Each round of syncs would take as long as all of them together.
    await Promise.all([
      this.#context.batch.settle(),
      ...(lock === undefined ? [] : [settleGit(git, [folderOfRef(ref)])]),
      ...Array.from(folders.values(), (folder) => settle(folder, "the change was made")),
    ]);
    if (isIndexed) clearJournal(git);
    this.#remember(commits);
    this.#logMoves(commits);
    this.#store.reached("done");
  }

  /** The change is made. If this fails, its journal is left, and the next call brings the index up to date. */
  async #updateIndex(update: IndexUpdate): Promise<boolean> {
    const { index, disk } = this.#store;
    try {
      await updateIndex(index, update);
      await index.save((name, entry) => disk.prove(fromBytes(name), entry));
      return true;
    } catch (error) {
      index.reset();
      if (!(error instanceof PaddockError) && osCode(error) === undefined) throw error;
      return false;
    }
  }
}

/** Whether a file is, after its rename, what it was before: only then is its state known to go with its content. */
function isUntouched(before: Deno.FileInfo, after: Deno.FileInfo | undefined): boolean {
  return after !== undefined && before.ino === after.ino && before.size === after.size &&
    before.mtime?.getTime() === after.mtime?.getTime();
}

/** A `git commit` lets go of the index before it moves the branch; nothing of ours has changed by then. */
export class BranchMoved extends PaddockError {
  constructor(ref: string) {
    super("CONFLICT", `the branch ${ref} was moved by git meanwhile; try again`);
  }
}
