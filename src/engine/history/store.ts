/**
 * What a surface knows of a workspace's history: one way to change files, and a few ways to look back. Nothing
 * here says how it is kept; git_store.ts keeps it as a git repository.
 */
import { type ConfinedPath } from "../../confine/resolve_path.ts";

/** Who changes something, and how long it may wait for others. */
export interface ChangeRequest {
  /** As it stands in commit messages: `write_file`. */
  readonly tool: string;
  /** The name the client gave itself. */
  readonly client: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly waitMs: number;
  /** What new files and folders obey. */
  readonly umask: number;
  /** Lifts the time limit of the call, where it has begun what takes as long as it takes. */
  readonly begin?: (() => void) | undefined;
  /** Told how many entries of the working tree are done so far, where somebody wants to know. */
  readonly onEntry?: ((done: number) => void) | undefined;
}

/** One thing to be done to the working tree. */
export type Step =
  /**
   * A file gets this content; missing folders are created, the mode of a file that is there is kept. `madeFrom` is
   * what the content was made from or meant for: the plan is made anew when the file holds something else by now.
   */
  | {
    readonly kind: "put";
    readonly path: ConfinedPath;
    readonly bytes: Uint8Array;
    readonly madeFrom?: Uint8Array | undefined;
    /** The permissions of a file that is new. */
    readonly permissions?: number | undefined;
  }
  /**
   * A file, a link, or a folder with everything in it goes. `madeFrom` is what it held when that was decided;
   * `makesRoom` says that another step puts something in its place, or below it.
   */
  | {
    readonly kind: "remove";
    readonly path: ConfinedPath;
    readonly madeFrom?: Uint8Array | undefined;
    readonly makesRoom?: boolean;
  }
  /**
   * A file, a link or a folder gets a name that is free; missing folders are created. As a part of a folder that
   * moves, a file that git does not know stays unknown to it.
   */
  | {
    readonly kind: "move";
    readonly from: ConfinedPath;
    readonly to: ConfinedPath;
    readonly isPart?: boolean;
  }
  /** A folder goes of which the steps before leave nothing but empty folders. */
  | { readonly kind: "prune"; readonly path: ConfinedPath; readonly makesRoom?: boolean }
  /** A folder, with its parents, kept in the history by a `.gitkeep` while it is empty. */
  | { readonly kind: "folder"; readonly path: ConfinedPath };

/** What a tool decided after looking at the working tree. */
export interface Plan<T> {
  /** The first line of the message after the tool's name: `Create users/data.txt`. */
  readonly summary: string;
  readonly steps: readonly Step[];
  readonly value: T;
}

export interface Changed<T> {
  /** The new commit; the current one if nothing changed; empty if there is none at all yet. */
  readonly commit: string;
  /** Whether a commit was made. */
  readonly changed: boolean;
  /** The commit that kept what somebody had changed outside, if that was needed. */
  readonly kept: string | undefined;
  readonly value: T;
}

export interface CommitSummary {
  readonly commit: string;
  /** `Name <mail>`. */
  readonly author: string;
  /** ISO 8601, UTC. */
  readonly date: string;
  /** Whole, without the newline at its end. */
  readonly message: string;
}

