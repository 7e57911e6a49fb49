/**
 * A surface's view of a workspace's history: one way to change files, and a few to look back. How it is stored
 * is up to git_store.ts, which keeps it as a git repository.
 */
import type { ConfinedPath } from "../../confine/resolve_path.ts";

/** Who makes a change, and how long it may wait for others. */
export interface ChangeRequest {
  /** As in commit messages: `write_file`. */
  readonly tool: string;
  /** The name the client gave itself. */
  readonly client: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly waitMs: number;
  /** Applied to new files and folders. */
  readonly umask: number;
  /** Lifts the call's time limit, once it has begun work that must run to its end. */
  readonly begin?: (() => void) | undefined;
  /** Called with the number of working tree entries done so far. */
  readonly onEntry?: ((done: number) => void) | undefined;
}

/** One step to take on the working tree. */
export type Step =
  /**
   * Gives a file this content; creates missing folders, keeps the mode of an existing file. `madeFrom` is what
   * the content was made from or meant for: if the file holds something else by now, the plan is made again.
   */
  | {
    readonly kind: "put";
    readonly path: ConfinedPath;
    readonly bytes: Uint8Array;
    readonly madeFrom?: Uint8Array | undefined;
    /** For a new file. */
    readonly permissions?: number | undefined;
  }
  /**
   * Removes a file, a link, or a folder with everything in it. `madeFrom` is what it held when that was
   * decided; `makesRoom` says that another step puts something in its place, or below it.
   */
  | {
    readonly kind: "remove";
    readonly path: ConfinedPath;
    readonly madeFrom?: Uint8Array | undefined;
    readonly makesRoom?: boolean;
  }
  /**
   * Gives a file, a link or a folder a name that is free; creates missing folders. With `isPart`, it is part of
   * a folder that moves: a file git does not track stays untracked.
   */
  | {
    readonly kind: "move";
    readonly from: ConfinedPath;
    readonly to: ConfinedPath;
    readonly isPart?: boolean;
  }
  /** Removes a folder in which the steps before leave nothing but empty folders. */
  | { readonly kind: "prune"; readonly path: ConfinedPath; readonly makesRoom?: boolean }
  /** Creates a folder and its parents; a `.gitkeep` keeps it in the history while it is empty. */
  | { readonly kind: "folder"; readonly path: ConfinedPath };

/** What a tool decided after looking at the working tree. */
export interface Plan<T> {
  /** The first line of the message, after the tool's name: `Create users/data.txt`. */
  readonly summary: string;
  readonly steps: readonly Step[];
  readonly value: T;
}

export interface Changed<T> {
  /** The new commit; the current one if nothing changed; empty if there is none yet. */
  readonly commit: string;
  /** Whether a commit was made. */
  readonly changed: boolean;
  /** The commit that recorded somebody's outside changes first, if there were any. */
  readonly kept: string | undefined;
  readonly value: T;
}

export interface CommitSummary {
  readonly commit: string;
  /** `Name <mail>`. */
  readonly author: string;
  /** ISO 8601, UTC. */
  readonly date: string;
  /** Complete, without the trailing newline. */
  readonly message: string;
  readonly parents: readonly string[];
}

