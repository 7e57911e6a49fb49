/**
 * What others have changed in the files that a plan touches, and what is known about these files. It goes into a
 * commit of its own before the change, so that nothing a person wrote is replaced before it is in the history.
 */
import { PaddockError } from "../../../base/errors.ts";
import { isGitName, quote } from "../../../confine/path_rules.ts";
import { type ConfinedPath, nameOf, parentOf } from "../../../confine/resolve_path.ts";
import { findGit } from "../../guarded.ts";
import { Pace } from "../../yield.ts";
import type { Conversions } from "../files/conversions.ts";
import type { Disk, OnDisk } from "../files/disk.ts";
import { permissionsSeen } from "../files/modes.ts";
import { checkContent, checkNames, hasRules } from "../files/names_git_refuses.ts";
import type { IndexFile } from "../index/index_file.ts";
import { fromBytes, isUtf8, toBytes } from "../objects/byte_names.ts";
import type { ObjectBatch } from "../objects/object_batch.ts";
import type { ObjectStore } from "../objects/object_store.ts";
import { MODE_LINK, MODE_REPOSITORY } from "../objects/objects.ts";
import type { TreeEntry } from "../objects/tree.ts";
import { entryAt, filesBelow, isSameEntry } from "../objects/tree_edits.ts";
import { Seen } from "./seen.ts";

export interface KeepingContext {
  readonly store: ObjectStore;
  readonly batch: ObjectBatch;
  readonly index: IndexFile;
  readonly disk: Disk;
  readonly conversions: Conversions;
  /** The tree of the last commit. */
  readonly tree: string | undefined;
  readonly signal: AbortSignal | undefined;
}

export class Keeping {
  readonly #context: KeepingContext;
  /** Outside changes, by path as a byte string. */
  readonly kept = new Map<string, TreeEntry | undefined>();
  /** The state of everything that the work replaces or removes. */
  readonly seen = new Seen();
  /** The permissions of the files touched, at their old paths and their new ones. */
  readonly modes = new Map<string, number>();

  constructor(context: KeepingContext) {
    this.#context = context;
  }

  /** Notes the permissions that a path has, or will have. */
  see(name: string, now: OnDisk | undefined): void {
    const mode = now && permissionsSeen(now.info);
    if (mode !== undefined) this.modes.set(fromBytes(name), mode);
  }

  /** Notes the state of a path, if it differs from the last commit. */
  async keep(name: string, now: OnDisk | undefined): Promise<void> {
    const { store, tree, batch, index, conversions } = this.#context;
    this.see(name, now);
    if (isSameEntry(now?.entry, entryAt(store, tree, name))) return;
    if (now === undefined && index.isSkipped(name)) return;
    if (now !== undefined) {
      const path = fromBytes(name);
      const content = () => now.bytes ?? store.blob(now.entry.oid);
      if (hasRules(path)) checkContent(path, now.entry.mode, content);
      if (now.entry.mode !== MODE_LINK) await conversions.check(path, content);
      if (now.bytes !== undefined) await batch.add("blob", now.bytes);
    }
    this.kept.set(name, now?.entry);
  }

  /** A file as it was found. */
  async found(path: ConfinedPath): Promise<void> {
    checkNames(path.relative);
    await this.keep(toBytes(path.relative), await this.#context.disk.look(path));
  }

  /** Everything on disk below a folder that will be removed. */
  async below(folder: ConfinedPath, name: string): Promise<void> {
    const { disk, signal } = this.#context;
    await this.#refuseNested(folder);
    const missing = this.#namesIn(name);
    for await (const path of disk.below(folder, signal)) {
      const file = toBytes(path.relative);
      missing.delete(file);
      checkNames(path.relative);
      const now = await disk.look(path);
      await this.keep(file, now);
      this.seen.note(path, now);
    }
    for (const file of missing) await this.keep(file, undefined);
  }

  /** What git tracks below a folder that moves; untracked files just move along. */
  async tracked(
    folder: ConfinedPath,
    { source, target }: { source: string; target: string },
  ): Promise<void> {
    const { disk, index, signal } = this.#context;
    await this.#refuseNested(folder);
    const pace = new Pace(signal);
    const known = this.#namesIn(source);
    for (const file of index.namesBelow(source)) {
      checkReadable(file);
      known.add(file);
    }
    for (const file of known) {
      await pace.step();
      const now = await disk.look(disk.at(fromBytes(file))).catch(ifGone);
      await this.keep(file, now);
      this.see(target + file.slice(source.length), now);
    }
  }

  /** The files of the last commit below a folder. */
  #namesIn(name: string): Set<string> {
    const { store, tree, disk } = this.#context;
    const names = new Set<string>();
    for (const file of filesBelow(store, entryAt(store, tree, name), name)) {
      checkReadable(file.name);
      if (file.mode === MODE_REPOSITORY) throw nested(disk.at(fromBytes(file.name)));
      names.add(file.name);
    }
    return names;
  }

  async #refuseNested(folder: ConfinedPath): Promise<void> {
    const git = await findGit(folder, new Pace(this.#context.signal));
    if (git !== undefined) throw nested(isGitName(nameOf(git)) ? parentOf(git) : git);
  }
}

/** For a file whose folder is gone as well, or is now a file. */
function ifGone(error: unknown): undefined {
  const isGone = error instanceof PaddockError &&
    (error.code === "NOT_FOUND" || error.code === "INVALID_INPUT");
  if (!isGone) throw error;
}

/** Such a file cannot be read, so its content could not be recorded. */
function checkReadable(name: string): void {
  if (isUtf8(name)) return;
  throw new PaddockError(
    "UNSUPPORTED",
    `the name of ${
      quote(fromBytes(name))
    }, a file in the history, is not valid UTF-8; rename it with git first`,
  );
}

export function nested(folder: ConfinedPath): PaddockError {
  return new PaddockError(
    "UNSUPPORTED",
    `${quote(folder.relative)} is a nested git repository in the workspace (a submodule or a clone); ` +
      "paddock does not change what is in it, nor move or remove it",
  );
}
