/**
 * The one engine behind the three faces of the flat surface: a folder of text files. Lines are counted from 0
 * here; each face counts as its own rules say.
 */
import { PaddockError } from "../../base/errors.ts";
import { type Changing } from "../../engine/changing.ts";
import { editText } from "../../engine/edit.ts";
import { type ConfinedPath, type ConfinedRoot, createRoots, resolvePath } from "../../engine/fence.ts";
import { LineCounts } from "../../engine/line_counts.ts";
import { listFolder } from "../../engine/metadata.ts";
import { readWhole } from "../../engine/read.ts";
import { retryTransient } from "../../engine/transient.ts";
import { applyLineEdits, type LineEdit } from "../../text/line_edits.ts";
import { splitLines, stripBom } from "../../text/lines.ts";
import { decodeUtf8 } from "../../text/utf8.ts";
import { isFileName } from "./names.ts";

export interface ListedFile {
  name: string;
  /** ISO 8601, to the second. */
  modified: string;
  /** -1 when they cannot be counted. */
  lines: number;
}

export interface Range {
  /** Counted from 0, inclusive. */
  start: number | undefined;
  end: number | undefined;
}

export interface ReadLines {
  /** The lines of the range, joined by \n, without the last line's ending. */
  content: string;
  totalLines: number;
  /** The range that was returned, if one was asked for. */
  range: { start: number; end: number } | undefined;
}

export interface Edited {
  linesModified: number;
  totalLines: number;
  created: boolean;
}

export interface EditRequest {
  name: string;
  edits: readonly LineEdit[];
  append: string | undefined;
  createIfMissing: boolean;
  /** How the caller counts lines, for its error messages. */
  base: 0 | 1;
}

export interface FolderOptions {
  directory: string;
  maxBytes: number;
}

export class FlatFolder {
  readonly #root: ConfinedRoot;
  readonly #maxBytes: number;
  readonly #counts = new LineCounts();
  readonly directory: string;

  constructor({ directory, maxBytes }: FolderOptions) {
    const root = createRoots([{ name: "files", path: directory, git: "hidden" }]).get("files");
    if (root === undefined) throw new TypeError("no root");
    this.#root = root;
    this.#maxBytes = maxBytes;
    this.directory = directory;
  }

  /** Visible files whose names can be used here, by name. Folders, and links that lead outside, are left out. */
  async list(signal: AbortSignal): Promise<ListedFile[]> {
    return await retryTransient(async () => {
      const files: ListedFile[] = [];
      for (const entry of await this.#entries(signal)) {
        if (!isFileName(entry.name) || entry.name.startsWith(".")) continue;
        const facts = entry.target ?? entry;
        if (facts.type !== "file" || !("size" in facts)) continue;
        const path = this.#resolve(entry.name);
        const { ino, size, mtimeMs } = facts;
        const lines = await this.#counts.of({ path, ino, size, mtimeMs }, {
          maxBytes: this.#maxBytes,
          signal,
        });
        files.push({ name: entry.name, modified: toSeconds(mtimeMs), lines });
      }
      return files;
    });
  }

  async read(name: string, { start, end }: Range, signal: AbortSignal): Promise<ReadLines> {
    const { bytes } = await retryTransient(() =>
      this.#worded(name, () =>
        readWhole(this.#resolve(name), {
          maxBytes: this.#maxBytes,
          signal,
          tooLarge: (size) => this.#tooLarge(size),
        }))
    );
    const text = decodeUtf8(bytes);
    if (text === undefined) throw new PaddockError("UNSUPPORTED", "File contains invalid UTF-8 encoding");
    const lines = splitLines(stripBom(text).body);
    const totalLines = lines.length;
    if (start === undefined && end === undefined) {
      return { content: join(lines), totalLines, range: undefined };
    }
    const first = start ?? 0;
    if (first >= totalLines && start !== undefined) {
      throw new PaddockError("INVALID_INPUT", `Start line ${start} exceeds file length ${totalLines}`, {
        data: { start_line: start, total_lines: totalLines },
      });
    }
    const last = Math.min(end ?? totalLines - 1, totalLines - 1);
    return { content: join(lines.slice(first, last + 1)), totalLines, range: { start: first, end: last } };
  }

  async edit(request: EditRequest, changing: Changing): Promise<Edited> {
    const { name, edits, append, createIfMissing, base } = request;
    let edited = { linesModified: 0, totalLines: 0 };
    const { created } = await this.#worded(name, () =>
      editText(this.#resolve(name), (text, exists) => {
        if (!exists && !createIfMissing) throw notFound(name);
        const { linesModified, totalLines, text: changed } = applyLineEdits(text, {
          edits,
          base,
          ...(append === undefined ? {} : { append }),
        });
        edited = { linesModified, totalLines };
        return changed;
      }, {
        maxBytes: this.#maxBytes,
        changing,
        tooLarge: (size) => this.#tooLarge(size),
        notText: () => new PaddockError("UNSUPPORTED", "File contains invalid UTF-8 encoding"),
      }));
    return { ...edited, created };
  }

  async #entries(signal: AbortSignal) {
    try {
      return await listFolder(resolvePath(this.#root, "."), signal);
    } catch (error) {
      if (!(error instanceof PaddockError) || error.code === "TIMEOUT") throw error;
      throw new PaddockError("PERMISSION_DENIED", "Cannot access working directory", { cause: error });
    }
  }

  #resolve(name: string): ConfinedPath {
    return resolvePath(this.#root, name, { change: true });
  }

  #tooLarge(size: number): PaddockError {
    const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024 * 100) / 100;
    return new PaddockError(
      "TOO_LARGE",
      `File size ${megabytes(size)}MB exceeds maximum limit ${megabytes(this.#maxBytes)}MB`,
      { data: { size, limit: this.#maxBytes } },
    );
  }

  /** The words of this surface for what the engine says in its own. */
  async #worded<T>(name: string, action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof PaddockError)) throw error;
      if (error.code === "NOT_FOUND") throw notFound(name, error);
      if (
        error.code === "PERMISSION_DENIED" || error.code === "OUT_OF_BOUNDS" || error.code === "NOT_ALLOWED"
      ) {
        throw new PaddockError(error.code, `Permission denied accessing '${name}'`, {
          cause: error,
          ...(error.audit === undefined ? {} : { audit: error.audit }),
        });
      }
      throw error;
    }
  }
}

function notFound(name: string, cause?: unknown): PaddockError {
  return new PaddockError("NOT_FOUND", `File '${name}' not found`, { cause });
}

function join(lines: readonly { content: string }[]): string {
  return lines.map(({ content }) => content).join("\n");
}

function toSeconds(mtimeMs: number): string {
  return new Date(mtimeMs).toISOString().replace(/\.\d{3}Z$/, "Z");
}
