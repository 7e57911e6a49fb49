/**
 * What a plan comes to: what to do to the working tree, how the new commit differs from the last one, and which
 * outside changes in the affected files must be recorded first. Nothing is changed here except the object store;
 * what cannot be done is refused here, before anything is changed.
 */
import { isRespelling } from "../../spelling.ts";
import { PaddockError } from "../../../base/errors.ts";
import { linkTarget, lstat, readFolder } from "../../../confine/confined_fs.ts";
import { type ComingPieces, refuseNewGitFolders } from "../../../confine/git_folders.ts";
import { contains, quote } from "../../../confine/path_rules.ts";
import { childOf, type ConfinedPath, parentOf } from "../../../confine/resolve_path.ts";
import { modeOf } from "../files/disk.ts";
import { checkLeftOut } from "../files/left_out.ts";
import type { Modes } from "../files/modes.ts";
import { checkContent, checkNames } from "../files/names_git_refuses.ts";
import { toBytes } from "../objects/byte_names.ts";
import {
  hashObject,
  MODE_EXECUTABLE,
  MODE_FILE,
  MODE_FOLDER,
  MODE_LINK,
  MODE_REPOSITORY,
} from "../objects/objects.ts";
import type { TreeEntry } from "../objects/tree.ts";
import { entryAt, isSameEntry } from "../objects/tree_edits.ts";
import type { Step } from "../store.ts";
import { StartOver } from "./start_over.ts";
import { Claims } from "./claims.ts";
import { Keeping, type KeepingContext, nested } from "./keeping.ts";
import type { Work } from "./work.ts";

/** A step of a plan, or a file that gets back earlier content. */
export type Wanted =
  | Step
  | { readonly kind: "revert"; readonly path: ConfinedPath; readonly entry: TreeEntry | undefined };

export interface PreparationContext extends KeepingContext {
  readonly modes: Modes;
  readonly umask: number;
}

type PutOptions = Partial<Pick<Extract<Step, { kind: "put" }>, "madeFrom" | "permissions">>;

interface RemoveOptions extends Partial<Pick<Extract<Step, { kind: "remove" }>, "madeFrom" | "makesRoom">> {
  /** Whether earlier content takes its place. */
  readonly isRevert?: boolean;
}

interface Writing {
  /** What is there. */
  readonly info: Deno.FileInfo | undefined;
  /** For a file that does not exist yet. */
  readonly permissions: number;
  /** The only content that may be replaced. */
  readonly expected?: string | undefined;
}

/** What else changes in the tree after outside changes were committed. */
type Later = (tree: string | undefined) => [path: string, entry: TreeEntry | undefined][];

export class Preparation {
  readonly #context: PreparationContext;
  readonly #later: Later[] = [];
  /** What is removed to make room, relative to the workspace; nothing is left below it. */
  readonly #cleared = new Set<string>();
  readonly #claims = new Claims();
  /** New files that would look like parts of a git folder. */
  readonly #coming: ComingPieces = new Map();
  /** What others have changed. */
  readonly keeping: Keeping;
  readonly work: Work[] = [];
  /** The contents of the files to be written, by hash. */
  readonly contents = new Map<string, Uint8Array>();
  /** The files that are replaced. */
  readonly replaced = new Map<Work, Deno.FileInfo>();
  /** Contents that were made from what is there: if that is gone, they must not be committed. */
  readonly derived = new Set<Work>();

  constructor(context: PreparationContext) {
    this.#context = context;
    this.keeping = new Keeping(context);
  }

  async add(step: Wanted): Promise<void> {
    if (step.kind === "put") await this.#put(step.path, step.bytes, step);
    else if (step.kind === "remove") await this.#remove(step.path, step);
    else if (step.kind === "move") await this.#move(step.from, step.to, step);
    else if (step.kind === "prune") this.#prune(step.path, step);
    else if (step.kind === "folder") await this.#folder(step.path);
    else await this.#revert(step.path, step.entry);
  }

