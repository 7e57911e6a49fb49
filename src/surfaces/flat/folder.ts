/**
 * The one engine behind the three interfaces of the flat surface: a folder of text files. Each interface counts
 * lines by its own rules (`base`); results are counted from 0.
 */
import type { RootUndo } from "../../base/config.ts";
import { PaddockError } from "../../base/errors.ts";
import type { Changing } from "../../engine/changing.ts";
import { editText } from "../../engine/edit.ts";
import {
  type ConfinedPath,
  type ConfinedRoot,
  createRoots,
  ProvenFolder,
  resolvePath,
} from "../../engine/fence.ts";
import { LineCounts } from "../../engine/line_counts.ts";
import { type EntryInfo, type Facts, listFolderCounted, type Listing } from "../../engine/metadata.ts";
import { type ReadOptions, readWhole } from "../../engine/read.ts";
import { retryTransient } from "../../engine/transient.ts";
import { inSteps, Pace } from "../../engine/yield.ts";
import { LineCursor } from "../../text/line_blocks.ts";
import { applyLineEdits, type LineEdit } from "../../text/line_edits.ts";
import { countLines, stripBom } from "../../text/lines.ts";
import { foldedInSteps } from "../../text/steps.ts";
import { decodeUtf8 } from "../../text/utf8.ts";
import { UndoStores } from "../undo_stores.ts";
import { isFileName } from "./names.ts";
import { aboutFile, aboutListing, notFound, notText, tooLarge } from "./words.ts";

export interface ListedFile {
  name: string;
  /** ISO 8601, to the second. */
  modified: string;
  /** -1 if they cannot be counted. */
  lines: number;
}

export interface ListedFiles {
  files: ListedFile[];
  /** How many more there are, with names that cannot be used here. */
  unlisted: number;
}

export interface Range {
  /** Both inclusive, and counted from `base`. */
  start: number | undefined;
  end: number | undefined;
  base: 0 | 1;
}

export interface ReadLines {
  /** The lines of the range, joined by \n, without the last line's ending. */
  content: string;
  totalLines: number;
  /** The range that was returned, if one was requested and there is any line; counted from 0. */
  range: { start: number; end: number } | undefined;
}

export interface Edited {
  linesModified: number;
  totalLines: number;
  created: boolean;
}

export interface EditRequest {
  name: string;
  /** Their lines are counted from `base`. */
  edits: readonly LineEdit[];
  append: string | undefined;
  createIfMissing: boolean;
  base: 0 | 1;
}

export interface FolderOptions {
  directory: string;
  maxBytes: number;
  /** Where changes are recorded, if the operator has asked for that. */
  undo?: RootUndo | undefined;
  timeoutMs?: number;
}

export class FlatFolder {
  readonly #root: ConfinedRoot;
  readonly #maxBytes: number;
  readonly #counts = new LineCounts();
  readonly #stores: UndoStores;
  readonly directory: string;

  constructor({ directory, maxBytes, undo, timeoutMs = 10_000 }: FolderOptions) {
    const closed = undo !== undefined && "store" in undo ? [{ path: undo.store }] : [];
    const root = createRoots([{ name: "files", path: directory, git: "hidden", closed }]).get("files");
    if (root === undefined) throw new TypeError("no root");
    this.#root = root;
    this.#stores = new UndoStores(new Map([["files", { confined: root, undo }]]), { timeoutMs });
    this.#maxBytes = maxBytes;
    this.directory = directory;
  }

