/** What several operations come to, step by step, each on the root as those before it would leave it. */
import { PaddockError } from "../../base/errors.ts";
import { namesFolder, quote } from "../../confine/path_rules.ts";
import { stringEditSteps } from "../../text/string_edits.ts";
import { encodeUtf8 } from "../../text/utf8.ts";
import { editBytes, tooLarge } from "../edit.ts";
import { isGone, isOther } from "../expected_hash.ts";
import { refuseRoots } from "../guarded.ts";
import { refuseLink } from "../move.ts";
import { countRemovable } from "../removable.ts";
import { isOne } from "../stamps.ts";
import { inSteps, Pace } from "../yield.ts";
import { ChangedPaths, isIntoItself } from "./changed_paths.ts";
import { type Operation, OperationFailure, type Wanted } from "./changes.ts";
import { Meanwhile } from "./conflict.ts";
import { hashOf } from "./contents.ts";
import { lookShort } from "./look.ts";
import { join } from "./overlay.ts";
import { isOneSpelling } from "../../confine/path_rules.ts";
import type { Plan } from "./plan.ts";
import { ABSENT, type FileState, isSameState, parentPath, selfAndAbove, type State } from "./state.ts";

export interface Planning {
  /** Whether folders are removed file by file, because the store is on another file system. */
  readonly isApart?: boolean;
}

type Op<K extends Operation["op"]> = Operation & { op: K };

/** Adds to the plan what the operations do; returns the paths of edited files. Throws OperationFailure. */
export async function planChanges(
  plan: Plan,
  wanted: Wanted,
  options: Planning = {},
): Promise<ReadonlySet<string>> {
  const planner = new ChangesPlanner(plan, wanted, options);
  for (const [index, operation] of wanted.operations.entries()) {
    try {
      await planner.add(operation, index);
    } catch (error) {
      if (error instanceof Meanwhile || !(error instanceof PaddockError)) throw error;
      throw new OperationFailure(index, error);
    }
  }
  return planner.edited;
}

class ChangesPlanner {
  readonly #plan: Plan;
  readonly #wanted: Wanted;
  readonly #paths: ChangedPaths;
  readonly #isApart: boolean;
  readonly #pace: Pace;
  readonly edited = new Set<string>();

  constructor(plan: Plan, wanted: Wanted, { isApart = false }: Planning) {
    this.#plan = plan;
    this.#wanted = wanted;
    this.#paths = new ChangedPaths(plan.store, wanted);
    this.#isApart = isApart;
    this.#pace = new Pace(plan.options.signal);
  }

  async add(operation: Operation, index: number): Promise<void> {
    await this.#pace.step();
    switch (operation.op) {
      case "write":
        return await this.#write(operation);
      case "edit":
        return await this.#edit(operation);
      case "delete":
        return await this.#delete(operation, index);
      case "move":
        return await this.#move(operation, index);
      case "mkdir":
        return await this.#mkdir(operation);
    }
  }

