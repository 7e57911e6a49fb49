/**
 * Merges many small packs into one. Each change leaves a pack, and git looks through all of them for an object;
 * so packs of similar size are merged when there are too many. Only packs of whole objects are merged, as
 * paddock writes them: their entries are copied unchanged.
 */
import { syncFiles } from "../git/settle_git.ts";
import type { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { PaddockError } from "../../../base/errors.ts";
import { settle } from "../../settle.ts";
import { Pace } from "../../yield.ts";
import type { GitFolder } from "../git/git_folder.ts";
import { CHECKSUM, type IndexedEntry, PACK_FILE, PACK_HEADER, PACKS, TYPES } from "./pack_format.ts";
import { readIndex } from "./pack_reader.ts";
import { encodeIndex, packHeader } from "./pack_writer.ts";
import { placePack, stagedPath, unstagePack } from "./staged_packs.ts";

/** Packs up to each of these sizes are merged with each other. Larger ones are left to `git gc`. */
const SIZES = [64 * 1024, 1024 * 1024, 16 * 1024 * 1024];

/** The largest pack that merging makes. */
const MOST_MERGED = 256 * 1024 * 1024;

const TEMP = "mcp/merged.tmp";

/** Where an object is in a pack. */
interface Piece extends IndexedEntry {
  readonly length: number;
}

interface Source {
  readonly name: string;
  /** The objects that no earlier source has. */
  readonly pieces: readonly Piece[];
}

export interface Crowd {
  /** This many packs of a size are merged. */
  readonly most: number;
  /** Whether only the smallest are, which takes a few milliseconds. */
  readonly onlySmall?: boolean;
}

export class PackMerger {
  readonly #git: GitFolder;
  readonly #mostMerged: number;
  /** Packs that hold deltas. */
  readonly #others = new Set<string>();

  constructor(git: GitFolder, { mostMerged = MOST_MERGED } = {}) {
    this.#git = git;
    this.#mostMerged = mostMerged;
  }

  /** False when there was nothing to do. */
  async merge({ most, onlySmall = false }: Crowd): Promise<boolean> {
    const crowds = this.#crowds().slice(0, onlySmall ? 1 : SIZES.length)
      .filter((names) => names.length >= most);
    let isMerged = false;
    for (const names of crowds.flatMap((crowd) => this.#groups(crowd))) {
      isMerged = await this.#mergeAll(names) || isMerged;
    }
    return isMerged;
  }

  /** The packs, by size class. */
  #crowds(): string[][] {
    const files = this.#git.list(PACKS);
    const crowds: string[][] = SIZES.map(() => []);
    if (files.includes("multi-pack-index")) return crowds; // git would miss the packs it lists
    const marked = new Set(
      files.filter((file) => !PACK_FILE.test(file)).map((file) => file.split(".", 1)[0]),
    );
    for (const file of files) {
      const [, name = "", ending] = PACK_FILE.exec(file) ?? [];
      if (ending !== "idx" || marked.has(name) || this.#others.has(name)) continue;
      const size = this.#git.stat(`${PACKS}/${name}.pack`)?.size ?? Infinity;
      crowds.find((_, i) => size <= (SIZES[i] ?? 0))?.push(name);
    }
    return crowds;
  }

  /** Keeps each merged pack small enough for the offsets of an index. */
  #groups(names: readonly string[]): string[][] {
    const groups: string[][] = [[]];
    let sum = 0;
    for (const name of names) {
      const size = this.#git.stat(`${PACKS}/${name}.pack`)?.size ?? 0;
      if (sum + size > this.#mostMerged) {
        groups.push([]);
        sum = 0;
      }
      sum += size;
      groups.at(-1)?.push(name);
    }
    return groups;
  }

  async #mergeAll(names: readonly string[]): Promise<boolean> {
    const sources: Source[] = [];
    const seen = new Set<string>();
    const pace = new Pace(undefined);
    for (const name of names) {
      await pace.step();
      const source = this.#source(name, seen);
      if (source !== undefined) sources.push(source);
    }
    if (sources.length < 2) return false;
    const merged = await this.#write(sources);
    for (const { name } of sources) {
      if (name === merged) continue;
      for (const ending of [".idx", ".pack"]) this.#git.remove(`${PACKS}/${name}${ending}`);
    }
    return true;
  }

  /** Undefined if it is gone, or not one of ours. Leaves out objects that were seen already. */
  #source(name: string, seen: Set<string>): Source | undefined {
    const index = this.#git.read(`${PACKS}/${name}.idx`);
    const pack = this.#git.read(`${PACKS}/${name}.pack`);
    if (index === undefined || pack === undefined) return undefined;
    const pieces = piecesOf(pack, index);
    if (pieces === undefined) {
      this.#others.add(name);
      return undefined;
    }
    const fresh = pieces.filter(({ oid }) => !seen.has(oid));
    for (const { oid } of fresh) seen.add(oid);
    return { name, pieces: fresh };
  }

  /** Returns the name of the new pack, which is synced and in its place. */
  async #write(sources: readonly Source[]): Promise<string> {
    const count = sources.reduce((sum, { pieces }) => sum + pieces.length, 0);
    const hash = createHash("sha1");
    const header = packHeader(count);
    hash.update(header);
    let offset = PACK_HEADER;
    const placed: IndexedEntry[] = [];
    const file = this.#git.recreate(TEMP, header, { mode: 0o444 });
    const pace = new Pace(undefined);
    try {
      for (const { name, pieces } of sources) {
        await pace.step();
        const pack = this.#git.read(`${PACKS}/${name}.pack`);
        if (pack === undefined) throw gone(name);
        for (const { oid, crc, at, length } of pieces) {
          const bytes = pack.subarray(at, at + length);
          hash.update(bytes);
          writeAll(file, bytes);
          placed.push({ oid, crc, at: offset });
          offset += length;
        }
      }
      const checksum = hash.digest();
      writeAll(file, checksum);
      const name = `pack-${checksum.toString("hex")}`;
      using index = this.#git.recreate(`${stagedPath(name)}.idx`, encodeIndex(placed, checksum), {
        mode: 0o444,
      });
      await syncFiles([file, index]);
      this.#git.rename(TEMP, `${stagedPath(name)}.pack`);
      placePack(this.#git, name);
      unstagePack(this.#git, name);
      await settle(this.#git.at(PACKS), "packs were merged");
      return name;
    } finally {
      file.close();
    }
  }
}

/** The objects of a pack; undefined unless all of them are whole and match its index. */
function piecesOf(pack: Buffer, index: Buffer): Piece[] | undefined {
  const { entries, checksum } = readIndex(index) ?? {};
  const end = pack.length - CHECKSUM;
  if (entries === undefined || checksum === undefined || end < PACK_HEADER) return undefined;
  if (!checksum.equals(pack.subarray(end)) || pack.readUInt32BE(8) !== entries.length) return undefined;
  const placed = entries.sort((a, b) => a.at - b.at);
  const pieces = placed.map((entry, i) => ({ ...entry, length: (placed[i + 1]?.at ?? end) - entry.at }));
  const isPlain = ({ at, length, crc }: Piece) =>
    TYPES[((pack[at] ?? 0) >> 4) & 7] !== undefined && crc32(pack.subarray(at, at + length)) === crc;
  return pieces.every(isPlain) ? pieces : undefined;
}

function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
}

function gone(name: string): PaddockError {
  return new PaddockError("CONFLICT", `git removed ${name} meanwhile; try again`);
}