export interface LogQuery {
  /** Below the workspace, with `/` between names; default: the whole workspace. Renames are followed. */
  readonly path?: string;
  readonly limit: number;
  /** How many to skip at the start. */
  readonly skip?: number;
  /** The commit to begin with; default: the last one. */
  readonly from?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface LogPage {
  readonly entries: readonly CommitSummary[];
  /** Whether there are more after these. */
  readonly more: boolean;
}

export interface FileChange {
  readonly path: string;
  readonly status: "added" | "modified" | "deleted" | "renamed";
  /** The old path of a renamed file. */
  readonly from?: string;
}

export interface Differences {
  readonly files: readonly FileChange[];
  /** How many files differ, even if not all are listed. */
  readonly count: number;
  /** In git's format, for `git apply`; where it is truncated, whole files are left out. */
  readonly diff: string;
  readonly truncated: boolean;
}

/** Limits on how many differences are returned. */
export interface DiffLimits {
  readonly maxBytes: number;
  readonly maxFiles: number;
}

/** Differences, and the two sides compared. */
export interface Compared extends Differences {
  readonly from: string;
  /** Undefined for the working tree. */
  readonly to: string | undefined;
}

export interface DiffQuery {
  readonly from: string;
  /** A commit; default: the working tree. */
  readonly to?: string;
  /** A file or folder; default: everything. */
  readonly path?: string;
  readonly maxBytes: number;
  readonly maxFiles: number;
  readonly signal?: AbortSignal | undefined;
}

export type CommitDetails = CommitSummary & Differences;

/** What a restore leaves unchanged, on disk and in the history, because it cannot restore it. */
export interface Skipped {
  readonly path: string;
  readonly reason: string;
}

export interface Restored {
  /** Identifies exactly what is to be done. */
  readonly plan: string;
  readonly files: readonly FileChange[];
  /** How many files change, even if not all are listed. */
  readonly count: number;
  readonly skipped: readonly Skipped[];
  readonly skippedCount: number;
}

export interface RestoreQuery {
  /** The commit to restore. */
  readonly commit: string;
  /** A file or folder; default: the whole workspace. */
  readonly path?: string;
  readonly maxFiles: number;
  readonly signal?: AbortSignal | undefined;
  /** From `planRestore`: fails unless exactly that is to be done. */
  readonly plan?: string | undefined;
}

/** What a path holds in a commit, or on disk. */
export interface Version {
  /** As git writes it. */
  readonly mode: number;
  readonly oid: string;
}

/** A file that differs, before and after. */
export interface FileVersions {
  readonly path: string;
  /** The old path of a renamed file. */
  readonly from?: string;
  readonly before: Version | undefined;
  readonly after: Version | undefined;
}

export interface VersionsQuery {
  /** Default: the commit before `to`. */
  readonly from?: string | undefined;
  /** A commit; default: the working tree, which requires `from`. */
  readonly to?: string | undefined;
  readonly path?: string | undefined;
  /** Whether a renamed file is reported as one (the default) or as deleted and added. */
  readonly renames?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface PlannedRestore extends Restored {
  readonly diff: string;
  readonly truncated: boolean;
}

export interface Reverted {
  /** The commit that was reverted. */
  readonly reverted: string;
  /** Files in which the revert was merged with later changes. */
  readonly merged: readonly string[];
  /** Identifies what is done. */
  readonly plan: string;
  readonly files: readonly FileChange[];
}

export interface PlannedRevert extends Reverted {
  /** The files as they are on disk, and as they would be. */
  readonly versions: readonly FileVersions[];
  /** The contents of merged files, which no commit has yet. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/**
 * The history of one workspace. A commit is named by its hash, by at least the first four digits of it, by
 * `HEAD` or `HEAD~3`; an unknown or ambiguous name is a PaddockError.
 */
export interface History {
  /**
   * Runs `plan` while nobody else, in any process, changes the workspace; then takes its steps and commits
   * them, all or nothing. Outside changes in the files it touches are committed first.
   */
  change<T>(request: ChangeRequest, plan: () => Promise<Plan<T>> | Plan<T>): Promise<Changed<T>>;
  /** What such a change would do, as its commit would show it, without making it. */
  preview<T>(
    request: ChangeRequest,
    plan: () => Promise<Plan<T>> | Plan<T>,
    limits: DiffLimits,
  ): Promise<Differences & { readonly value: T }>;
  /** Restores files to what they were at a commit, as a new commit; what differs is removed or brought back. */
  restore(request: ChangeRequest, query: RestoreQuery): Promise<Changed<Restored>>;
  /** What `restore` would do, with its diff, without doing it. */
  planRestore(query: RestoreQuery & { readonly maxBytes?: number }): Promise<PlannedRestore>;
  /**
   * Reverts one commit, as a new commit, and keeps what came after it. With a plan of `planRevert`, only if that is
   * still what would be done.
   */
  revert(request: ChangeRequest, commit: string, plan?: string): Promise<Changed<Reverted>>;
  /** What `revert` would do, with its diff, without doing it. */
  previewRevert(
    request: ChangeRequest,
    commit: string,
    limits: DiffLimits,
  ): Promise<Differences & { readonly value: Reverted }>;
  /** The same as file versions. Only reads: it takes no lock and writes no object. */
  planRevert(commit: string, signal?: AbortSignal): Promise<PlannedRevert>;
  log(query: LogQuery): Promise<LogPage>;
  show(
    commit: string,
    limits: { maxBytes: number; maxFiles: number; signal?: AbortSignal | undefined },
  ): Promise<CommitDetails>;
  diff(query: DiffQuery): Promise<Compared>;
  /** Which files differ, without their lines. */
  versions(query: VersionsQuery): Promise<readonly FileVersions[]>;
  /** The files that `restore` would change; each `path` is the current one. */
  restoredVersions(query: RestoreQuery): Promise<readonly FileVersions[]>;
  /**
   * The content of a version, from the history or the disk; undefined if it is gone, or larger than `most`
   * bytes.
   */
  content(oid: string, options: { path?: string | undefined; most: number }): Promise<Uint8Array | undefined>;
  /** The size of a version in bytes; undefined if it is not in the history. */
  size(oid: string): number | undefined;
  /** What a path of the working tree holds; undefined if it is neither a file nor a link. */
  seen(path: string): Promise<Version | undefined>;
  /** The last commit; undefined if there is none yet. */
  head(): string | undefined;
  /** Completes what a dead process left half done. Cheap when there is nothing: call it before every read. */
  heal(): Promise<void>;
  /** Closes open files; they are opened again when needed. */
  close(): void;
}
