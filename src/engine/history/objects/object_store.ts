/**
 * Every object of a repository by its name, loose or packed. A `git gc` at any moment moves objects from one to
 * the other, so a miss is looked for again among the packs that are there now. Trees and commits, which are
 * asked for again and again, are remembered within bounds.
 */
import { PaddockError } from "../../../base/errors.ts";
import { type GitFolder } from "../git/git_folder.ts";
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

export class ObjectStore {
  readonly #git: GitFolder;
  readonly #trees = new Lru<Tree>(TREE_BYTES);
  readonly #commits = new Lru<Commit>(COMMITS);
  readonly #context: PackContext;
  readonly #merger: PackMerger;
  /** By path, without its ending. */
  #packs: ReadonlyMap<string, Pack> = new Map();
  #batch: ObjectBatch | undefined;

  constructor(git: GitFolder) {
    this.#git = git;
    this.#merger = new PackMerger(git);
    this.#context = { git, remembered: new Lru<GitObject>(PACKED_BYTES), open: new Set() };
  }

  read(oid: string): GitObject {
    const fresh = this.#batch?.find(oid);
    if (fresh !== undefined) return fresh;
    for (let attempt = 0; attempt < 3; attempt++) {
      const found = this.#inPacks((pack) => pack.read(oid, (name) => this.read(name))) ??
        readLoose(this.#git, oid);
      if (found !== undefined) return found;
      this.#findPacks();
    }
    throw this.#missing(oid);
  }

  /** How many bytes an object has, told by its first ones: nothing large is taken into memory for it. */
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

  /** Knows a commit that is about to be written. */
  rememberCommit(oid: string, commit: Commit): void {
    this.#commits.set(oid, commit);
  }

  /** Collects new objects; they can be read at once, until the batch is published or discarded. */
  batch(): ObjectBatch {
    return this.#batch = new ObjectBatch({ ...this.#context, isThere: (oid) => this.#isLasting(oid) });
  }

  /** Gives the objects of the batch their place in the repository. */
  publish(): void {
    this.#packs = new Map([...this.#batch?.publish() ?? [], ...this.#packs]);
  }

  /** The end of the batch: what has not got its place is gone. */
  unstage(): void {
    this.#batch?.unstage();
    this.#batch = undefined;
  }

  /** Puts small packs together, where there are too many of a size. */
  async mergePacks(crowd: Crowd): Promise<void> {
    if (await this.#merger.merge(crowd)) this.#findPacks();
  }

  /** A pack that git has removed meanwhile says nothing: what was in it may be gone for good. */
  #isLasting(oid: string): boolean {
    if (this.#git.stat(pathOfObject(oid))?.isFile === true) return this.#git.touch(pathOfObject(oid));
    return [...this.#packs].some(([path, pack]) => pack.has(oid) && this.#git.touch(`${path}.pack`));
  }

  /** The names of objects that begin so; more than one means that it is not clear which is meant. */
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

  /** Git marks the packs that it got from a filtered clone. */
  #missing(oid: string): PaddockError {
    const isPartial = this.#git.list(PACKS).some((file) => file.endsWith(".promisor"));
    return isPartial ? new NotFetched(oid) : damaged(oid);
  }

  /** Lets go of open files; they are opened again when they are needed. */
  close(): void {
    for (const pack of this.#context.open) pack.close();
  }

  #inPacks<T>(find: (pack: Pack) => T | undefined): T | undefined {
    for (const pack of this.#packs.values()) {
      try {
        const found = find(pack);
        if (found !== undefined) return found;
      } catch (error) {
        // A pack that was looked through before it was opened may be gone: its objects are in another one now.
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
