/** The messages between a server and its search workers. */
import type { ErrorCode } from "../../../base/errors.ts";
import type { ConfinedPath } from "../../../confine/resolve_path.ts";
import type { RootOptions } from "../../../confine/roots.ts";
import type { Sought, Unit, UnitResult } from "./unit.ts";

/** A search as described to a worker, which resolves the path itself against these roots. */
export interface SearchSpec extends Sought {
  readonly roots: readonly RootOptions[];
  readonly root: string;
  /** The folder, relative to the root. */
  readonly path: string;
}

export function specOf(folder: ConfinedPath, sought: Sought): SearchSpec {
  const { root, relative } = folder;
  const roots = [root, ...root.nested].map(({ name, path, git, closed }) => ({
    name,
    path,
    git,
    closed: closed?.all ?? [],
  }));
  return { ...sought, roots, root: root.name, path: relative };
}

/** Settings for all searches of a worker. */
export interface MemberOptions {
  /** How much it may remember about files; 0 for nothing. */
  readonly cacheBytes: number;
  /** How many folder entries it may remember; 0 for none. */
  readonly cacheEntries: number;
  /** Larger files are left to be divided. */
  readonly splitAbove: number;
}

export type ToSearcher =
  /** The first message. */
  | ({ type: "hello" } & MemberOptions)
  | { type: "begin"; search: number; spec: SearchSpec; timeoutMs: number }
  | { type: "scan"; search: number; task: number; units: readonly Unit[] }
  /** The results of this search are no longer needed. */
  | { type: "end"; search: number }
  | { type: "close" };

export type FromSearcher =
  | { type: "ready" }
  /** Possibly fewer results than there were units: the others are still to be searched. */
  | { type: "done"; task: number; results: UnitResult[] }
  | { type: "failed"; task: number; failure: Failure };

/** An error, as plain data. */
export interface Failure {
  code: ErrorCode;
  message: string;
  stack?: string | undefined;
}