  async #write({ path: given, content, expectedHash }: Op<"write">): Promise<void> {
    const path = await this.#filePath(given);
    const now = await this.#look(path);
    if (now.kind !== "absent") mustBeFile(given, now);
    checkHash(given, { now, expectedHash });
    const bytes = encodeUtf8(content);
    await this.#putFile(path, { before: now, bytes });
  }

  async #edit({ path: given, edits, expectedHash }: Op<"edit">): Promise<void> {
    const path = await this.#filePath(given);
    const now = await this.#look(path);
    if (now.kind === "absent") throw this.#notFound(given, path);
    mustBeFile(given, now);
    checkHash(given, { now, expectedHash });
    const { maxBytes } = this.#wanted;
    const before = now.size > maxBytes ? undefined : await this.#plan.bytesAt(path, now);
    if (before === undefined) throw tooLarge(given, now.size, maxBytes);
    if (hashOf(before) !== now.hash) throw new Meanwhile(path); // saved between the two reads
    const change = async (text: string) =>
      (await inSteps(stringEditSteps(text, edits), new Pace(this.#plan.options.signal))).text;
    const bytes = await editBytes(before, change, { given, maxBytes, refuseBinary: true });
    this.edited.add(path);
    await this.#putFile(path, { before: now, bytes });
  }

  async #delete({ path: given, expectedHash }: Op<"delete">, index: number): Promise<void> {
    const path = await this.#paths.resolve(given, { follow: false });
    if (path === "") throw new PaddockError("NOT_ALLOWED", "cannot remove root directory");
    const now = await this.#look(path);
    if (now.kind === "absent") throw this.#notFound(given, path);
    checkHash(given, { now, expectedHash });
    if (now.kind === "folder") await this.#deleteFolder(path, now);
    else await this.#plan.put(path, { before: now, after: ABSENT });
    this.#paths.note(path, { index });
  }

  /** Moves it whole into the trash; an empty one is just removed. */
  async #deleteFolder(path: string, now: State & { kind: "folder" }): Promise<void> {
    const where = this.#plan.overlay.whereIs(path);
    const isOnDisk = where !== undefined && lookShort(where)?.isDirectory === true;
    if (isOnDisk) refuseRoots(where);
    const entries = isOnDisk ? await countRemovable(where, this.#pace) : 1;
    const names = await this.#plan.overlay.list(path);
    if (names.length > 0 && !this.#isApart) {
      const { mode, uid, gid } = now;
      const before: State = { kind: "tree", mode, uid, gid, size: entries };
      return await this.#plan.put(path, { before, after: ABSENT });
    }
    for (const name of names) {
      await this.#pace.step();
      const child = join(path, name);
      const state = await this.#look(child);
      if (state.kind === "folder") await this.#deleteFolder(child, state);
      else await this.#plan.put(child, { before: state, after: ABSENT });
    }
    await this.#plan.put(path, { before: now, after: ABSENT });
  }

  async #move({ source, destination }: Op<"move">, index: number): Promise<void> {
    const from = await this.#paths.resolve(source, { follow: false });
    if (from === "") throw new PaddockError("NOT_ALLOWED", "cannot move root directory");
    const now = await this.#look(from);
    if (now.kind === "absent") throw this.#notFound(source, from);
    const to = await this.#destination(destination, from);
    if (to === from) return;
    const isFolder = now.kind === "folder";
    if (isFolder && isIntoItself(from, to)) {
      throw new PaddockError(
        "INVALID_INPUT",
        `cannot move ${quote(source)} into itself (${quote(destination)})`,
      );
    }
    const where = this.#plan.overlay.whereIs(from);
    if (isFolder && where !== undefined) refuseRoots(where);
    if (now.kind === "link" && where !== undefined) refuseLink(where, this.#plan.store.at(to));
    await this.#replace(to, { destination, from, isFolder });
    await this.#makeParents(to);
    this.#plan.add({ op: "move", path: from, dest: to });
    this.#paths.note(from, { index, to });
    this.#paths.note(to, { index });
  }

  /** Where something goes: into an existing folder, or to the path itself. */
  async #destination(given: string, from: string): Promise<string> {
    const to = await this.#paths.resolve(given, { follow: false });
    const { kind } = await this.#look(to);
    if (kind !== "folder" || to === from) {
      if (kind === "absent" && namesFolder(given)) {
        const { kind: source } = await this.#look(from);
        if (source !== "folder") throw namesAFolder(given);
      }
      return to;
    }
    const name = from.slice(parentPath(from).length).replace(/^\//, "");
    return await this.#paths.resolve(join(to, name), { follow: false });
  }

  /** Plans the removal of what a move replaces. */
  async #replace(
    to: string,
    { destination, from, isFolder }: { destination: string; from: string; isFolder: boolean },
  ): Promise<void> {
    const there = await this.#look(to);
    if (there.kind === "absent") return;
    const [here, other] = [from, to].map((path) => this.#plan.overlay.whereIs(path));
    const isSame = here !== undefined && other !== undefined && isOneSpelling(from, to) &&
      isOne(lookShort(here), lookShort(other));
    if (isSame) return; // one name in two spellings
    const kind = there.kind === "folder" ? "a directory" : isFolder ? "a file" : undefined;
    if (kind !== undefined) {
      throw new PaddockError("ALREADY_EXISTS", `destination exists and is ${kind}: ${quote(destination)}`);
    }
    await this.#plan.put(to, { before: there, after: ABSENT });
  }

  async #mkdir({ path: given }: Op<"mkdir">): Promise<void> {
    const path = await this.#paths.resolve(given, { follow: true });
    const { kind } = await this.#look(path);
    if (kind === "folder") return;
    if (kind !== "absent") {
      throw new PaddockError("ALREADY_EXISTS", `path exists and is a file: ${quote(given)}`);
    }
    await this.#makeParents(join(path, "any"));
  }

  async #filePath(given: string): Promise<string> {
    const path = await this.#paths.resolve(given, { follow: true });
    if (path === "") throw isFolder(given);
    if (namesFolder(given)) throw namesAFolder(given);
    return path;
  }

  /** If the last step wrote this very file, that step is changed instead. */
  async #putFile(path: string, { before, bytes }: { before: State; bytes: Uint8Array }): Promise<void> {
    const { index } = this.#plan.overlay;
    const after = this.#fileOf(before, bytes);
    if (isSameState(before, after)) return;
    await this.#makeParents(path);
    const at = index.lastBefore(Infinity, path);
    const last = at === undefined ? undefined : index.steps[at];
    const isMadeHere = last?.op === "put" && last.path === path && last.after.kind === "file";
    if (at !== undefined && isMadeHere && !isSameState(last.before, after)) {
      return index.replace(at, { ...last, after });
    }
    this.#plan.add({ op: "put", path, before, after });
  }

  #fileOf(before: State, bytes: Uint8Array): FileState {
    const owned = before.kind === "file"
      ? { mode: before.mode & ~SET_ID, uid: before.uid, gid: before.gid }
      : { mode: 0o666 & ~this.#plan.options.umask, uid: null, gid: null };
    return { kind: "file", ...owned, hash: this.#plan.keep(bytes), size: bytes.length };
  }

  async #makeParents(path: string): Promise<void> {
    for (const folder of selfAndAbove(parentPath(path))) {
      const { kind } = await this.#look(folder, { quick: true });
      if (kind === "folder") break;
      if (kind === "absent") continue;
      const what = kind === "link" ? "a link that was moved here" : "a file";
      throw new PaddockError("INVALID_INPUT", `${quote(folder)} is ${what}, not a folder`);
    }
    await this.#plan.makeParents(path);
  }

  async #look(path: string, { quick = false } = {}): Promise<State> {
    const { signal } = this.#plan.options;
    return await this.#plan.overlay.look(path, { signal, quick });
  }

  #notFound(given: string, path: string): PaddockError {
    const why = this.#paths.whyGone(path);
    const data = why === "" ? {} : { data: { argument: "changes" } };
    return new PaddockError("NOT_FOUND", `file not found: ${quote(given)}${why}`, data);
  }
}

