/**
 * What the console's API answers, for the server that answers it and for the page that asks. Nothing is imported here,
 * so that both can use it. Every field is always there: what is not known, or does not apply, is null.
 *
 * All of it lies below `/console/api/`, is JSON, and needs the cookie of a session: without it, 401.
 *
 *     GET  session                                        Session     whether the cookie is good, and until when
 *     GET  sources                                        Sources     roots and workspaces
 *     GET  changes  ?source&client&tool&path&since&until&text&undone&limit&cursor   ChangePage, newest first
 *     GET  change   ?source&id                            ChangeDetails
 *     GET  diff     ?source&id&n                          FileDiff    one file of a change, with a wider limit
 *     GET  file     ?source&path&limit&cursor             FileHistory
 *     GET  compare  ?source&from&to&path                  Comparison  two commits of a workspace
 *     GET  content  ?source&hash&path                     bytes of an image, as FileSide.image names them
 *     GET  facets                                         Facets      clients and tools there are, for filters
 *     GET  overview                                       Overview    who is connected, and figures
 *     GET  calls    ?limit&before                         CallPage    the last calls of the server behind it
 *     GET  events                                         text/event-stream, see Events
 *     GET  openapi.json                                   this as OpenAPI 3.1
 *     POST undo/preview     UndoRequest                   Preview
 *     POST undo             UndoRequest & { plan }        Done
 *     POST restore/preview  RestoreRequest                Preview
 *     POST restore          RestoreRequest & { plan }     Done
 *     POST session/end      {}                            Ended       the cookie is no good any more
 *
 * An answer that is not 200 holds a Failure. `source` may be given several times in `changes`. Times are ISO 8601 in
 * UTC; those that are given may have any zone.
 *
 * @module
 */

export type SourceKind = "root" | "workspace";

export interface Source {
  /** `root:NAME` or `workspace:ID`. */
  id: string;
  kind: SourceKind;
  name: string;
  /** The directory on this machine. */
  directory: string;
  /** `empty` when nothing is recorded yet, `unavailable` when its history cannot be read: then `note` says why. */
  state: "ok" | "empty" | "unavailable";
  note: string | null;
  /** How many changes are recorded; null where that is not counted. */
  changes: number | null;
  /** When the newest change was made. */
  newest: string | null;
  /** Whether its changes can be taken back from here: not where the server may only read. */
  can_undo: boolean;
  can_restore: boolean;
  /** Whether `compare` works on it. */
  can_compare: boolean;
}

export interface Sources {
  sources: Source[];
  /** Whether there are more workspaces than are listed. */
  truncated: boolean;
}

export interface ChangeName {
  source: string;
  id: string;
}

/** A change of a root, or a commit of a workspace. */
export interface Change extends ChangeName {
  time: string;
  /** As clients call it; `commit` for a commit that no tool has made, `person` for what other programs changed. */
  tool: string;
  client: string | null;
  session: string | null;
  /** Of a commit: `Name <mail>`. */
  author: string | null;
  /** One line. */
  summary: string;
  /** The first ten. */
  paths: string[];
  path_count: number;
  /** Whether it can be taken back; `why_not` says why it cannot. */
  undoable: boolean;
  why_not: string | null;
  /** The id of the change that has taken it back. */
  undone_by: string | null;
  /** The ids of the changes that it takes back. */
  undoes: string[];
  /** The other half of the same call, in another root; `source` is null when that is not shown here. */
  also: { source: string | null; root: string; id: string } | null;
}

export interface ChangePage {
  changes: Change[];
  /** For `cursor`, when there may be more. */
  next: string | null;
  /** Sources that could not be asked, and why. */
  unavailable: { source: string; note: string }[];
}

export type FileStatus = "created" | "changed" | "removed" | "moved";

/** What a path was before or after. */
export interface FileSide {
  kind: "absent" | "file" | "folder" | "tree" | "link" | "other";
  size: number | null;
  /** The permission bits, as `0644`. */
  mode: string | null;
  hash: string | null;
  /** Of a link. */
  target: string | null;
  /** Where its bytes are to be had, when it is an image that a browser shows. */
  image: string | null;
}

export interface FileDiff {
  /** Its number among the files of the change. */
  n: number;
  path: string;
  status: FileStatus;
  /** Where it was moved to. */
  to: string | null;
  before: FileSide;
  after: FileSide;
  /** Whether its content is not text. */
  binary: boolean;
  /** A unified diff without the two lines of names, beginning with `@@`; empty when no line differs; null when there is none. */
  diff: string | null;
  /** Why there is no diff: `binary`, `too large`, `not kept`, `folder`, `moved`, `link`, `limit`. */
  no_diff: string | null;
  /** Whether the diff was cut; `GET diff` has more of it. */
  truncated: boolean;
  /** Lines that were added and removed, as far as the diff tells. */
  added: number;
  removed: number;
}

export interface ChangeDetails {
  change: Change;
  files: FileDiff[];
  /** How many there are, also when not all are listed. */
  file_count: number;
  /** Whether files, or parts of diffs, were left out. */
  truncated: boolean;
}

export interface FileVersion {
  change: Change;
  status: FileStatus;
  /** What the file was called then. */
  path: string;
  to: string | null;
  before: FileSide;
  after: FileSide;
  /** What to give to `restore` as `at` for the file as this change left it; null where that cannot be. */
  restore_at: string | null;
}

