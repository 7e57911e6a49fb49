/**
 * The objects of one change. They are collected and written as a pack, which is placed among git's own once
 * everything in the change is on disk; until then they can be read through the batch. A large change is split
 * into several packs, so that it need not fit in memory.
 */
import { syncFiles } from "../git/settle_git.ts";
import { Buffer } from "node:buffer";
import { damaged, type GitObject, hashObject, type ObjectType } from "./objects.ts";
import { PACKS } from "./pack_format.ts";
import { Pack, type PackContext } from "./pack_reader.ts";
import { encodeObject, encodePack, type PackEntry } from "./pack_writer.ts";
import { placePack, stagedPath, stagePack, unstagePack } from "./staged_packs.ts";

/** Above this, an object that exists is not written again. */
const LARGE = 64 * 1024;
/** How many bytes are held in memory. */
const PACK_BYTES = 8 * 1024 * 1024;

interface Collected {
  readonly object: GitObject;
  readonly entry: PackEntry;
}

interface Staged {
  readonly name: string;
  readonly index: Buffer;
  readonly reader: Pack;
  readonly files: Deno.FsFile[];
}

export interface BatchContext extends PackContext {
  /** Whether an object is in the repository, and will stay there. */
  isThere(oid: string): boolean;
}

export class ObjectBatch {
  readonly #context: BatchContext;
  readonly #names = new Set<string>();
  readonly #collected = new Map<string, Collected>();
  #bytes = 0;
  #staged: Staged[] = [];

  constructor(context: BatchContext) {
    this.#context = context;
  }

  /**
   * Adds an object and returns its name. A small one is written even if it exists: that is faster than
   * checking.
   */
  async add(type: ObjectType, data: Uint8Array, oid = hashObject(type, data)): Promise<string> {
    if (this.#names.has(oid) || (data.length > LARGE && this.#context.isThere(oid))) return oid;
    const entry = { oid, parts: await encodeObject(type, data) };
    const object = { type, data: Buffer.from(data.buffer, data.byteOffset, data.byteLength) };
    this.#names.add(oid);
    this.#collected.set(oid, { object, entry });
    this.#bytes += data.length;
    if (this.#bytes > PACK_BYTES) await this.#spill();
    return oid;
  }

  find(oid: string): GitObject | undefined {
    if (!this.#names.has(oid)) return undefined;
    const collected = this.#collected.get(oid);
    if (collected !== undefined) return collected.object;
    for (const { reader } of this.#staged) {
      const found = reader.read(oid, (name) => {
        throw damaged(name); // they contain no deltas
      });
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The names of the packs written so far. */
  get packs(): string[] {
    return this.#staged.map(({ name }) => name);
  }

  /** Their files, for the caller to sync. */
  get files(): Deno.FsFile[] {
    return this.#staged.flatMap(({ files }) => files);
  }

  /** Writes what was collected. */
  stage(): void {
    if (this.#collected.size === 0) return;
    const encoded = encodePack(Array.from(this.#collected.values(), ({ entry }) => entry));
    const { name, index } = encoded;
    const files = stagePack(this.#context.git, encoded);
    this.#staged.push({ name, index, files, reader: new Pack(this.#context, stagedPath(name), index) });
    this.#collected.clear();
    this.#bytes = 0;
  }

  /** Syncs what was written so far, so that its files need not stay open. */
  async #spill(): Promise<void> {
    this.stage();
    for (const staged of this.#staged) {
      await syncFiles(staged.files);
      for (const file of staged.files.splice(0)) file.close();
    }
  }

  /** Places the packs among git's. Returns them by path, for reading. */
  publish(): Map<string, Pack> {
    return new Map(this.#staged.map(({ name, index }) => {
      placePack(this.#context.git, name);
      const path = `${PACKS}/${name}`;
      return [path, new Pack(this.#context, path, index)];
    }));
  }

  /** Removes the names under which the packs were staged, whether they were placed or not. */
  unstage(): void {
    for (const { name } of this.#staged) unstagePack(this.#context.git, name);
    this.#close();
  }

  #close(): void {
    for (const { files, reader } of this.#staged) {
      reader.close();
      for (const file of files) file.close();
    }
    this.#staged = [];
  }
}
