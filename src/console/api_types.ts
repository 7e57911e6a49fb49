/**
 * The types of the console's API, shared by the server that answers and the page that asks. It imports nothing, so
 * that both can use it. Every field is always present: what is unknown, or does not apply, is null.
 *
 * All of it lies below `/console/api/`, is JSON, and needs the cookie of a session: without it, 401.
 *
 *     GET  session                                        Session     whether the cookie is valid, and until when
 *     GET  sources                                        Sources     roots and workspaces
 *     GET  changes  ?source&client&tool&path&since&until&text&undone&limit&cursor   ChangePage, newest first
 *     GET  change   ?source&id                            ChangeDetails
 *     GET  diff     ?source&id&n                          FileDiff    one file of a change, with a higher limit
 *     GET  file     ?source&path&limit&cursor             FileHistory
 *     GET  compare  ?source&from&to&path                  Comparison  two commits of a workspace
 *     GET  content  ?source&hash&path                     bytes of an image, at the address in FileSide.image
 *     GET  facets                                         Facets      all clients and tools, for filters
 *     GET  overview                                       Overview    who is connected, and figures
 *     GET  calls    ?limit&before                         CallPage    the last calls of the server behind it
 *     GET  events                                         text/event-stream, see Events
 *     GET  openapi.json                                   this as OpenAPI 3.1
 *     POST undo/preview     UndoRequest                   Preview
 *     POST undo             UndoRequest & { plan }        Done
 *     POST restore/preview  RestoreRequest                Preview
 *     POST restore          RestoreRequest & { plan }     Done
 *     POST session/end      {}                            Ended       the cookie is no longer valid
 *
 * An answer other than 200 holds a Failure. `source` may be given several times in `changes`. Times in answers are
 * ISO 8601 in UTC; times in requests may have any zone.
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
  /** `empty` if nothing is recorded yet, `unavailable` if its history cannot be read; then `note` says why. */
  state: "ok" | "empty" | "unavailable";
  note: string | null;
  /** How many changes are recorded; null where they are not counted. */
  changes: number | null;
  /** When the newest change was made. */
  newest: string | null;
  /** Whether its changes can be undone from here; false where the server may only read. */
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
  /** As clients call it; `commit` for a commit that no tool made, `person` for what other programs changed. */
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
  /** Whether it can be undone; if not, `why_not` says why. */
  undoable: boolean;
  why_not: string | null;
  /** The id of the change that undid it. */
  undone_by: string | null;
  /** The ids of the changes that it undoes. */
  undoes: string[];
  /** The other half of the same call, in another root; `source` is null if that root is not shown here. */
  also: { source: string | null; root: string; id: string } | null;
}

export interface ChangePage {
  changes: Change[];
  /** For `cursor`, if there may be more. */
  next: string | null;
  /** Sources that could not be queried, and why. */
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
  /** The address of its bytes, if it is an image that browsers can show. */
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
  /**
   * A unified diff without the two lines of names, beginning with `@@`; empty if no line differs; null if there is
   * none.
   */
  diff: string | null;
  /** Why there is no diff: `binary`, `too large`, `not kept`, `folder`, `moved`, `link`, `limit`. */
  no_diff: string | null;
  /** Whether the diff was cut; `GET diff` has more of it. */
  truncated: boolean;
  /** Lines added and removed, as far as the diff shows. */
  added: number;
  removed: number;
}

export interface ChangeDetails {
  change: Change;
  files: FileDiff[];
  /** How many there are, including those that are not listed. */
  file_count: number;
  /** Whether files, or parts of diffs, are left out. */
  truncated: boolean;
}

export interface FileVersion {
  change: Change;
  status: FileStatus;
  /** The name of the file at that time. */
  path: string;
  to: string | null;
  before: FileSide;
  after: FileSide;
  /** What to pass to `restore` as `at` to get the file as this change left it; null where that is impossible. */
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
  /** One or more changes of that source; in a workspace, one commit. */
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
  /**
   * Must be sent along with the request to do it: exactly what was previewed happens, or nothing (409, `PLAN_STALE`).
   */
  plan: string;
  files: FileDiff[];
  file_count: number;
  truncated: boolean;
  /** Paths that were changed since and would be merged. */
  merged: string[];
  /** Paths that are left alone, and why. */
  skipped: { path: string; reason: string }[];
  /** How many paths are left alone because their earlier state is unknown. */
  unknown: number;
  /** Other halves of what would be undone, in other roots; they stay as they are. */
  also: { source: string | null; root: string; id: string }[];
  /** Whether there is nothing to do. */
  nothing: boolean;
}

export interface Done {
  source: string;
  kind: "undo" | "restore";
  /** The change that records this; null if nothing had to be done. */
  change: string | null;
  /** The changes that are undone. */
  undone: string[];
  files: { path: string; status: FileStatus; to: string | null }[];
  file_count: number;
  merged: string[];
  also: { source: string | null; root: string; id: string }[];
}

export interface Session {
  /** A different value means a different process: what was loaded from the old one may be out of date. */
  instance: string;
  expires: string;
  version: string;
  /** Whether a server is behind it whose calls can be shown. */
  live: boolean;
}

export interface Ended {
  ended: boolean;
}

/** A call by a client. Names and paths only, never contents. */
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
  /** `refused` if the fence or an allowlist refused it. */
  outcome: "success" | "error" | "cancelled" | "refused";
  /** Of an error. */
  code: string | null;
  duration_ms: number;
}

export interface CallPage {
  /** Newest first. */
  calls: Call[];
  /** For `before`, if there are more. */
  next: number | null;
}

/** A connected client. */
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
  /** The last sixty minutes, oldest first; the last one is still running. */
  minutes: { start: string; calls: number; errors: number; refusals: number }[];
}

export interface Overview {
  /** Null if no server is behind it; then there are no connections and figures either. */
  server: { version: string; surface: string; started: string } | null;
  connections: Connection[];
  figures: Figures | null;
  /** Who recently changed something according to the records, newest first. */
  recent: { client: string | null; changes: number; newest: string; sources: string[] }[];
}

/** Why something no longer applies. */
export interface Conflict {
  path: string;
  /** The lines in conflict, counted from 1. */
  lines: { first: number; last: number } | null;
  /** The change that came later; null if another program made it. */
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
  /** The first one. Everything that happens from now on is sent; what was fetched before may be out of date. */
  hello: { instance: string; live: boolean };
  /** A change that is new, or that has changed since it was last sent: undone, for instance. */
  change: Change;
  /** The records of these sources have to be fetched again: too much happened at once, or they were pruned. */
  reload: { sources: string[] };
  /** All of them, when one appears, disappears or changes its state. */
  sources: Sources;
  call: Call;
  /** When they have changed, at most every two seconds. */
  overview: Pick<Overview, "connections" | "figures">;
  /** Nothing more will come: the session has ended, or the server is stopping. */
  bye: { reason: "session" | "stopping" | "replaced" };
}
