/**
 * Records what one call does, in the stores of the roots that it touches: a path belongs to the innermost root that
 * contains it. Nothing is opened before something is about to change.
 */
import { type ConfinedFile, lstat, readLink, unlink } from "../../confine/confined_fs.ts";
import { contains, SEPARATOR } from "../../confine/path_rules.ts";
import type { ConfinedPath, ConfinedRoot } from "../../confine/resolve_path.ts";
import { PaddockError } from "../../base/errors.ts";
import { isSaved, openSettled } from "../open_settled.ts";
import { isRespelling } from "../spelling.ts";
import type { FileRecording, MoveRecording, NewContent, Recording } from "../recording.ts";
import type { Stamps } from "../stamps.ts";
import type { Pace } from "../yield.ts";
import { bytesOf, keepFile, stateOf } from "./before.ts";
import { knownContent, LARGEST_CONTENT, packContent, type Packed } from "./contents.ts";
import type { StoreKeeper } from "./keeper.ts";
import { ownedOf } from "./look.ts";
import { ABSENT, type FileState, type State, type Step } from "./state.ts";
import { type CallFacts, type Outcome, StoreChange } from "./store_change.ts";
import type { UndoStore } from "./store.ts";
import { keepTree, sizeLater } from "./keep_tree.ts";
import { hashOpenFile, sha256 } from "../hash.ts";

export interface RecorderOptions {
  readonly facts: CallFacts;
  /** How long to wait for a busy store. */
  readonly waitMs: number;
  /** Who records the changes of a root; or why nobody does, if the caller is to be informed. */
  keeperOf(root: ConfinedRoot): Promise<StoreKeeper | { off: string } | undefined>;
  /** Whether a path, relative to its root, is excluded on purpose. */
  isExcluded?(root: ConfinedRoot, relative: string): Promise<boolean>;
}

export interface CallOutcome extends Outcome {
  /** The same call's change in another root. */
  readonly also?: { root: string; id: string };
}

const ATTEMPTS = 10;

