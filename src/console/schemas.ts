/**
 * The shapes of api_types.ts as schemas: requests are checked against them, and openapi.ts describes the API with
 * them.
 */
import { z } from "zod";

const time = z.iso.datetime().describe("ISO 8601, UTC");
const count = z.int().min(0);
const nullable = <T extends z.ZodType>(type: T) => z.union([type, z.null()]);

const MOST_TEXT = 4_096;
const MOST_IDS = 100;

export const sourceName = z.string().min(1).max(MOST_TEXT).describe(
  "As `sources` names it: `root:NAME` or `workspace:ID`.",
);
const changeId = z.string().min(4).max(64);
const path = z.string().max(MOST_TEXT).describe("Relative to the source, with `/` between names.");
const when = z.string().max(64).describe("A time with a zone, such as 2026-01-31T12:00:00Z.");
const limit = (most: number, usual: number) => z.coerce.number().int().min(1).max(most).default(usual);
const cursor = z.string().max(1_024).describe("`next` of the page before.");

const source = z.object({
  id: z.string(),
  kind: z.enum(["root", "workspace"]),
  name: z.string(),
  directory: z.string(),
  state: z.enum(["ok", "empty", "unavailable"]),
  note: nullable(z.string()),
  changes: nullable(count),
  newest: nullable(time),
  can_undo: z.boolean(),
  can_restore: z.boolean(),
  can_compare: z.boolean(),
});

const otherHalf = z.object({ source: nullable(z.string()), root: z.string(), id: z.string() });

const change = z.object({
  source: z.string(),
  id: z.string(),
  time,
  tool: z.string(),
  client: nullable(z.string()),
  session: nullable(z.string()),
  author: nullable(z.string()),
  summary: z.string(),
  paths: z.array(z.string()),
  path_count: count,
  undoable: z.boolean(),
  why_not: nullable(z.string()),
  undone_by: nullable(z.string()),
  undoes: z.array(z.string()),
  also: nullable(otherHalf),
});

const status = z.enum(["created", "changed", "removed", "moved"]);

const side = z.object({
  kind: z.enum(["absent", "file", "folder", "tree", "link", "other"]),
  size: nullable(count),
  mode: nullable(z.string()),
  hash: nullable(z.string()),
  target: nullable(z.string()),
  image: nullable(z.string()),
});

const fileDiff = z.object({
  n: count,
  path: z.string(),
  status,
  to: nullable(z.string()),
  before: side,
  after: side,
  binary: z.boolean(),
  diff: nullable(z.string()),
  no_diff: nullable(z.string()),
  truncated: z.boolean(),
  added: count,
  removed: count,
});

const files = { files: z.array(fileDiff), file_count: count, truncated: z.boolean() };

const call = z.object({
  id: count,
  time,
  session: nullable(z.string()),
  client: nullable(z.string()),
  tool: z.string(),
  source: nullable(z.string()),
  paths: z.array(z.string()),
  outcome: z.enum(["success", "error", "cancelled", "refused"]),
  code: nullable(z.string()),
  duration_ms: z.number(),
});

const connection = z.object({
  session: z.string(),
  client: nullable(z.string()),
  version: nullable(z.string()),
  transport: z.string(),
  since: time,
  last_call: nullable(time),
  calls: count,
  errors: count,
  refusals: count,
});

const numbers = { calls: count, errors: count, refusals: count };
const figures = z.object({ ...numbers, minutes: z.array(z.object({ start: time, ...numbers })) });
const kind = z.enum(["undo", "restore"]);
const sources = z.object({ sources: z.array(source), truncated: z.boolean() });

const code = z.enum([
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "INVALID_INPUT",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "CONFLICT",
  "PLAN_STALE",
  "TOO_LARGE",
  "UNSUPPORTED",
  "UNAVAILABLE",
  "TOO_MANY",
  "TIMEOUT",
  "INTERNAL",
]);

