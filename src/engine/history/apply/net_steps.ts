/**
 * The steps from the disk to a planned tree, chosen not to interfere with each other: whichever were done when a
 * process dies, the rest can be done later. So nothing is moved to a place where something else was or will be;
 * such files are written instead, and folders are moved piece by piece.
 */
import { PaddockError } from "../../../base/errors.ts";
import { ConfinedFile } from "../../../confine/confined_fs.ts";
import { quote } from "../../../confine/path_rules.ts";
import { readAll } from "../../read.ts";
import { Pace } from "../../yield.ts";
import type { Step } from "../store.ts";
import { isBelow, join, type Kept, type Node, type PlannedTree } from "./planned_tree.ts";
import type { Room } from "./room.ts";

/** A folder that is moved piece by piece may hold any number of files. */
const MOST_STEPS = 50_000;

export async function netSteps(
  tree: PlannedTree,
  { room, signal }: { room: Room; signal: AbortSignal | undefined },
): Promise<Step[]> {
  const net = new Net(tree, { room, pace: new Pace(signal) });
  await net.place(tree.root, "");
  return net.steps();
}

class Net {
  readonly #tree: PlannedTree;
  readonly #room: Room;
  readonly #pace: Pace;
  /** Where things are on disk that are elsewhere in the planned tree. */
  readonly #gone: ReadonlySet<string>;
  readonly #removes: Step[] = [];
  readonly #moves: Step[] = [];
  readonly #prunes: Step[] = [];
  readonly #puts: Step[] = [];

  constructor(tree: PlannedTree, { room, pace }: { room: Room; pace: Pace }) {
    this.#tree = tree;
    this.#room = room;
    this.#pace = pace;
    this.#gone = new Set(movedOrigins(tree.root, ""));
  }

  /** Removals first, new content last: it may take the place of what is removed. */
  steps(): Step[] {
    return [...this.#removes, ...this.#moves, ...this.#prunes, ...this.#puts];
  }

  async place(node: Node | undefined, path: string, { isPart = false } = {}): Promise<void> {
    await this.#pace.step();
    if (this.#removes.length + this.#moves.length + this.#puts.length > MOST_STEPS) {
      throw new PaddockError(
        "TOO_LARGE",
        `the changes come to more than ${MOST_STEPS} files, because they also change folders that they move; make two calls`,
      );
    }
    if (node === undefined) this.#remove(path);
    else if (node.kind === "kept") await this.#keep(node, path, { isPart });
    else if (node.kind === "content") this.#put(node, path);
    else await this.#folder(node, path);
  }

  async #keep(node: Kept, path: string, { isPart }: { isPart: boolean }): Promise<void> {
    const { origin, type } = node;
    if (origin === path) return;
    const isFree = this.#tree.onDisk(path) === undefined && this.#tree.find(origin) === undefined;
    if (isFree) {
      const [from, to] = [this.#tree.at(origin), this.#tree.at(path)];
      this.#moves.push({ kind: "move", from, to, isPart });
    } else if (type === "folder") await this.#folder(this.#tree.opened(node, path), path);
    else if (type === "file") await this.#copy(origin, path);
    else {
      throw new PaddockError(
        "UNSUPPORTED",
        `${
          quote(origin)
        } is a link, which cannot take the place of something that the same call removes or moves; make ` +
          "two calls",
      );
    }
  }

  async #copy(origin: string, path: string): Promise<void> {
    using file = await ConfinedFile.open(this.#tree.at(origin));
    this.#room.take(file.size);
    const bytes = await readAll(file);
    const permissions = (this.#tree.onDisk(origin)?.mode ?? 0o644) & 0o777;
    this.#put({ kind: "content", bytes, origin, madeFrom: bytes, permissions }, path);
  }

  #put({ bytes, origin, madeFrom, permissions }: Extract<Node, { kind: "content" }>, path: string): void {
    const tree = this.#tree;
    if (tree.onDisk(path)?.isDirectory === true) this.#remove(path, { makesRoom: true });
    const inPlace = origin === path;
    this.#puts.push({
      kind: "put",
      path: tree.at(path),
      bytes,
      ...(inPlace ? { madeFrom } : {}),
      ...(permissions === undefined || inPlace ? {} : { permissions }),
    });
    if (origin === undefined || inPlace || tree.find(origin) !== undefined) return;
    this.#removes.push({ kind: "remove", path: tree.at(origin), madeFrom });
  }

  async #folder(folder: Extract<Node, { kind: "folder" }>, path: string): Promise<void> {
    const tree = this.#tree;
    const { origin, children } = folder;
    const inPlace = origin === path;
    const names = new Set(children.keys());
    if (!inPlace) {
      const info = tree.onDisk(path);
      if (info !== undefined && !info.isDirectory) this.#remove(path, { makesRoom: true });
      for (const name of origin === undefined ? [] : tree.namesOnDisk(origin)) names.add(name);
      if (tree.names(folder).length === 0) {
        children.set(".gitkeep", { kind: "content", bytes: new Uint8Array() });
        names.add(".gitkeep");
      }
      if (info?.isDirectory === true && !this.#isElsewhere(path)) {
        for (const name of tree.namesOnDisk(path)) if (!names.has(name)) this.#remove(join(path, name));
      }
    }
    for (const name of [...names].sort()) {
      const [child, to] = [tree.child(folder, name), join(path, name)];
      if (child === undefined && origin !== undefined && !inPlace) this.#removeHere(join(origin, name));
      await this.place(child, to, { isPart: !children.has(name) });
    }
    if (origin !== undefined && !inPlace) this.#prunes.push({ kind: "prune", path: tree.at(origin) });
  }

  /** Removes what is at a path on disk, unless it is elsewhere in the planned tree. */
  #remove(path: string, { makesRoom = false } = {}): void {
    if (!this.#isElsewhere(path)) return this.#removeHere(path, { makesRoom });
    const info = this.#tree.onDisk(path);
    if (info === undefined || !makesRoom) return;
    // What has to make room is moved piece by piece, or copied: it does not move as a whole.
    const [steps, kind] = info.isDirectory
      ? [this.#prunes, "prune" as const]
      : [this.#removes, "remove" as const];
    steps.push({ kind, path: this.#tree.at(path), makesRoom });
  }

  /** The same for what is in no folder that moves, or was removed from one that does. */
  #removeHere(path: string, { makesRoom = false } = {}): void {
    const tree = this.#tree;
    const info = tree.onDisk(path);
    if (info === undefined || this.#gone.has(path)) return;
    const isPlain = !info.isDirectory || ![...this.#gone].some((origin) => isBelow(origin, path));
    if (isPlain) {
      this.#removes.push({ kind: "remove", path: tree.at(path), makesRoom });
      return;
    }
    for (const name of tree.namesOnDisk(path)) this.#removeHere(join(path, name));
    this.#prunes.push({ kind: "prune", path: tree.at(path), makesRoom });
  }

  /** Whether it, or a folder above it, is elsewhere in the planned tree. */
  #isElsewhere(path: string): boolean {
    for (let at = path; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
      if (this.#gone.has(at)) return true;
    }
    return false;
  }
}

/** Where everything is on disk that is elsewhere in the tree. */
function* movedOrigins(node: Node | undefined, path: string): Generator<string> {
  if (node === undefined) return;
  if (node.origin !== undefined && node.origin !== path) yield node.origin;
  if (node.kind !== "folder") return;
  for (const [name, child] of node.children) yield* movedOrigins(child, join(path, name));
}