export interface FileHistory {
  source: string;
  path: string;
  /** What is there now. */
  now: FileSide;
  /** Newest first; moves are followed. */
  versions: FileVersion[];
  next: string | null;
}

export interface Comparison {
  source: string;
  from: string;
  /** Null for the files as they are now. */
  to: string | null;
  files: FileDiff[];
  file_count: number;
  truncated: boolean;
}

export interface Facets {
  clients: { name: string; changes: number; newest: string }[];
  tools: { name: string; changes: number }[];
}

export interface UndoRequest {
  source: string;
  /** One or more changes of that source; of a workspace, one commit. */
  ids: string[];
}

export interface RestoreRequest {
  source: string;
  /** `.` for everything. */
  path: string;
  /** The id of a change or commit, meaning right after it; or, in a root, a time with a zone. */
  at: string;
}

/** What would be done. */
export interface Preview {
  source: string;
  kind: "undo" | "restore";
  /** Has to be sent along to do it: what was previewed is what happens, or nothing (409, `PLAN_STALE`). */
  plan: string;
  files: FileDiff[];
  file_count: number;
  truncated: boolean;
  /** Paths that were changed since, and would be merged. */
  merged: string[];
  /** Paths that are left alone, and why. */
  skipped: { path: string; reason: string }[];
  /** How many paths are left alone because what they were is not known. */
  unknown: number;
  /** Other halves of what would be undone, in other roots, which stay as they are. */
  also: { source: string | null; root: string; id: string }[];
  /** Whether there is nothing to do. */
  nothing: boolean;
}

export interface Done {
  source: string;
  kind: "undo" | "restore";
  /** The change that this is recorded as; null when nothing had to be done. */
  change: string | null;
  /** The changes that are taken back. */
  undone: string[];
  files: { path: string; status: FileStatus; to: string | null }[];
  file_count: number;
  merged: string[];
  also: { source: string | null; root: string; id: string }[];
}

export interface Session {
  /** Another number means another process: what was loaded from it may be out of date. */
  instance: string;
  expires: string;
  version: string;
  /** Whether a server is behind it, whose calls can be seen. */
  live: boolean;
}

export interface Ended {
  ended: boolean;
}

/** A call of a client. Names and paths only, never contents. */
export interface Call {
  /** Counts up. */
  id: number;
  time: string;
  /** As in Connection. */
  session: string | null;
  client: string | null;
  tool: string;
  source: string | null;
  paths: string[];
  /** `refused` when the fence or an allowlist did. */
  outcome: "success" | "error" | "cancelled" | "refused";
  /** Of an error. */
  code: string | null;
  duration_ms: number;
}

export interface CallPage {
  /** Newest first. */
  calls: Call[];
  /** For `before`, when there are more. */
  next: number | null;
}

/** Somebody who is connected. */
export interface Connection {
  session: string;
  client: string | null;
  version: string | null;
  transport: string;
  since: string;
  last_call: string | null;
  calls: number;
  errors: number;
  refusals: number;
}

export interface Figures {
  calls: number;
  errors: number;
  refusals: number;
  /** The last sixty minutes, oldest first; the last one is under way. */
  minutes: { start: string; calls: number; errors: number; refusals: number }[];
}

export interface Overview {
  /** Null when no server is behind it: then there are no connections and figures either. */
  server: { version: string; surface: string; started: string } | null;
  connections: Connection[];
  figures: Figures | null;
  /** Who changed something lately, by what is recorded, newest first. */
  recent: { client: string | null; changes: number; newest: string; sources: string[] }[];
}

/** Why something does not fit any more. */
export interface Conflict {
  path: string;
  /** The lines that stand in the way, counted from 1. */
  lines: { first: number; last: number } | null;
  /** The change that has come since; null when it was another program. */
  later: { id: string; tool: string; client: string | null } | null;
}

export type FailureCode =
  | "UNAUTHENTICATED"
  | "FORBIDDEN"
  | "INVALID_INPUT"
  | "NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "CONFLICT"
  | "PLAN_STALE"
  | "TOO_LARGE"
  | "UNSUPPORTED"
  | "UNAVAILABLE"
  | "TOO_MANY"
  | "TIMEOUT"
  | "INTERNAL";

export interface Failure {
  error: {
    code: FailureCode;
    /** For a person: what happened and what to do. Nothing was changed. */
    message: string;
    conflict: Conflict | null;
  };
}

/** The events of `GET events`, by name. `data` is JSON. */
export interface Events {
  /** The first one. What happens from now on is told; what was asked for before may be out of date. */
  hello: { instance: string; live: boolean };
  /** A change that is new, or is otherwise than it was told before: undone, say. */
  change: Change;
  /** What is recorded of these sources is to be asked for anew: too much happened at once, or it was pruned. */
  reload: { sources: string[] };
  /** All of them, when one has come, gone, or changed its state. */
  sources: Sources;
  call: Call;
  /** When they have changed, every two seconds at most. */
  overview: Pick<Overview, "connections" | "figures">;
  /** No more will come: the session has ended, or the server stops. */
  bye: { reason: "session" | "stopping" | "replaced" };
}
