/**
 * One change of a workspace, from plan to end, while the locks are held: what it means for the history, and what is
 * recorded of it. publication.ts carries it out.
 */
import { PaddockError } from "../../../base/errors.ts";
import { Pace } from "../../yield.ts";
import { unrecordedFiles } from "../files/unrecorded.ts";
import type { ChangeStore } from "./change_store.ts";
import { fromBytes } from "../objects/byte_names.ts";
import { commitMessage, keepSummary } from "./message.ts";
import { commitOf, encodeCommit, IDENTITY, OUTSIDE } from "../objects/objects.ts";
import { Preparation, type Wanted } from "./preparation.ts";
import { Publication, type PublicationContext } from "./publication.ts";
import { appendReflog } from "./reflog.ts";
import { stagedOnly } from "./staged.ts";
import type { Changed, Plan } from "../store.ts";
import { editTree } from "../objects/tree_edits.ts";

/** An internal plan, which may also restore what is in the history. */
export interface InnerPlan<T> extends Omit<Plan<T>, "steps"> {
  readonly steps: readonly Wanted[];
}

/** The outcome of a plan, as trees. */
export interface Previewed<T> {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly value: T;
}

interface NewCommits {
  /** Commits of what others had staged, and of the files as they were on disk. */
  readonly staged: string[];
  readonly kept: string | undefined;
  /** The state before the work. */
  readonly base: string | undefined;
  readonly last: string | undefined;
  readonly tree: string | undefined;
  /** The paths that the tool changed, and all that changed, as byte strings. */
  readonly keptPaths: string[];
  readonly edited: string[];
  readonly touched: string[];
}

export class ChangeRun {
  readonly #store: ChangeStore;
  readonly #context: PublicationContext;

  constructor(store: ChangeStore, context: PublicationContext) {
    this.#store = store;
    this.#context = context;
  }

  async run<T>({ summary, steps, value }: InnerPlan<T>): Promise<Changed<T>> {
    const { head } = this.#context;
    const preparation = await this.#prepare(steps);
    const commits = await this.#commits(preparation, summary);
    if (commits.last !== head.commit || preparation.work.length > 0) {
      await new Publication(this.#store, { ...this.#context, preparation, state: commits }).run();
      this.#remember(commits);
      this.#logMoves(commits);
      this.#store.reached("done");
    }
    return {
      commit: commits.last ?? "",
      changed: commits.last !== commits.base,
      kept: commits.kept,
      value,
    };
  }

  /** The trees before and after the plan, in objects that only this run can read. */
  async preview<T>({ steps, value }: InnerPlan<T>): Promise<Previewed<T>> {
    const { before, after } = await this.#trees(await this.#prepare(steps));
    return { before, after, value };
  }

  async #prepare(steps: readonly Wanted[]): Promise<Preparation> {
    const { head, batch, request } = this.#context;
    const { objects, index, disk, modes } = this.#store;
    const tree = this.#store.treeOf(head.commit);
    const preparation = new Preparation({
      store: objects,
      batch,
      index,
      disk,
      conversions: this.#store.conversions(tree),
      modes,
      tree,
      umask: request.umask,
      signal: request.signal,
    });
    if (head.commit === undefined) await this.#keepAll(preparation);
    const pace = new Pace(request.signal);
    for (const step of steps) {
      await pace.step();
      await preparation.add(step);
    }
    return preparation;
  }

  /** A history begins with the files that were there before it; those it cannot record stay as they are. */
  async #keepAll({ keeping }: Preparation): Promise<void> {
    const { request } = this.#context;
    for await (const path of unrecordedFiles(this.#store, request.signal)) {
      request.begin?.(); // with many files this takes its time
      try {
        await keeping.found(path);
      } catch (error) {
        if (!isOfOneFile(error)) throw error;
      }
    }
  }

  /**
   * The trees after the outside changes are committed, and after the change; with the paths that the change edits.
   */
  async #trees(preparation: Preparation) {
    const { head, batch } = this.#context;
    const context = { store: this.#store.objects, batch };
    const { kept } = preparation.keeping;
    const last = this.#store.treeOf(head.commit);
    const before = kept.size === 0 ? last : await editTree(last, kept, context);
    const edits = preparation.edits(before);
    const after = edits.size === 0 ? before : await editTree(before, edits, context);
    return { before, after, edited: [...edits.keys()] };
  }

  /** Writes the objects of the new commits. */
  async #commits(preparation: Preparation, summary: string): Promise<NewCommits> {
    const { head, batch, request } = this.#context;
    const { objects, index } = this.#store;
    const context = { store: objects, batch };
    const { tool, client } = request;
    const before = this.#store.treeOf(head.commit);
    const time = Math.floor(Date.now() / 1000);
    const commit = async (tree: string, parent: string | undefined, text: string, author = OUTSIDE) => {
      const message = commitMessage({ tool, client, summary: text });
      const made = { tree, parent, time, message, author };
      const oid = await batch.add("commit", encodeCommit(made));
      objects.rememberCommit(oid, commitOf(made));
      return oid;
    };
    const { after, edited, ...trees } = await this.#trees(preparation);
    let tree = trees.before;
    const touched = [...new Set([...preparation.keeping.kept.keys(), ...edited])];
    const isNothing = after === before && tree === before && preparation.work.length === 0;
    const layers = await stagedOnly({
      store: objects,
      index,
      touched: isNothing ? [] : touched,
      trees: [after, before, tree],
      signal: request.signal,
    });
    const stagedPaths = layers.flatMap((layer) => [...layer.keys()]);
    const keptPaths = [...new Set([...preparation.keeping.kept.keys(), ...stagedPaths])];
    let [kept, base]: (string | undefined)[] = [undefined, head.commit];
    const staged: string[] = [];
    for (const layer of layers) {
      const text = keepSummary([...layer.keys()].map(fromBytes));
      staged.push(base = await commit(await editTree(before, layer, context), base, text));
      tree ??= await editTree(undefined, new Map(), context);
    }
    if (tree !== undefined && (tree !== before || staged.length > 0)) {
      kept = base = await commit(tree, base, keepSummary(keptPaths.map(fromBytes)));
    }
    const last = after === undefined || after === tree ? base : await commit(after, base, summary, IDENTITY);
    return { staged, kept, base, last, tree: after ?? tree, keptPaths, edited, touched };
  }

  /** For later reads of the history. */
  #remember({ staged, kept, keptPaths, base, last, edited }: NewCommits): void {
    const { notes } = this.#store;
    if (kept !== undefined) {
      notes.add(kept, { parent: staged.at(-1) ?? this.#context.head.commit, paths: keptPaths });
    }
    if (last !== undefined && last !== base) notes.add(last, { parent: base, paths: edited });
  }

  #logMoves({ staged, kept, last }: NewCommits): void {
    const { ref, commit } = this.#context.head;
    const { git, objects } = this.#store;
    const made = [...new Set([commit, ...staged, kept, last])].filter((oid) => oid !== undefined);
    const moves = made.map((to, i) => ({ from: i === 0 ? undefined : made[i - 1], to }))
      .filter(({ to }) => to !== commit)
      .map((move) => ({ ...move, message: objects.commit(move.to).message }));
    appendReflog(git, ref, moves);
  }
}

/** A problem with one file does not keep the others out of the history. */
function isOfOneFile(error: unknown): boolean {
  return error instanceof PaddockError && error.code !== "TIMEOUT" && error.code !== "INTERNAL";
}
