/** What a server and its search workers say to each other over a message port. */
import { type ErrorCode } from "../../../base/errors.ts";
import { type ConfinedPath } from "../../../confine/resolve_path.ts";
import { type RootOptions } from "../../../confine/roots.ts";
import { type Batch, type BatchResult, type Sought } from "./batch.ts";

/** A search as a worker is told of it; it resolves the path by itself, against these roots. */
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

export type ToSearcher =
  /** The first message. */
  | { type: "hello"; cacheBytes: number; splitAbove: number }
  | { type: "begin"; search: number; spec: SearchSpec; timeoutMs: number }
  | { type: "scan"; search: number; task: number; batch: Batch }
  /** Nobody waits for this search any more. */
  | { type: "end"; search: number }
  | { type: "close" };

export type FromSearcher =
  | { type: "ready" }
  | { type: "done"; task: number; result: BatchResult }
  | { type: "failed"; task: number; failure: Failure };

/** An error, as plain data. */
export interface Failure {
  code: ErrorCode;
  message: string;
  stack?: string | undefined;
}
