/**
 * The root as it would be after planned steps: what is at a path is worked out from the last step back to the
 * first, and read from disk, or from the trash, where no step touches it.
 */
import { PaddockError } from "../../base/errors.ts";
import { readFolderRaw } from "../../confine/confined_fs.ts";
import { isTempName } from "../../confine/path_rules.ts";
import { childOf, type ConfinedPath } from "../../confine/resolve_path.ts";
import { Pace } from "../yield.ts";
import { hashOf } from "./contents.ts";
import { lookAt, type LookOptions, lookShort, treeLine } from "./look.ts";
import { ABSENT, liesIn, movedTo, type State } from "./state.ts";
import { StepIndex } from "./step_index.ts";
import type { UndoStore } from "./store.ts";

/** What the steps alone say about a path, or where to look. */
type Located = { readonly state: State } | { readonly where: ConfinedPath | undefined };

export class Overlay {
  readonly index = new StepIndex();
  readonly #store: UndoStore;

  constructor(store: UndoStore) {
    this.#store = store;
  }

  /** Where the bytes of what is at a path are; undefined if a step supplies them. */
  whereIs(path: string): ConfinedPath | undefined {
    const located = this.#locate(path);
    return "where" in located ? located.where : undefined;
  }

  async look(path: string, options: LookOptions = {}): Promise<State> {
    const located = this.#locate(path);
    const state = "state" in located
      ? located.state
      : located.where === undefined
      ? ABSENT
      : await lookAt(located.where, { ...options, whole: false });
    if (!options.whole || (state.kind !== "folder" && state.kind !== "tree")) return state;
    return await this.#lookWhole(path, options);
  }

  /** The names in a folder, sorted. */
  async list(path: string): Promise<string[]> {
    const names = new Set<string>(this.#namesBefore(path));
    let at = path;
    for (const name of this.index.namesIn(at)) names.add(name);
    for (const i of this.index.movesBefore(Infinity)) {
      const step = this.index.steps[i];
      if (step?.op !== "move" || !liesIn(step.dest, at)) continue;
      at = movedTo(at, { from: step.dest, to: step.path });
      for (const name of this.index.namesIn(at)) names.add(name);
    }
    const found: string[] = [];
    for (const name of names) {
      if ((await this.#kindOf(join(path, name))) !== "absent") found.push(name);
    }
    return found.sort();
  }

  /** Without reading anything. */
  async #kindOf(path: string): Promise<State["kind"] | "something"> {
    const located = this.#locate(path);
    if ("state" in located) return located.state.kind;
    return await Promise.resolve(located.where && lookShort(located.where) ? "something" : "absent");
  }

  #namesBefore(path: string): string[] {
    const located = this.#locate(path);
    const where = "where" in located ? located.where : this.#inTrash(located.state);
    if (where === undefined || lookShort(where)?.isDirectory !== true) return [];
    return readFolderRaw(where).map(({ name }) => name).filter((name) => !isTempName(name));
  }

  #inTrash(state: State): ConfinedPath | undefined {
    return state.kind === "tree" && state.kept !== undefined ? this.#store.trash.at(state.kept) : undefined;
  }

  async #lookWhole(path: string, { signal }: LookOptions): Promise<State> {
    const top = await this.look(path);
    if (top.kind !== "folder" && top.kind !== "tree") return top;
    const where = this.index.isQuietIn(path) ? this.whereIs(path) : undefined;
    if (where !== undefined) return await lookAt(where, { signal, whole: true });
    const lines: string[] = [];
    await this.#addLines(path, { lines, prefix: "", pace: new Pace(signal) });
    const { mode, uid, gid } = top;
    const hash = hashOf(new TextEncoder().encode(lines.join("\n")));
    return { kind: "tree", mode, uid, gid, hash, size: lines.length + 1 };
  }

  /** In the format of hashTree. */
  async #addLines(path: string, { lines, prefix, pace }: { lines: string[]; prefix: string; pace: Pace }) {
    for (const name of await this.list(path)) {
      await pace.step();
      const child = join(path, name);
      const state = await this.look(child, { quick: true });
      lines.push(treeLine(prefix + name, state));
      const isFolder = state.kind === "folder" || state.kind === "tree";
      if (isFolder) await this.#addLines(child, { lines, prefix: `${prefix}${name}/`, pace });
    }
  }

  /** The place on disk; undefined where nothing can be: below anything but a folder. */
  placeOf(path: string): ConfinedPath | undefined {
    try {
      return this.#store.at(path);
    } catch (error) {
      if (error instanceof PaddockError && error.code === "INVALID_INPUT") return undefined;
      throw error;
    }
  }

  #locate(path: string): Located {
    let at = path;
    for (
      let end = this.index.lastBefore(Infinity, at);
      end !== undefined;
      end = this.index.lastBefore(end, at)
    ) {
      const step = this.index.steps[end];
      if (step === undefined) break;
      if (step.op === "move") {
        if (liesIn(step.dest, at)) at = movedTo(at, { from: step.dest, to: step.path });
        else if (liesIn(step.path, at)) return { state: ABSENT };
      } else if (step.path === at) {
        return { state: step.after };
      } else {
        const top = this.#inTrash(step.after);
        const rest = at.slice(step.path.length + 1).split("/");
        return { where: top && rest.reduce(childOf, top) };
      }
    }
    return { where: this.placeOf(at) };
  }
}

export function join(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