export class CallRecorder implements Recording {
  readonly #options: RecorderOptions;
  readonly #parts = new Map<string, StoreChange>();
  #off: string | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  file(path: ConfinedPath, appends: Uint8Array | undefined): FileRecording {
    let [change, n]: [StoreChange | undefined, number | undefined] = [undefined, undefined];
    return {
      intend: async (content, replaced) => {
        change = await this.#part(path);
        const intended = await change?.attempt(() =>
          this.#fileStep(path, { change, content, replaced, appends })
        );
        if (change === undefined || intended === undefined || intended === "same") return;
        n = await change.intend({ ...intended, instead: n });
      },
      placed: () => change?.made(n),
    };
  }

  folder(path: ConfinedPath): void {
    const info = lstat(path);
    if (info === undefined) return;
    const step: Step = {
      op: "put",
      path: relativeOf(path),
      before: ABSENT,
      after: { kind: "folder", ...ownedOf(info) },
    };
    this.#folders.push({ path, step });
  }

  /** Folders that were created; recorded with what comes next, or at the end. */
  readonly #folders: { path: ConfinedPath; step: Step }[] = [];

  async remove(path: ConfinedPath): Promise<boolean> {
    const change = await this.#part(path);
    const store = await change?.store();
    if (change === undefined || store === undefined) return false;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const done = await change.attempt(() => this.#remove(path, { change, store }));
      if (done !== "again") return done ?? false;
    }
    return false;
  }

  async removeTree(
    path: ConfinedPath,
    { entries, pace }: { entries: number; pace: Pace },
  ): Promise<"gone" | Stamps | undefined> {
    const change = await this.#part(path);
    const store = await change?.store();
    const info = lstat(path);
    if (change === undefined || store === undefined || info === undefined) return undefined;
    const kept = store.trash.newName();
    const before: State = { kind: "tree", ...ownedOf(info), size: entries, kept };
    const step: Step = { op: "put", path: relativeOf(path), before, after: ABSENT };
    const n = await change.intend({ steps: [step] });
    if (n === undefined) return undefined;
    if (await change.attempt(() => store.trash.take(path, kept))) {
      change.made(n);
      sizeLater(store, kept);
      change.note =
        "it is kept in the undo store: its disk space is freed when the change is dropped from the history";
      return "gone";
    }
    return await keepTree(path, { change, store, instead: n, pace, relativeOf });
  }

  async move(from: ConfinedPath, to: ConfinedPath, pace: Pace): Promise<MoveRecording> {
    const [source, goal] = [await this.#part(from), await this.#part(to)];
    if (source === undefined || goal === undefined || source !== goal) {
      return await this.#moveAcross({ from, to, source, goal, pace });
    }
    const move: Step = { op: "move", path: relativeOf(from), dest: relativeOf(to) };
    const replaced = await this.#replaced({ from, to }, source);
    const steps = [...replaced.steps, move];
    const n = await source.intend({ steps, contents: replaced.contents });
    return {
      made: () => {
        source.made(n, steps.length);
        return Promise.resolve();
      },
    };
  }

  /** At the end of the call, however it ended. Returns what to report to the client, if anything. */
  async finish(): Promise<CallOutcome> {
    for (const { path } of [...this.#folders]) await this.#part(path); // which records it
    const [first, second, ...more] = [...this.#parts.values()];
    const off = this.#off === undefined ? {} : { whyNot: this.#off };
    if (first === undefined) return off;
    for (const part of more) await part.finish();
    const also = second === undefined ? undefined : { root: second.keeper.root.name, id: second.id };
    const back = { root: first.keeper.root.name, id: first.id };
    const other = await second?.finish(back);
    const outcome = await first.finish(also);
    const shown = outcome.id === undefined && other?.id !== undefined ? other : outcome;
    const pair = also !== undefined && other?.id !== undefined && outcome.id !== undefined ? { also } : {};
    const { id: _, ...others } = other ?? {};
    return { ...off, ...others, ...shown, ...pair };
  }

  async #part(path: ConfinedPath): Promise<StoreChange | undefined> {
    const { owner } = path;
    const known = this.#parts.get(owner.name);
    const keeper = known?.keeper ?? await this.#options.keeperOf(owner);
    if (keeper === undefined) return undefined;
    if ("off" in keeper) {
      this.#off = keeper.off;
      return undefined;
    }
    if (await this.#options.isExcluded?.(owner, relativeOf(path))) {
      this.#off = "the operator has excluded this path from undo";
      return undefined;
    }
    const part = known ?? new StoreChange(keeper, this.#options);
    this.#parts.set(owner.name, part);
    this.#queueFolders(owner, part);
    return part;
  }

  /** Records the folders that were created in a root. */
  #queueFolders(owner: ConfinedRoot, part: StoreChange): void {
    const others = this.#folders.filter(({ path }) => path.owner !== owner);
    for (const { path, step } of this.#folders.splice(0)) if (path.owner === owner) part.queue(step);
    this.#folders.push(...others);
  }

  async #fileStep(
    path: ConfinedPath,
    { change, content, replaced, appends }: {
      change: StoreChange | undefined;
      content: NewContent;
      replaced: ConfinedFile | undefined;
      appends: Uint8Array | undefined;
    },
  ): Promise<{ steps: Step[]; contents: Packed[] } | "same" | undefined> {
    const store = await change?.store();
    if (change === undefined || store === undefined) return undefined;
    const relative = relativeOf(path);
    const owner = replaced?.owner ?? { uid: null, gid: null };
    const after: FileState = {
      kind: "file",
      mode: content.mode & ~SET_ID,
      ...owner,
      size: content.size,
      hash: content.hash,
    };
    if (replaced !== undefined && appends !== undefined && appends.length <= LARGEST_CONTENT) {
      return await this.#spliceStep(store, { relative, after, replaced, appends });
    }
    const kept = replaced === undefined ? undefined : await keepFile(store, replaced, change);
    if (replaced !== undefined && kept === undefined) {
      await change.cannotUndo(tooLarge(change));
      const before = stateOf(replaced);
      return { steps: [{ op: "put", path: relative, before, after }], contents: [] };
    }
    change.allowed -= kept?.copied ?? 0;
    const before = kept?.state ?? ABSENT;
    if (before.kind === "file" && before.hash === after.hash && before.mode === after.mode) return "same";
    const contents = [...kept?.contents ?? []];
    const { bytes, hash } = content;
    if (bytes !== undefined && store.contents.has(hash)) contents.push(knownContent(bytes, hash));
    else if (bytes !== undefined && bytes.length <= change.spare) {
      change.spare -= bytes.length;
      contents.push(await packContent(bytes, hash));
    }
    return { steps: [{ op: "put", path: relative, before, after }], contents };
  }

  /** An append is stored as what was added; the earlier content is stored once, to compute the rest from. */
  async #spliceStep(
    store: UndoStore,
    { relative, after, replaced, appends }: {
      relative: string;
      after: FileState;
      replaced: ConfinedFile;
      appends: Uint8Array;
    },
  ): Promise<{ steps: Step[]; contents: Packed[] } | "same"> {
    const bytes = replaced.size <= LARGEST_CONTENT ? bytesOf(replaced) : undefined;
    const { hash, size } = bytes === undefined
      ? await hashOpenFile(replaced, { algorithm: "sha256" })
      : { hash: await sha256(bytes), size: bytes.length };
    if (appends.length === 0) return "same";
    const before: FileState = { ...stateOf(replaced), size, hash };
    const added = await packContent(appends);
    const cut = await packContent(new Uint8Array());
    const step: Step = {
      op: "splice",
      path: relative,
      before,
      after,
      offset: size,
      cut: cut.hash,
      add: added.hash,
    };
    if (bytes === undefined) return { steps: [step], contents: [added] };
    const isKnown = store.contents.isKnown(hash);
    const base = isKnown ? knownContent(bytes, hash) : await packContent(bytes, hash);
    return { steps: [step], contents: [added, base] };
  }

  async #remove(
    path: ConfinedPath,
    { change, store }: { change: StoreChange; store: UndoStore },
  ): Promise<boolean | "again"> {
    const info = lstat(path);
    if (info === undefined) return false;
    const relative = relativeOf(path);
    if (info.isFile && info.size <= LARGEST_CONTENT) {
      using file = await openIfReadable(path);
      const kept = file && await keepFile(store, file, { allowed: Infinity });
      if (file !== undefined && kept !== undefined) {
        const steps: Step[] = [{ op: "put", path: relative, before: kept.state, after: ABSENT }];
        const n = await change.intend({ steps, contents: kept.contents });
        if (n === undefined) return false;
        if (isSaved(file)) return "again";
        unlink(path);
        change.made(n);
        return true;
      }
    }
    return await this.#removeKept(path, { change, store, info });
  }

  /** Moves it to the trash as it is, or keeps a copy there. */
  async #removeKept(
    path: ConfinedPath,
    { change, store, info }: { change: StoreChange; store: UndoStore; info: Deno.FileInfo },
  ): Promise<boolean> {
    const kept = store.trash.newName();
    const before = wholeState(path, { info, kept });
    const step: Step = { op: "put", path: relativeOf(path), before, after: ABSENT };
    const trashed = { entries: 1, bytes: info.size };
    const n = await change.intend({ steps: [step], trashed });
    if (n === undefined) return false;
    if (await store.trash.take(path, kept)) {
      change.made(n);
      return true;
    }
    if (!info.isFile || info.size > change.allowed) {
      await change.cannotUndo(info.isFile ? tooLarge(change) : NOT_COPIED);
      return false;
    }
    using file = await openIfReadable(path);
    const copy = file && await keepFile(store, file, change);
    if (copy === undefined) {
      await change.cannotUndo("it cannot be read");
      return false;
    }
    change.allowed -= copy.copied;
    await change.intend({ steps: [{ ...step, before: copy.state }], trashed, instead: n });
    unlink(path);
    change.made(n);
    return true;
  }

  /** What a rename replaces. */
  async #replaced(
    { from, to }: { from: ConfinedPath; to: ConfinedPath },
    change: StoreChange,
  ): Promise<{ steps: Step[]; contents: Packed[] }> {
    const info = isRespelling(from, to) ? undefined : lstat(to);
    const store = await change.store();
    if (info === undefined || store === undefined) return { steps: [], contents: [] };
    const kept = await change.attempt(async () => {
      if (info.isFile) {
        using file = await openIfReadable(to);
        const kept = file && await keepFile(store, file, change);
        return kept && { state: kept.state, contents: [...kept.contents] };
      }
      const name = store.trash.newName();
      if (!await store.trash.link(to, name)) return undefined;
      return { state: wholeState(to, { info, kept: name }), contents: [] };
    });
    if (kept === undefined) await change.cannotUndo(info.isFile ? tooLarge(change) : NOT_COPIED);
    const before = kept?.state ?? wholeState(to, { info, kept: undefined });
    return {
      steps: [{ op: "put", path: relativeOf(to), before, after: ABSENT }],
      contents: kept?.contents ?? [],
    };
  }

  /** From one root to another: what leaves the one and what arrives in the other are two changes. */
  async #moveAcross(
    { from, to, source, goal, pace }: {
      from: ConfinedPath;
      to: ConfinedPath;
      source: StoreChange | undefined;
      goal: StoreChange | undefined;
      pace: Pace;
    },
  ): Promise<MoveRecording> {
    const store = await source?.store();
    if (source !== undefined && store !== undefined) {
      await keepTree(from, { change: source, store, pace, relativeOf });
    }
    const replaced = goal === undefined ? undefined : await this.#replaced({ from, to }, goal);
    if (replaced !== undefined && replaced.steps.length > 0) await goal?.intend(replaced);
    return {
      made: async () => {
        const arrived = await goal?.store();
        if (goal === undefined || arrived === undefined) return;
        const { arrivals } = await import("./keep_tree.ts");
        const steps = await goal.attempt(() => arrivals(to, { pace, relativeOf }));
        if (steps !== undefined) goal.made(await goal.intend({ steps }), steps.length);
      },
    };
  }
}