  /**
   * Visible files, by name. Folders, and links that lead outside, are left out; files whose names cannot be used
   * here are only counted, as is everything whose name is not valid UTF-8, file or not.
   */
  async list(signal: AbortSignal): Promise<ListedFiles> {
    const { entries, unnamed } = await this.#entries(signal);
    using folder = ProvenFolder.open(resolvePath(this.#root, "."));
    const files: ListedFile[] = [];
    let unlisted = unnamed;
    const pace = new Pace(signal);
    for (const entry of entries) {
      const facts = entry.name.startsWith(".") ? undefined : fileFacts(entry);
      if (facts === undefined) continue;
      if (!isFileName(entry.name)) {
        unlisted++;
        continue;
      }
      const lines = this.#counts.known(entry.name, facts) ??
        this.#countNow(entry, facts, folder) ??
        await this.#count(entry.name, facts, signal);
      if (lines !== undefined) files.push({ name: entry.name, modified: toSeconds(facts.modifiedAt), lines });
      if (pace.isDue) await pace.step();
    }
    return { files, unlisted };
  }

  async read(
    name: string,
    { start, end, base }: Range,
    reading: Pick<ReadOptions, "signal" | "room">,
  ): Promise<ReadLines> {
    const options = { ...reading, maxBytes: this.#maxBytes, tooLarge: this.#tooLarge };
    const { bytes } = await this.#worded(
      name,
      () => retryTransient(async () => await readWhole(resolvePath(this.#root, name), options)),
    );
    const text = decodeUtf8(bytes);
    if (text === undefined) throw notText();
    const { body } = stripBom(text);
    const totalLines = countLines(body);
    const pace = new Pace(reading.signal);
    if (start === undefined && end === undefined) {
      return { content: await inSteps(normalized(body), pace), totalLines, range: undefined };
    }
    const first = start === undefined ? 0 : start - base;
    if (start !== undefined && first >= totalLines) {
      throw new PaddockError("INVALID_INPUT", `Start line ${start} exceeds file length ${totalLines}`, {
        data: { start_line: start, total_lines: totalLines },
      });
    }
    if (totalLines === 0) return { content: "", totalLines, range: undefined };
    const last = Math.min(end === undefined ? totalLines : end - base, totalLines - 1);
    const cursor = new LineCursor(body);
    cursor.take(first);
    const content = await inSteps(normalized(cursor.take(last + 1)), pace);
    return { content, totalLines, range: { start: first, end: last } };
  }

  async edit(request: EditRequest, changing: Changing): Promise<Edited> {
    const { name, edits, append, createIfMissing, base } = request;
    let edited = { linesModified: 0, totalLines: 0 };
    let decided = false; // from then on something may have been written
    const decide = (text: string, exists: boolean) => {
      if (!exists && !createIfMissing) throw notFound(name);
      const all = { edits, base, ...(append === undefined ? {} : { append }) };
      const { linesModified, totalLines, text: changed } = applyLineEdits(text, all);
      edited = { linesModified, totalLines };
      decided = true;
      return changed;
    };
    const facts = { tool: "edit_file", summary: `edit_file ${name}`, client: null, session: null };
    const recording = await this.#stores.recorder(facts);
    const options = {
      maxBytes: this.#maxBytes,
      changing: { ...changing, recording },
      tooLarge: this.#tooLarge,
      notText,
    };
    const change = async () =>
      await editText(resolvePath(this.#root, name, { change: true }), decide, options);
    try {
      const { created } = await this.#worded(
        name,
        () => retryTransient(change, () => !decided),
        () => decided,
      );
      return { ...edited, created };
    } finally {
      await recording?.finish();
    }
  }

  async close(): Promise<void> {
    await this.#stores.close();
  }

  async #entries(signal: AbortSignal): Promise<Listing> {
    try {
      return await retryTransient(async () => await listFolderCounted(resolvePath(this.#root, "."), signal));
    } catch (error) {
      throw aboutListing(error);
    }
  }

  /** Undefined if only `#count` can tell. */
  #countNow(
    { name, target }: EntryInfo,
    facts: Facts,
    folder: ProvenFolder | undefined,
  ): number | undefined {
    if (folder === undefined || target !== undefined) return undefined;
    return this.#counts.countNow(name, { folder, facts, maxBytes: this.#maxBytes });
  }

  /** Undefined for a link to what is out of reach, which is not a file of this folder. */
  async #count(name: string, facts: Facts, signal: AbortSignal): Promise<number | undefined> {
    let path: ConfinedPath;
    try {
      path = resolvePath(this.#root, name);
    } catch (error) {
      if (error instanceof PaddockError) return undefined;
      throw error;
    }
    return await this.#counts.count(name, { path, facts, maxBytes: this.#maxBytes, signal });
  }

  readonly #tooLarge = (size: number): PaddockError => tooLarge(size, this.#maxBytes);

  async #worded<T>(name: string, action: () => Promise<T>, writing = () => false): Promise<T> {
    try {
      return await action();
    } catch (error) {
      throw aboutFile(error, name, writing());
    }
  }
}

/** What is listed as a file: a file, or a link to one inside. */
function fileFacts(entry: EntryInfo): Facts | undefined {
  const facts = entry.target ?? entry;
  return facts.type === "file" ? facts : undefined;
}

/** The text with \n between its lines and none after the last. */
function* normalized(body: string): Generator<void, string> {
  const text = yield* foldedInSteps(body);
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}

function toSeconds(iso: string): string {
  return `${iso.slice(0, iso.lastIndexOf("."))}Z`;
}