const SET_ID = 0o6000;

function mustBeFile(given: string, state: State): asserts state is FileState {
  if (state.kind === "file") return;
  if (state.kind === "folder" || state.kind === "tree") throw isFolder(given);
  const what = state.kind === "link" ? "a link that was moved here" : "not a regular file";
  throw new PaddockError("UNSUPPORTED", `${quote(given)} is ${what}, and cannot be written`);
}

function isFolder(given: string): PaddockError {
  return new PaddockError("INVALID_INPUT", `path is a directory, not a file: ${quote(given)}`);
}

function namesAFolder(given: string): PaddockError {
  return new PaddockError(
    "INVALID_INPUT",
    `path names a folder, not a file: ${quote(given)}; leave out the trailing slash`,
  );
}

function checkHash(
  given: string,
  { now, expectedHash }: { now: State; expectedHash: string | undefined },
): void {
  const expected = expectedHash?.toLowerCase();
  if (expected === undefined) return;
  if (now.kind === "absent") throw isGone(given, expected);
  if (now.kind !== "file" || now.hash === undefined) {
    throw new PaddockError(
      "INVALID_INPUT",
      `expected_hash works for files only, and ${quote(given)} is not a file`,
    );
  }
  if (now.hash !== expected) throw isOther(given, { expected, hash: now.hash, size: now.size });
}