/** The answers, by their names in api_types.ts. */
export const ANSWERS = {
  Sources: sources,
  Change: change,
  ChangePage: z.object({
    changes: z.array(change),
    next: nullable(z.string()),
    unavailable: z.array(z.object({ source: z.string(), note: z.string() })),
  }),
  ChangeDetails: z.object({ change, ...files }),
  FileDiff: fileDiff,
  FileHistory: z.object({
    source: z.string(),
    path: z.string(),
    now: side,
    versions: z.array(z.object({
      change,
      status,
      path: z.string(),
      to: nullable(z.string()),
      before: side,
      after: side,
      restore_at: nullable(z.string()),
    })),
    next: nullable(z.string()),
  }),
  Comparison: z.object({ source: z.string(), from: z.string(), to: nullable(z.string()), ...files }),
  Facets: z.object({
    clients: z.array(z.object({ name: z.string(), changes: count, newest: time })),
    tools: z.array(z.object({ name: z.string(), changes: count })),
  }),
  Preview: z.object({
    source: z.string(),
    kind,
    plan: z.string(),
    ...files,
    merged: z.array(z.string()),
    skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
    unknown: count,
    also: z.array(otherHalf),
    nothing: z.boolean(),
  }),
  Done: z.object({
    source: z.string(),
    kind,
    change: nullable(z.string()),
    undone: z.array(z.string()),
    files: z.array(z.object({ path: z.string(), status, to: nullable(z.string()) })),
    file_count: count,
    merged: z.array(z.string()),
    also: z.array(otherHalf),
  }),
  Session: z.object({ instance: z.string(), expires: time, version: z.string(), live: z.boolean() }),
  Ended: z.object({ ended: z.boolean() }),
  Call: call,
  CallPage: z.object({ calls: z.array(call), next: nullable(count) }),
  Overview: z.object({
    server: nullable(z.object({ version: z.string(), surface: z.string(), started: time })),
    connections: z.array(connection),
    figures: nullable(figures),
    recent: z.array(z.object({
      client: nullable(z.string()),
      changes: count,
      newest: time,
      sources: z.array(z.string()),
    })),
  }),
  Failure: z.object({
    error: z.object({
      code,
      message: z.string(),
      conflict: nullable(z.object({
        path: z.string(),
        lines: nullable(z.object({ first: count, last: count })),
        later: nullable(z.object({ id: z.string(), tool: z.string(), client: nullable(z.string()) })),
      })),
    }),
  }),
} as const;

/** The data of the events, by their names. */
export const EVENTS = {
  hello: z.object({ instance: z.string(), live: z.boolean() }),
  change,
  reload: z.object({ sources: z.array(z.string()) }),
  sources,
  call,
  overview: z.object({ connections: z.array(connection), figures: nullable(figures) }),
  bye: z.object({ reason: z.enum(["session", "stopping", "replaced"]) }),
} as const;

const undo = { source: sourceName, ids: z.array(changeId).min(1).max(MOST_IDS) };
const restore = { source: sourceName, path, at: z.string().min(1).max(64) };
const plan = z.string().min(1).max(128).describe("`plan` of the preview.");

/** The requests: the parameters of a GET, the body of a POST. */
export const REQUESTS = {
  nothing: z.strictObject({}),
  changes: z.strictObject({
    source: z.array(sourceName).max(100).describe(
      "Only changes of these sources; may be given several times.",
    ).optional(),
    client: z.string().max(MOST_TEXT).optional(),
    tool: z.string().max(256).optional(),
    path: path.describe("Only what touches this path or what lies below it.").optional(),
    since: when.optional(),
    until: when.optional(),
    text: z.string().max(256).describe(
      "Only those whose summary, client, tool or paths contain this text, in upper or lower case.",
    ).optional(),
    undone: z.enum(["yes", "no"]).describe("Only those that are undone, or that are not.").optional(),
    limit: limit(200, 50),
    cursor: cursor.optional(),
  }),
  change: z.strictObject({ source: sourceName, id: changeId }),
  diff: z.strictObject({
    source: sourceName,
    id: changeId,
    n: z.coerce.number().int().min(0).max(1_000_000),
  }),
  file: z.strictObject({ source: sourceName, path, limit: limit(100, 30), cursor: cursor.optional() }),
  compare: z.strictObject({
    source: sourceName,
    from: z.string().min(1).max(64),
    to: z.string().min(1).max(64).optional(),
    path: path.optional(),
  }),
  content: z.strictObject({
    source: sourceName,
    hash: z.string().regex(/^[0-9a-f]{40,64}$/),
    path: path.optional(),
  }),
  calls: z.strictObject({ limit: limit(500, 100), before: z.coerce.number().int().min(0).optional() }),
  undoPreview: z.strictObject(undo),
  undo: z.strictObject({ ...undo, plan }),
  restorePreview: z.strictObject(restore),
  restore: z.strictObject({ ...restore, plan }),
} as const;
