/**
 * What changes are about to do, each recorded before the first file of the working tree is touched. From then on
 * the change will be made, by this process or by the next one that opens the workspace. The records of completed
 * changes stay for a while: until the names in all their folders are synced, the records can restore them.
 */
import { Buffer } from "node:buffer";
import { isGitName } from "../../../confine/path_rules.ts";
import { type ConfinedPath, parentOf } from "../../../confine/resolve_path.ts";
import { encodeUtf8 } from "../../../text/utf8.ts";
import type { Disk } from "../files/disk.ts";
import type { GitFolder } from "../git/git_folder.ts";
import { hashObject } from "../objects/objects.ts";
import { PACK_FILE, PACKS } from "../objects/pack_format.ts";
import { folderOfRef, isBranch } from "../git/refs.ts";
import type { Work } from "./work.ts";

export interface ChangeRecord {
  /** Marks it as in progress: the new commit, or something that no other record has. */
  readonly mark: string;
  readonly ref: string;
  /** The branch before; null before the first commit. */
  readonly old: string | null;
  /**
   * The commit that the working tree matches before the work: `old`, or the commit that recorded outside changes.
   */
  readonly base: string | null;
  readonly new: string | null;
  /** The packs with the new objects. */
  readonly packs: readonly string[];
  readonly work: readonly Work[];
  /** Paths whose index entries change, as byte strings. */
  readonly touched: readonly string[];
}

const FILE = "mcp/journal";

export class Journal {
  readonly #git: GitFolder;
  /** The content as last known, as a byte string. */
  #known = "";
  /** Where the last record ends; after it there may be one that a crash cut short. */
  #end = 0;
  #records: readonly ChangeRecord[] = [];

  constructor(git: GitFolder) {
    this.#git = git;
  }

  get size(): number {
    return this.#known.length;
  }

  /** The records, oldest first. Parsed again only if somebody else has written since. */
  read(): readonly ChangeRecord[] {
    const content = this.#git.read(FILE)?.toString("latin1") ?? "";
    if (content === this.#known) return this.#records;
    const blocks = blocksOf(content);
    this.#known = content;
    this.#end = blocks.at(-1)?.end ?? 0;
    return this.#records = parse(blocks);
  }

  /** The point of no return: once the record is written, the change will be made. Only while the locks are held. */
  add(change: ChangeRecord): OpenRecord {
    // Another process may have added or cleared records. Different ones of the same total length do no harm: all
    // that matters here is where the next one goes, and a process that died while writing a record left more bytes
    // behind, and was recovered from.
    const info = this.#git.stat(FILE);
    if ((info?.size ?? 0) !== this.#known.length) this.read();
    const json = encodeUtf8(JSON.stringify(change));
    const block = Buffer.concat([json, encodeUtf8(`\n${hashObject("blob", json)}\n`)]);
    const [end, records] = [this.#end, this.#records];
    const known = this.#known.slice(0, end);
    const file = this.#git.writeAt(FILE, block, { offset: end, info });
    this.#know(known + block.toString("latin1"), [...records, change]);
    return {
      file,
      remove: () => {
        file.truncateSync(end);
        this.#know(known, records);
      },
    };
  }

  /** Nothing recorded is left to do. */
  clear(): void {
    if (this.read().length > 0 || this.#known !== "") {
      this.#git.giveBack(this.#git.writeAt(FILE, new Uint8Array(), { offset: 0 }));
    }
    this.#know("", []);
  }

  #know(content: string, records: readonly ChangeRecord[]): void {
    this.#known = content;
    this.#end = content.length;
    this.#records = records;
  }
}

/** A record that was just written; the caller syncs the file and calls `giveBack`. */
export interface OpenRecord {
  readonly file: Deno.FsFile;
  /** Removes the record again. */
  remove(): void;
}

interface Block {
  readonly text: string;
  readonly end: number;
}

/** Two lines each: the record and its checksum. */
function blocksOf(content: string): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < content.length;) {
    const [text = "", checksum = ""] = content.slice(at).split("\n", 2);
    const bytes = Buffer.from(text, "latin1");
    const end = at + text.length + checksum.length + 2;
    if (end > content.length || hashObject("blob", bytes) !== checksum) break;
    blocks.push({ text: bytes.toString("utf8"), end });
    at = end;
  }
  return blocks;
}

/** Ignores a record that was not written completely, and one that no change would have written. */
function parse(blocks: readonly Block[]): ChangeRecord[] {
  const records: ChangeRecord[] = [];
  for (const { text } of blocks) {
    try {
      const record: unknown = JSON.parse(text);
      if (isRecord(record)) records.push(record);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return records;
}

/** The folders in which names change, as far as the record shows: every folder above a path of the work. */
export function foldersOf(
  { ref, packs, work }: ChangeRecord,
  { git, disk }: { git: GitFolder; disk: Disk },
): ConfinedPath[] {
  const folders = new Map<string, ConfinedPath>();
  const add = (path: ConfinedPath) => folders.set(path.absolute, path);
  add(git.at(folderOfRef(ref)));
  add(git.itself());
  if (packs.length > 0) add(git.at(PACKS));
  for (const path of work.flatMap((one) => one.kind === "move" ? [one.from, one.to] : [one.path])) {
    for (let at = disk.at(path); at.relative !== "";) add(at = parentOf(at));
  }
  return [...folders.values()];
}

function isRecord(value: unknown): value is ChangeRecord {
  if (typeof value !== "object" || value === null) return false;
  const record = value as Partial<Record<keyof ChangeRecord, unknown>>;
  const isName = (name: unknown) =>
    name === null || (typeof name === "string" && /^[0-9a-f]{40}$/.test(name));
  return typeof record.mark === "string" && typeof record.ref === "string" && isBranch(record.ref) &&
    isName(record.old) && isName(record.base) && isName(record.new) &&
    Array.isArray(record.packs) && record.packs.every(isPackName) &&
    Array.isArray(record.work) && record.work.every(isWork) &&
    Array.isArray(record.touched) && record.touched.every((path) => typeof path === "string");
}

/** Anyone who can write in `.git` could plant a journal, so work that no change would ever record is ignored. */
function isWork(value: unknown): value is Work {
  if (typeof value !== "object" || value === null) return false;
  const { kind, path, from, to, oid, mode, permissions } = value as Record<string, unknown>;
  if (kind === "move") return isPlace(from) && isPlace(to);
  if (!isPlace(path)) return false;
  if (kind === "remove" || kind === "folder" || kind === "prune") return true;
  return kind === "write" && typeof oid === "string" && /^[0-9a-f]{40}$/.test(oid) &&
    typeof mode === "number" && Number.isInteger(permissions) && Number(permissions) >= 0 &&
    Number(permissions) <= 0o7777;
}

function isPackName(name: unknown): boolean {
  return typeof name === "string" && PACK_FILE.test(`${name}.pack`);
}

/** A path inside the workspace and outside its `.git`. */
function isPlace(path: unknown): path is string {
  return typeof path === "string" && !path.includes("\0") &&
    path.split("/").every((name) => !/^\.{0,2}$/.test(name)) &&
    !path.split(/[/\\]/).some(isGitName);
}
