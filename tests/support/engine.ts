/** The engine on a temporary folder: one root, and what every changing operation needs. */
import { PaddockError } from "../../src/base/errors.ts";
import {
  type ConfinedPath,
  type ConfinedRoot,
  type ResolveOptions,
  resolvePath,
} from "../../src/confine/resolve_path.ts";
import type { Changing } from "../../src/engine/changing.ts";
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

/** Long enough for a hundred calls in a row on an emulated processor; a test of waiting has its own. */
const LOCK_WAIT_MS = 600_000;

/** A path in the words of this system. */
export function nativePath(path: string): string {
  return Deno.build.os === "windows" ? path.replaceAll("/", "\\") : path;
}

/** What this system keeps of a mode: Windows knows only whether a file may be written to. */
export function keptMode(mode: number): number {
  if (Deno.build.os !== "windows") return mode;
  return (mode & 0o222) === 0 ? 0o444 : 0o666;
}

/** How a refusal begins when the system does not allow it; Windows says the same of a file that is in use. */
export const DENIED = "PERMISSION_DENIED: permission denied by the operating system" +
  (Deno.build.os === "windows" ? " (perhaps because another program has it open)" : "");

/** The engine on a folder that is there already; tests name it with slashes. */
export function engineOn(given: ConfinedRoot): Pick<EngineFolder, "root" | "changing" | "at" | "mode"> {
  const root = { ...given, path: nativePath(given.path) };
  return {
    root,
    changing: { locks: new Locks(), sweeper: new TempSweeper(), umask: 0o022, lockWaitMs: LOCK_WAIT_MS },
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
