/**
 * Which paths each of paddock's commits touched, one line each, in the order they were made: so the history of one
 * file is found without reading the trees of all commits. It is only a shortcut: a commit without a line is read
 * itself; a line names its commit, so it cannot apply to another; and when a path is found in a line, the trees are
 * still compared.
 */
import { PaddockError } from "../../../base/errors.ts";
import { encodeUtf8 } from "../../../text/utf8.ts";
import type { GitFolder } from "../git/git_folder.ts";

export interface CachedChange {
  readonly parent: string | undefined;
  /** As byte strings; undefined if there are too many to list. */
  readonly paths: readonly string[] | undefined;
}

const FILE = "mcp/changes";
const MAX_PATHS = 50;
const MAX_BYTES = 64 * 1024 * 1024;
const NONE = "-";
const LINE = /^([0-9a-f]{40}) ([0-9a-f]{40}|-) (\*|\[.*\])$/;

/**
 * Collects the lines of new commits. They are written when somebody reads the history, or when nobody is waiting.
 */
export class ChangeNotes {
  readonly #git: GitFolder;
  #lines = "";

  constructor(git: GitFolder) {
    this.#git = git;
  }

  add(commit: string, { parent, paths }: CachedChange): void {
    const listed = paths === undefined || paths.length > MAX_PATHS ? "*" : JSON.stringify(paths);
    // The newline comes first: so a line that a crash cut short does not spoil the next one.
    this.#lines += `\n${commit} ${parent ?? NONE} ${listed}`;
  }

  /** If it cannot be written, on a full disk, it is dropped. */
  write(): void {
    if (this.#lines === "") return;
    const lines = encodeUtf8(this.#lines);
    this.#lines = "";
    try {
      this.#git.append(FILE, lines);
    } catch (error) {
      if (!(error instanceof PaddockError)) throw error;
    }
  }
}

/** The lines as they are now, for one walk back from the last commit. */
export class ChangeCache {
  readonly #text: string;
  #end: number;
  #elsewhere: Map<string, string> | undefined;

  constructor(git: GitFolder) {
    const size = git.stat(FILE)?.size ?? 0;
    this.#text = size > MAX_BYTES ? "" : git.readText(FILE) ?? "";
    this.#end = this.#text.length;
  }

  find(commit: string): CachedChange | undefined {
    const start = this.#text.lastIndexOf("\n", this.#end - 1) + 1;
    if (this.#text.startsWith(commit, start)) { // usually it is the line before the last one found
      const line = this.#text.slice(start, this.#end);
      this.#end = Math.max(start - 1, 0);
      return parse(line);
    }
    const line = this.#byCommit().get(commit);
    if (line === undefined) return undefined;
    return parse(line);
  }

  #byCommit(): Map<string, string> {
    return this.#elsewhere ??= new Map(this.#text.split("\n").map((line) => [line.slice(0, 40), line]));
  }
}

function parse(line: string): CachedChange | undefined {
  const [, , parent = NONE, listed = ""] = LINE.exec(line) ?? [];
  if (listed === "") return undefined;
  const above = parent === NONE ? undefined : parent;
  if (listed === "*") return { parent: above, paths: undefined };
  try {
    const paths: unknown = JSON.parse(listed);
    if (!Array.isArray(paths) || !paths.every((path) => typeof path === "string")) return undefined;
    return { parent: above, paths };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether a change of these paths can affect `path`: one of them is equal, above it or below it. */
export function mayTouch(paths: readonly string[] | undefined, path: string): boolean {
  return paths === undefined ||
    paths.some((one) => one === path || path.startsWith(`${one}/`) || one.startsWith(`${path}/`));
}