  /** What the tool itself changes, given the tree after outside changes were committed. */
  edits(tree: string | undefined): Map<string, TreeEntry | undefined> {
    return new Map(this.#later.flatMap((later) => later(tree)));
  }

  async #put(path: ConfinedPath, bytes: Uint8Array, { madeFrom, permissions: given }: PutOptions = {}) {
    refuseNewGitFolders(path, this.#coming);
    const info = this.#isCleared(path) ? undefined : lstat(path);
    const trustsModes = this.#context.disk.trustsModes && Deno.build.os !== "windows";
    const isPlain = info !== undefined && info.isFile && trustsModes;
    const there = entryAt(this.#context.store, this.#context.tree, toBytes(path.relative));
    const kept = !trustsModes && there?.mode !== MODE_LINK ? there?.mode : undefined;
    const isExecutable = ((given ?? 0) & 0o100) !== 0;
    const mode = isPlain ? modeOf(info) : kept ?? (isExecutable ? MODE_EXECUTABLE : MODE_FILE);
    checkContent(path.relative, mode, () => bytes);
    await this.#context.conversions.check(path.relative, () => bytes);
    const oid = hashObject("blob", bytes);
    if (oid !== there?.oid) await this.#context.batch.add("blob", bytes, oid);
    this.contents.set(oid, bytes);
    if (!this.#cleared.has(path.relative)) this.#claims.add(path); // what makes room for it goes first
    const expected = madeFrom === undefined ? undefined : hashObject("blob", madeFrom);
    const permissions = given ?? ((0o666 | (mode & 0o111)) & ~this.#context.umask);
    await this.#write(path, { mode, oid }, { info, permissions, expected });
  }

  async #write(
    path: ConfinedPath,
    entry: TreeEntry,
    { info, permissions: fresh, expected }: Writing,
  ): Promise<void> {
    if (entry.mode === MODE_LINK || entry.mode === MODE_REPOSITORY) {
      throw new PaddockError(
        "UNSUPPORTED",
        `links and nested repositories cannot be restored: ${quote(path.given)}`,
      );
    }
    const isFree = this.#isCleared(path);
    if (!isFree && info?.isDirectory) {
      throw new PaddockError("INVALID_INPUT", `path is a directory, not a file: ${quote(path.given)}`);
    }
    const name = this.#enter(path, info);
    checkLeftOut(name, this.#context);
    const now = isFree ? undefined : await this.#context.disk.look(path, { info });
    if (expected !== undefined && now?.entry.oid !== expected) throw StartOver.forFile(path);
    this.#later.push(() => [[name, entry]]);
    if (isSameEntry(now?.entry, entry)) return;
    if (!this.contents.has(entry.oid)) {
      await this.#context.conversions.check(path.relative, () => this.#context.store.blob(entry.oid));
    }
    if (!isFree) await this.keeping.keep(name, now);
    const executable = entry.mode & 0o111;
    const before = now?.info.isFile ? (now.info.mode ?? 0) & 0o7777 : undefined;
    const permissions = before === undefined
      ? fresh
      : (before & 0o100) === (executable & 0o100)
      ? before
      : executable === 0
      ? before & ~0o111
      : before | (0o111 & ~this.#context.umask);
    this.keeping.modes.set(path.relative, permissions & 0o777);
    const work: Work = { kind: "write", path: path.relative, ...entry, permissions };
    this.work.push(work);
    if (expected !== undefined) this.derived.add(work);
    if (now?.info.isFile) this.replaced.set(work, now.info);
    if (!isFree) this.keeping.seen.note(path, now);
  }

  /** Restores a path; restore_plan.ts has checked that this is possible. */
  async #revert(path: ConfinedPath, entry: TreeEntry | undefined): Promise<void> {
    const { disk } = this.#context;
    const name = toBytes(path.relative);
    const info = this.#isCleared(path) ? undefined : disk.stat(path.relative);
    const isPlain = info !== undefined && (info.isFile || info.isSymlink);
    if (entry === undefined && isPlain) await this.#clear(path);
    // If nothing is on disk, or something git cannot record, only the entry is removed.
    else if (entry === undefined) this.#later.push(() => [[name, undefined]]);
    else if (isPlain && isSameEntry((await disk.look(path))?.entry, entry)) {
      this.#later.push(() => [[name, entry]]);
    } else {
      await this.#makeRoom(path, entry);
      if (entry.mode !== MODE_REPOSITORY) {
        const { modes, umask } = this.#context;
        const permissions = modes.permissionsOf(path.relative, entry.mode, umask);
        return await this.#write(path, entry, { info: disk.stat(path.relative), permissions });
      }
      this.#later.push(() => [[name, entry]]);
      this.work.push({ kind: "folder", path: path.relative });
    }
  }

  /** Removes a file where a folder must be, and the reverse. */
  async #makeRoom(path: ConfinedPath, entry: TreeEntry): Promise<void> {
    const { disk } = this.#context;
    for (let cut = path.relative.indexOf("/"); cut > 0; cut = path.relative.indexOf("/", cut + 1)) {
      const above = disk.at(path.relative.slice(0, cut));
      if (this.#cleared.has(above.relative)) return;
      const info = disk.stat(above.relative);
      if (info === undefined) return;
      if (!info.isDirectory) return await this.#clear(above);
    }
    const info = disk.stat(path.relative);
    const mustGo = entry.mode === MODE_REPOSITORY ? info?.isDirectory === false : info?.isDirectory === true;
    if (mustGo) await this.#clear(path);
  }

  async #clear(path: ConfinedPath): Promise<void> {
    await this.#remove(path, { isRevert: true });
    this.#cleared.add(path.relative);
  }

  #isCleared({ relative }: ConfinedPath): boolean {
    if (this.#cleared.size === 0) return false;
    for (let cut = relative.indexOf("/"); cut > 0; cut = relative.indexOf("/", cut + 1)) {
      if (this.#cleared.has(relative.slice(0, cut))) return true;
    }
    return this.#cleared.has(relative);
  }

  async #remove(path: ConfinedPath, options: RemoveOptions): Promise<void> {
    const { isRevert = false, makesRoom = false, madeFrom } = options;
    if (!isRevert && !makesRoom) this.#claims.add(path);
    const info = lstat(path);
    if (info === undefined) throw new PaddockError("NOT_FOUND", `file not found: ${path.given}`);
    const name = this.#enter(path);
    if (info.isDirectory) await this.keeping.below(path, name);
    else {
      const now = await this.#context.disk.look(path);
      const isOther = madeFrom !== undefined && now?.entry.oid !== hashObject("blob", madeFrom);
      if (isOther) throw StartOver.forFile(path);
      await this.keeping.keep(name, now);
      this.keeping.seen.note(path, now);
    }
    this.#later.push(() => [[name, undefined]]);
    this.work.push({ kind: "remove", path: path.relative, ...(isRevert && { tidy: true }) });
    if (makesRoom) this.#cleared.add(path.relative);
  }

  /** Other steps take care of what is in it. */
  #prune(path: ConfinedPath, { makesRoom = false }: RemoveOptions): void {
    this.work.push({ kind: "prune", path: path.relative });
    if (makesRoom) this.#cleared.add(path.relative);
  }

  async #move(from: ConfinedPath, to: ConfinedPath, { isPart = false }: { isPart?: boolean }): Promise<void> {
    this.#claims.add(from);
    this.#claims.add(to);
    const info = lstat(from);
    if (info === undefined) throw new PaddockError("NOT_FOUND", `source file not found: ${from.given}`);
    if (!this.#isCleared(to) && lstat(to) !== undefined && !isRespelling(from, to)) {
      throw new PaddockError("ALREADY_EXISTS", `destination exists: ${quote(to.given)}; choose another name`);
    }
    if (contains(from.absolute, to.absolute)) {
      throw new PaddockError(
        "INVALID_INPUT",
        `cannot move ${quote(from.given)} into itself (${quote(to.given)})`,
      );
    }
    if (info.isSymlink && linkTarget(from).place === "outside") {
      throw new PaddockError(
        "OUT_OF_BOUNDS",
        `cannot move a link that leads outside the root: ${quote(from.given)}`,
      );
    }
    refuseNewGitFolders(to, this.#coming);
    const [source, target] = [this.#enter(from), this.#enter(to)];
    checkLeftOut(target, { ...this.#context, isNew: true });
    await this.keeping.keep(target, undefined);
    if (info.isDirectory) await this.keeping.tracked(from, { source, target });
    else {
      const now = await this.#context.disk.look(from);
      if (now !== undefined) {
        checkContent(to.relative, now.entry.mode, () => now.bytes ?? this.#context.store.blob(now.entry.oid));
      }
      if (!isPart || this.#isKnown(source)) await this.keeping.keep(source, now);
      this.keeping.see(target, now);
      this.keeping.seen.note(from, now);
    }
    this.#later.push((tree) => {
      const entry = entryAt(this.#context.store, tree, source);
      return entry === undefined ? [] : [[source, undefined], [target, entry]];
    });
    this.work.push({ kind: "move", from: from.relative, to: to.relative });
    if (!this.#isCleared(to) && !isRespelling(from, to)) this.keeping.seen.note(to, undefined);
  }

  /** Whether git knows a file, by the last commit or by its index. */
  #isKnown(name: string): boolean {
    const { store, tree, index } = this.#context;
    return entryAt(store, tree, name) !== undefined || index.versionsOf(name).length > 0;
  }

  async #folder(path: ConfinedPath): Promise<void> {
    this.#claims.add(path, { isFolder: true });
    const info = lstat(path);
    if (info !== undefined && !info.isDirectory) {
      throw new PaddockError("ALREADY_EXISTS", `path exists and is a file: ${quote(path.given)}`);
    }
    if (path.relative === "" || (info !== undefined && readFolder(path).length > 0)) return;
    const mark = childOf(path, ".gitkeep");
    this.#enter(mark);
    this.work.push({ kind: "folder", path: path.relative });
    await this.#put(mark, new Uint8Array());
  }

  /**
   * The name of a path in git, after checking everything above it: a nested repository is not ours to change, and a
   * file above it in the last commit has become a folder since.
   */
  #enter(path: ConfinedPath, info = this.#context.disk.stat(path.relative)): string {
    checkNames(path.relative);
    const { store, tree } = this.#context;
    const name = toBytes(path.relative);
    for (let at = path; at.relative !== "";) {
      const entry = entryAt(store, tree, toBytes(at.relative));
      const mayHold = at !== path || info?.isDirectory === true;
      if (entry?.mode === MODE_REPOSITORY || (mayHold && this.#isRepository(at))) throw nested(at);
      const isOther = at !== path && entry !== undefined && entry.mode !== MODE_FOLDER;
      if (isOther && !this.#cleared.has(at.relative)) {
        this.keeping.kept.set(toBytes(at.relative), undefined);
      }
      at = parentOf(at);
    }
    return name;
  }

  #isRepository({ relative }: ConfinedPath): boolean {
    return this.#context.disk.has(`${relative}/.git`);
  }
}
