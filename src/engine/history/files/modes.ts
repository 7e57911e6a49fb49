/**
 * The permissions of files, of which git records only the executable bit. A private file that comes back from the
 * history must not be open to more people than before; so the permissions of every file that a change touches,
 * moves or removes are recorded beside git, by path, unless they are the usual ones.
 */
import { encodeUtf8 } from "../../../text/utf8.ts";
import type { GitFolder } from "../git/git_folder.ts";
import { MODE_EXECUTABLE } from "../objects/objects.ts";

/** Permission bits by path, relative to the workspace. */
export type SeenModes = ReadonlyMap<string, number>;

const FILE = "mcp/modes";
const LINE = /^([0-7]{3}) (".*")$/;
const EXECUTABLE = 0o111;

export class Modes {
  readonly #git: GitFolder;
  readonly #known = new Map<string, number>();
  /** How many bytes of the file are known. */
  #size = 0;

  constructor(git: GitFolder) {
    this.#git = git;
  }

  /**
   * The permissions for restoring a file with this mode in a commit: as last seen, else the usual ones less the
   * umask.
   */
  permissionsOf(path: string, mode: number, umask = 0): number {
    const isExecutable = mode === MODE_EXECUTABLE;
    this.#load();
    const seen = this.#known.get(path);
    if (seen === undefined) return usual(isExecutable) & ~umask;
    if (!isExecutable) return seen & ~EXECUTABLE;
    return (seen & 0o100) !== 0 ? seen : seen | ((seen & 0o444) >> 2); // executable for those who may read it
  }

  /** Appends what is not known yet. Only while the locks are held; the caller syncs and closes the file. */
  note(modes: SeenModes): Deno.FsFile | undefined {
    if (modes.size === 0) return undefined;
    this.#load();
    let lines = "";
    for (const [path, mode] of modes) {
      const isKnown = isUsual(mode) ? !this.#known.has(path) : this.#known.get(path) === mode;
      // The newline comes first: so a line that a crash cut short does not spoil the next one.
      if (!isKnown) lines += `\n${mode.toString(8).padStart(3, "0")} ${JSON.stringify(path)}`;
    }
    if (lines === "") return undefined;
    const bytes = encodeUtf8(lines);
    const file = this.#git.writeAt(FILE, bytes, { offset: this.#size });
    this.#take(lines);
    this.#size += bytes.length;
    return file;
  }

  /** Reads what other processes have written since. */
  #load(): void {
    const size = this.#git.has(FILE) ? this.#git.stat(FILE)?.size ?? 0 : 0;
    if (size === this.#size) return;
    const bytes = size === 0 ? undefined : this.#git.read(FILE);
    this.#known.clear();
    this.#take(bytes?.toString("utf8") ?? "");
    this.#size = bytes?.length ?? 0;
  }

  /** The last line for a path counts. */
  #take(text: string): void {
    for (const line of text.split("\n")) {
      const [, digits = "", quoted = ""] = LINE.exec(line) ?? [];
      const path = quoted === "" ? undefined : parsePath(quoted);
      const mode = parseInt(digits, 8);
      if (path === undefined) continue;
      if (isUsual(mode)) this.#known.delete(path);
      else this.#known.set(path, mode);
    }
  }
}

/** Undefined for a system or a file without permissions. */
export function permissionsSeen({ isFile, mode }: Deno.FileInfo): number | undefined {
  return isFile && mode !== null && Deno.build.os !== "windows" ? mode & 0o777 : undefined;
}

function usual(isExecutable: boolean): number {
  return isExecutable ? 0o755 : 0o644;
}

function isUsual(mode: number): boolean {
  return mode === usual((mode & 0o100) !== 0);
}

function parsePath(quoted: string): string | undefined {
  try {
    const path: unknown = JSON.parse(quoted);
    return typeof path === "string" ? path : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
