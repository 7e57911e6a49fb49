/** The engine on a temporary folder: one root, and what every changing operation needs. */
import { PaddockError } from "../../src/base/errors.ts";
import {
  type ConfinedPath,
  type ConfinedRoot,
  type ResolveOptions,
  resolvePath,
} from "../../src/confine/resolve_path.ts";
import { type Changing } from "../../src/engine/changing.ts";
import { Locks } from "../../src/engine/locks.ts";
import { TempSweeper } from "../../src/engine/temp_sweeper.ts";
import { type TempFolder, tempFolder } from "./temp.ts";

export interface EngineFolder extends TempFolder {
  readonly root: ConfinedRoot;
  readonly changing: Changing;
  at(path: string, options?: ResolveOptions): ConfinedPath;
  /** The permission bits of what is at the path itself. */
  mode(path: string): number;
}

export function engineFolder(git: ConfinedRoot["git"] = "open"): EngineFolder {
  const folder = tempFolder();
  const root: ConfinedRoot = { name: "test", path: folder.path, git, nested: [] };
  return { ...folder, ...engineOn(root) };
}

/** A path in this system's notation. */
export function nativePath(path: string): string {
  return Deno.build.os === "windows" ? path.replaceAll("/", "\\") : path;
}

/** The engine on an existing folder; tests name it with slashes. */
export function engineOn(given: ConfinedRoot): Pick<EngineFolder, "root" | "changing" | "at" | "mode"> {
  const root = { ...given, path: nativePath(given.path) };
  return {
    root,
    changing: { locks: new Locks(), sweeper: new TempSweeper(), umask: 0o022 },
    at: (path, options = {}) => resolvePath(root, path, options),
    mode: (path) => (Deno.lstatSync(`${root.path}/${path}`).mode ?? 0) & 0o7777,
  };
}

/** A signal that is aborted after it was checked this many times: a cancellation between two given steps. */
export function abortedAfter(looks: number): AbortSignal {
  const { signal } = new AbortController();
  let left = looks;
  Object.defineProperty(signal, "aborted", { get: () => left-- <= 0 });
  return signal;
}

/** The PaddockError that a promise is rejected with, as `CODE: message`; if it resolves, the test fails. */
export async function refusal(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof PaddockError) return `${error.code}: ${error.message}`;
    throw error;
  }
  throw new Error("it was not refused");
}
