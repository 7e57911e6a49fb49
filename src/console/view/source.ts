/** What the console needs from a root or a workspace: its changes in order of time, and each with its files. */
import type { Change, FileHistory, Source } from "../api_types.ts";
import type { RawFile, RawSide } from "./raw_file.ts";

/** Which changes to return. Times are milliseconds since 1970. */
export interface Filter {
  readonly client?: string | undefined;
  readonly tool?: string | undefined;
  readonly path?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly text?: string | undefined;
  readonly undone?: boolean | undefined;
}

/** A place in the order of one source's changes; older ones come after it. */
export interface Place {
  readonly time: number;
  /** The last change of that time that was returned; left out if it was from another source. */
  readonly key?: string | undefined;
  /** Whether changes of exactly that time come after it, if there is no key. */
  readonly inclusive: boolean;
}

export interface SourceQuery extends Filter {
  readonly after?: Place | undefined;
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

export interface FoundChange {
  readonly time: number;
  /** Its place among the changes of the same time. */
  readonly key: string;
  readonly change: Change;
}

/** A change with its files, or with only the file asked for by number. */
export interface ChangeFiles {
  readonly change: Change;
  readonly files: readonly RawFile[];
}

export interface FilePage extends Omit<FileHistory, "now" | "versions" | "next"> {
  readonly now: RawSide;
  readonly versions: readonly RawVersion[];
  readonly next: unknown;
}

export interface RawVersion extends Pick<RawFile, "path" | "to" | "status" | "before" | "after"> {
  readonly change: Change;
  readonly restoreAt: string | null;
}

/** What is to be done, and what distinguishes it from anything else. */
export interface RawPreview {
  readonly plan: string;
  readonly files: readonly RawFile[];
  readonly merged: readonly string[];
  readonly skipped: readonly { path: string; reason: string }[];
  readonly unknown: number;
  readonly also: readonly { root: string; id: string }[];
}

/** What has happened since it was last checked. */
export interface News {
  /** Oldest first. */
  readonly changes: readonly Change[];
  /** Whether there is more than can be reported one by one. */
  readonly reload: boolean;
  /** Whether the answer of `describe` may have changed. */
  readonly stateChanged: boolean;
}

export interface Tallies {
  readonly clients: readonly { name: string | null; changes: number; newest: number }[];
  readonly tools: readonly { name: string; changes: number }[];
}

export interface ChangeSource {
  readonly id: string;
  readonly kind: Source["kind"];
  readonly name: string;
  describe(): Promise<Source>;
  /** Newest first. */
  changes(query: SourceQuery): Promise<readonly FoundChange[]>;
  change(id: string, signal?: AbortSignal): Promise<ChangeFiles>;
  file(
    query: { path: string; limit: number; cursor: unknown; signal?: AbortSignal | undefined },
  ): Promise<FilePage>;
  compare(
    query: {
      from: string;
      to?: string | undefined;
      path?: string | undefined;
      signal?: AbortSignal | undefined;
    },
  ): Promise<
    readonly RawFile[]
  >;
  content(hash: string, options: { path: string | undefined; most: number }): Promise<Uint8Array | undefined>;
  previewUndo(ids: readonly string[], signal?: AbortSignal): Promise<RawPreview>;
  previewRestore(request: { path: string; at: string }, signal?: AbortSignal): Promise<RawPreview>;
  tallies(since: number): Promise<Tallies>;
  /**
   * What has happened since it was last asked; cheap if that is nothing. The first call only remembers the current
   * state.
   */
  news(): Promise<News>;
  close(): void;
}

export const NO_NEWS: News = { changes: [], reload: false, stateChanged: false };
