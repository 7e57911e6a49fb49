/** Random changes of a tree that apply one after the other, and their result, computed independently. */
import type { Random } from "../../support/random.ts";

/** Paths with their contents; null is a folder. */
export type Tree = Map<string, string | null>;

export type Change = Readonly<Record<string, unknown>> & { readonly op: string };

export interface RandomChanges {
  readonly count: number;
  readonly random: Random;
  /** Whether a move may replace a file; true unless given. */
  readonly movesOver?: boolean;
}

/** Every line of a file is different, so that an edit can identify one. */
export function contentOf(random: Random): string {
  return Array.from({ length: 1 + random.below(30) }, (_, i) => `line ${i} ${random.below(1e9)}\n`).join("");
}

export function changesOn(
  before: Tree,
  { count, random, movesOver = true }: RandomChanges,
): { changes: Change[]; after: Tree } {
  const tree: Tree = new Map(before);
  const changes: Change[] = [];
  while (changes.length < count) {
    const change = random.pick(MAKERS)(tree, random, movesOver);
    if (change !== undefined) changes.push(change);
  }
  return { changes, after: tree };
}

const files = (tree: Tree) => [...tree].filter(([, content]) => content !== null).map(([path]) => path);
const folders = (tree: Tree) => [...tree].filter(([, content]) => content === null).map(([path]) => path);
const below = (tree: Tree, path: string) => [...tree.keys()].filter((each) => each.startsWith(`${path}/`));

function newPath(tree: Tree, random: Random): string {
  const parents = ["", ...folders(tree).filter((path) => path.split("/").length < 4)];
  const parent = random.pick(parents);
  const name = `n${random.below(1e9)}`;
  return parent === "" ? name : `${parent}/${name}`;
}

function addParents(tree: Tree, path: string): void {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    tree.set(path.slice(0, at), null);
  }
}

function moveAll(tree: Tree, from: string, to: string): void {
  for (const path of [from, ...below(tree, from)]) {
    const content = tree.get(path) ?? null;
    tree.delete(path);
    tree.set(to + path.slice(from.length), content);
  }
}

type Maker = (tree: Tree, random: Random, movesOver: boolean) => Change | undefined;

const write: Maker = (tree, random) => {
  const old = files(tree);
  const deep = random.below(3) === 0 ? `/deep${random.below(99)}/x` : "";
  const path = old.length > 0 && random.below(3) === 0 ? random.pick(old) : newPath(tree, random) + deep;
  const content = contentOf(random);
  addParents(tree, path);
  tree.set(path, content);
  return { op: "write", path, content };
};

const edit: Maker = (tree, random) => {
  const old = files(tree).filter((path) => tree.get(path) !== "");
  if (old.length === 0) return undefined;
  const path = random.pick(old);
  const content = tree.get(path) ?? "";
  const line = random.pick(content.split("\n").filter((each) => each !== ""));
  if (content.split(line).length !== 2) return undefined;
  const new_text = `edited ${random.below(1e9)}`;
  tree.set(path, content.replace(line, new_text));
  return { op: "edit", path, edits: [{ old_text: line, new_text }] };
};

const remove: Maker = (tree, random) => {
  const isFolder = random.below(8) === 0;
  const old = isFolder ? folders(tree).filter((path) => below(tree, path).length < 6) : files(tree);
  if (old.length < 20) return undefined;
  const path = random.pick(old);
  for (const each of [path, ...below(tree, path)]) tree.delete(each);
  return { op: "delete", path };
};

const move: Maker = (tree, random, movesOver) => {
  const isFolder = random.below(4) === 0;
  const old = isFolder ? folders(tree) : files(tree);
  if (old.length === 0) return undefined;
  const source = random.pick(old);
  const isOver = movesOver && !isFolder && random.below(4) === 0;
  const destination = isOver ? random.pick(files(tree)) : newPath(tree, random);
  if (destination === source || destination.startsWith(`${source}/`)) return undefined;
  moveAll(tree, source, destination);
  return { op: "move", source, destination };
};

const mkdir: Maker = (tree, random) => {
  const path = newPath(tree, random);
  tree.set(path, null);
  return { op: "mkdir", path };
};

const MAKERS: Maker[] = [write, write, edit, edit, edit, remove, move, mkdir];