const SET_ID = 0o6000;
const NOT_COPIED =
  "links, pipes, sockets and devices can be kept only on their own file system, and the undo " +
  "store is on another";

export function tooLarge({ keeper }: StoreChange): string {
  const megabytes = Math.round(keeper.settings.maxChangeBytes / 1024 / 1024);
  return `it would mean copying more than ${megabytes} MB (max_change_mb)`;
}

/** A path relative to the root that it belongs to. */
export function relativeOf({ owner, absolute }: ConfinedPath): string {
  if (!contains(owner.path, absolute)) throw new TypeError("not in its root");
  const below = absolute.slice(owner.path.length).split(SEPARATOR).filter((name) => name !== "");
  return below.join("/");
}

/** The state of something that is kept as it is. */
function wholeState(
  path: ConfinedPath,
  { info, kept }: { info: Deno.FileInfo; kept: string | undefined },
): State {
  const name = kept === undefined ? {} : { kept };
  if (info.isSymlink) return { kind: "link", target: readLink(path), ...name };
  if (info.isFile) return { kind: "file", ...ownedOf(info), size: info.size, ...name };
  return { kind: "other", ...name };
}

async function openIfReadable(path: ConfinedPath): Promise<ConfinedFile | undefined> {
  try {
    return await openSettled(path, undefined);
  } catch (error) {
    if (error instanceof PaddockError && error.code === "PERMISSION_DENIED") return undefined;
    throw error;
  }
}
