/**
 * Every object of a repository by its name, loose or packed. A `git gc` can move objects from one to the other
 * at any moment, so after a miss the packs are listed again. Trees and commits, which are read again and again,
 * are cached within bounds.
 */
import { PaddockError } from "../../../base/errors.ts";
import type { GitFolder } from "../git/git_folder.ts";
import { pathOfObject, readLoose, sizeOfLoose } from "./loose_objects.ts";
import { Lru } from "./lru.ts";
import { ObjectBatch } from "./object_batch.ts";
import { type Commit, damaged, type GitObject, NotFetched, parseCommit } from "./objects.ts";
import { PACK_FILE, PACKS } from "./pack_format.ts";
import { type Crowd, PackMerger } from "./pack_merge.ts";
import { Pack, type PackContext } from "./pack_reader.ts";
import { Tree } from "./tree.ts";

const TREE_BYTES = 24 * 1024 * 1024;
const PACKED_BYTES = 8 * 1024 * 1024;
const COMMITS = 20_000;

/** How often a delta's base may be in another pack, one after the other. Git writes no such packs. */
const MOST_PACKS_DEEP = 50;

export class ObjectStore {
  readonly #git: GitFolder;
  readonly #trees = new Lru<Tree>(TREE_BYTES);
  readonly #commits = new Lru<Commit>(COMMITS);
  readonly #context: PackContext;
  readonly #merger: PackMerger;
  /** By path, without the extension. */
  #packs: ReadonlyMap<string, Pack> = new Map();
  #batch: ObjectBatch | undefined;

  constructor(git: GitFolder) {
    this.#git = git;
    this.#merger = new PackMerger(git);
    this.#context = { git, remembered: new Lru<GitObject>(PACKED_BYTES), open: new Set() };
  }

  read(oid: string): GitObject {
    return this.#read(oid, 0);
  }

  #read(oid: string, packsDeep: number): GitObject {
    const fresh = this.#batch?.find(oid);
    if (fresh !== undefined) return fresh;
    if (packsDeep > MOST_PACKS_DEEP) throw damaged(oid); // most likely the packs refer to each other
    const elsewhere = (name: string) => this.#read(name, packsDeep + 1);
    for (let attempt = 0; attempt < 3; attempt++) {
      const found = this.#inPacks((pack) => pack.read(oid, elsewhere)) ??
        readLoose(this.#git, oid);
      if (found !== undefined) return found;
      this.#findPacks();
    }
    throw this.#missing(oid);
  }

  /** The size of an object, from its first bytes: a large one is not read into memory for it. */
  size(oid: string): number {
    const fresh = this.#batch?.find(oid);
    if (fresh !== undefined) return fresh.data.length;
    for (let attempt = 0; attempt < 3; attempt++) {
      const found = this.#inPacks((pack) => pack.size(oid)) ?? sizeOfLoose(this.#git, oid);
      if (found !== undefined) return found;
      this.#findPacks();
    }
    throw this.#missing(oid);
  }

  blob(oid: string): Uint8Array {
    const { type, data } = this.read(oid);
    if (type !== "blob") throw damaged(oid);
    return data;
  }

  tree(oid: string): Tree {
    const known = this.#trees.get(oid);
    if (known !== undefined) return known;
    const { type, data } = this.read(oid);
    if (type !== "tree") throw damaged(oid);
    const tree = new Tree(data);
    this.remember(oid, tree);
    return tree;
  }

  remember(oid: string, tree: Tree): void {
    this.#trees.set(oid, tree, tree.raw.length + 200);
  }

  commit(oid: string): Commit {
    const known = this.#commits.get(oid);
    if (known !== undefined) return known;
    const { type, data } = this.read(oid);
    if (type !== "commit") throw damaged(oid);
    const commit = parseCommit(data);
    this.#commits.set(oid, commit);
    return commit;
  }

  /** Caches a commit that is about to be written. */
  rememberCommit(oid: string, commit: Commit): void {
    this.#commits.set(oid, commit);
  }

  /** Collects new objects, which can be read at once, until the batch is published or discarded. */
  batch(): ObjectBatch {
    return this.#batch = new ObjectBatch({ ...this.#context, isThere: (oid) => this.#isLasting(oid) });
  }

  /** Places the objects of the batch in the repository. */
  publish(): void {
    this.#packs = new Map([...this.#batch?.publish() ?? [], ...this.#packs]);
  }

  /** Ends the batch: what was not placed is discarded. */
  unstage(): void {
    this.#batch?.unstage();
    this.#batch = undefined;
  }

  /** Merges small packs, where there are too many of a size. */
  async mergePacks(crowd: Crowd): Promise<void> {
    if (await this.#merger.merge(crowd)) this.#findPacks();
  }

  /** A pack that git has removed meanwhile does not count: its objects may be gone for good. */
  #isLasting(oid: string): boolean {
    if (this.#git.stat(pathOfObject(oid))?.isFile === true) return this.#git.touch(pathOfObject(oid));
    return [...this.#packs].some(([path, pack]) => pack.has(oid) && this.#git.touch(`${path}.pack`));
  }

  /** The objects whose names begin with this; more than one means that the prefix is ambiguous. */
  withPrefix(prefix: string): string[] {
    this.#findPacks();
    const found = new Set<string>();
    const folder = prefix.slice(0, 2);
    for (const name of this.#git.list(`objects/${folder}`)) {
      if (/^[0-9a-f]{38}$/.test(name) && (folder + name).startsWith(prefix)) found.add(folder + name);
    }
    for (const pack of this.#packs.values()) for (const name of pack.withPrefix(prefix)) found.add(name);
    return [...found];
  }

  has(oid: string): boolean {
    if (this.#batch?.find(oid) !== undefined) return true;
    if (this.#git.stat(pathOfObject(oid)) !== undefined) return true;
    this.#findPacks();
    return [...this.#packs.values()].some((pack) => pack.has(oid));
  }

  /** Git marks the packs of a filtered clone with `.promisor`. */
  #missing(oid: string): PaddockError {
    const isPartial = this.#git.list(PACKS).some((file) => file.endsWith(".promisor"));
    return isPartial ? new NotFetched(oid) : damaged(oid);
  }

  /** Closes open files; they are opened again when needed. */
  close(): void {
    for (const pack of this.#context.open) pack.close();
  }

  #inPacks<T>(find: (pack: Pack) => T | undefined): T | undefined {
    for (const pack of this.#packs.values()) {
      try {
        const found = find(pack);
        if (found !== undefined) return found;
      } catch (error) {
        // A pack listed before may be gone by now: its objects are in another one.
        if (!(error instanceof PaddockError) || error.code !== "NOT_FOUND") throw error;
      }
    }
    return undefined;
  }

  #findPacks(): void {
    const packs = new Map<string, Pack>();
    for (const file of this.#git.list(PACKS)) {
      const [, name, ending] = PACK_FILE.exec(file) ?? [];
      if (ending !== "idx") continue;
      const path = `${PACKS}/${name}`;
      const pack = this.#packs.get(path) ?? Pack.open(this.#context, path);
      if (pack !== undefined) packs.set(path, pack);
    }
    for (const [path, pack] of this.#packs) if (!packs.has(path)) pack.close();
    this.#packs = packs;
  }
}