export interface LogQuery {
  /** Below the workspace, with `/` between names; the whole workspace without it. Renames are followed. */
  readonly path?: string;
  readonly limit: number;
  /** How many to leave out at the start. */
  readonly skip?: number;
  /** The commit to begin with; the last one without it. */
  readonly from?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface LogPage {
  readonly entries: readonly CommitSummary[];
  /** Whether there are more behind them. */
  readonly more: boolean;
}

export interface FileChange {
  readonly path: string;
  readonly status: "added" | "modified" | "deleted" | "renamed";
  /** What a renamed file was called. */
  readonly from?: string;
}

export interface Differences {
  readonly files: readonly FileChange[];
  /** How many files differ, also when not all are listed. */
  readonly count: number;
  /** Git's form, so that `git apply` takes it; whole files are left out where it is cut. */
  readonly diff: string;
  readonly truncated: boolean;
}

/** The most that is told of differences. */
export interface DiffLimits {
  readonly maxBytes: number;
  readonly maxFiles: number;
}

/** Differences, and between what they are. */
export interface Compared extends Differences {
  readonly from: string;
  /** Undefined for the files as they are. */
  readonly to: string | undefined;
}

export interface DiffQuery {
  readonly from: string;
  /** A commit; the working tree without it. */
  readonly to?: string;
  /** A file or folder; everything without it. */
  readonly path?: string;
  readonly maxBytes: number;
  readonly maxFiles: number;
  readonly signal?: AbortSignal | undefined;
}

export interface CommitDetails extends CommitSummary, Differences {
  readonly parents: readonly string[];
}

/** What a restore leaves as it is, on the disk and in the history, because it cannot be put back. */
export interface Skipped {
  readonly path: string;
  readonly reason: string;
}

export interface Restored {
  /** Tells what is to be done from anything else. */
  readonly plan: string;
  readonly files: readonly FileChange[];
  /** How many files change, also when not all are listed. */
  readonly count: number;
  readonly skipped: readonly Skipped[];
  readonly skippedCount: number;
}

export interface RestoreQuery {
  /** The commit whose state is wanted. */
  readonly commit: string;
  /** A file or folder; the whole workspace without it. */
  readonly path?: string;
  readonly maxFiles: number;
  readonly signal?: AbortSignal | undefined;
  /** What `planRestore` gave: only that is to happen. */
  readonly plan?: string | undefined;
}

/** What a path holds in a commit, or on the disk. */
export interface Version {
  /** Git's. */
  readonly mode: number;
  readonly oid: string;
}

/** A file that differs, with what it was and what it is. */
export interface FileVersions {
  readonly path: string;
  /** What a renamed file was called. */
  readonly from?: string;
  readonly before: Version | undefined;
  readonly after: Version | undefined;
}

export interface VersionsQuery {
  /** Against the commit before `to` without it. */
  readonly from?: string | undefined;
  /** A commit; the working tree without it, and then `from` has to be given. */
  readonly to?: string | undefined;
  readonly path?: string | undefined;
  /** Whether files that only got another name are told as that (the default). */
  readonly renames?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface PlannedRestore extends Restored {
  readonly diff: string;
  readonly truncated: boolean;
}

export interface Reverted {
  /** The commit that is taken back. */
  readonly reverted: string;
  /** Files in which it is merged with later changes. */
  readonly merged: readonly string[];
}

/**
 * The history of one workspace. Commits are named by their hash, by at least four of its first digits, by `HEAD`
 * or `HEAD~3`; an unknown or ambiguous name is a PaddockError.
 */
export interface History {
  /**
   * Runs `plan` while nobody else, in whatever process, changes the workspace; then does its steps and commits
   * them, all or nothing. What somebody changed outside in the files it touches is committed before.
   */
  change<T>(request: ChangeRequest, plan: () => Promise<Plan<T>> | Plan<T>): Promise<Changed<T>>;
  /** What such a change would come to, as the commit would show it, without making it. */
  preview<T>(
    request: ChangeRequest,
    plan: () => Promise<Plan<T>> | Plan<T>,
    limits: DiffLimits,
  ): Promise<Differences & { readonly value: T }>;
  /** Puts files back as they were at a commit, as a new commit; everything that differs goes or comes back. */
  restore(request: ChangeRequest, query: RestoreQuery): Promise<Changed<Restored>>;
  /** What `restore` would do, with its diff, without doing it. */
  planRestore(query: RestoreQuery & { readonly maxBytes?: number }): Promise<PlannedRestore>;
  /** Takes one commit back, as a new commit, and keeps what came after it. */
  revert(request: ChangeRequest, commit: string): Promise<Changed<Reverted>>;
  /** What `revert` would do, with its diff, without doing it. */
  previewRevert(
    request: ChangeRequest,
    commit: string,
    limits: DiffLimits,
  ): Promise<Differences & { readonly value: Reverted }>;
  log(query: LogQuery): Promise<LogPage>;
  show(
    commit: string,
    limits: { maxBytes: number; maxFiles: number; signal?: AbortSignal | undefined },
  ): Promise<CommitDetails>;
  diff(query: DiffQuery): Promise<Compared>;
  /** Which files differ, without their lines. */
  versions(query: VersionsQuery): Promise<readonly FileVersions[]>;
  /** The files that `restore` would change; `path` of each is what it is called now. */
  restoredVersions(query: RestoreQuery): Promise<readonly FileVersions[]>;
  /** The content of a version, from the history or from the disk; undefined when it is gone, or more than `most` bytes. */
  content(oid: string, options: { path?: string | undefined; most: number }): Promise<Uint8Array | undefined>;
  /** How many bytes a version has; undefined when it is not in the history. */
  size(oid: string): number | undefined;
  /** What a path of the working tree holds; undefined when it is no file and no link. */
  seen(path: string): Promise<Version | undefined>;
  /** The last commit; undefined when there is none yet. */
  head(): string | undefined;
  /** Completes what a process that died left half done. Cheap when there is nothing: call it before any look. */
  heal(): Promise<void>;
  /** Lets go of open files. It can be used again all the same. */
  close(): void;
}
