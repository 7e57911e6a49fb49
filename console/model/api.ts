/** Requests to the server. Refusals, and requests that do not reach it, are thrown as an ApiError. */
import type {
  CallPage,
  ChangeDetails,
  ChangePage,
  Conflict,
  Done,
  Facets,
  Failure,
  FailureCode,
  FileDiff,
  FileHistory,
  Overview,
  Preview,
  RestoreRequest,
  Session,
  Sources,
  UndoRequest,
} from "../../src/console/api_types.ts";

export const API = "/console/api/";

/** `OFFLINE` if the console's server did not answer at all. */
export type ErrorCode = FailureCode | "OFFLINE";

export class ApiError extends Error {
  override name = "ApiError";

  constructor(readonly code: ErrorCode, message: string, readonly conflict: Conflict | null = null) {
    super(message);
  }
}

interface Answers {
  session: Session;
  sources: Sources;
  changes: ChangePage;
  change: ChangeDetails;
  diff: FileDiff;
  file: FileHistory;
  facets: Facets;
  overview: Overview;
  calls: CallPage;
}

interface Acts {
  "undo/preview": [UndoRequest, Preview];
  undo: [UndoRequest & { plan: string }, Done];
  "restore/preview": [RestoreRequest, Preview];
  restore: [RestoreRequest & { plan: string }, Done];
}

export type Query = Readonly<Record<string, string | number | readonly string[] | null>>;

export function get<N extends keyof Answers>(
  name: N,
  { query = {}, signal }: { query?: Query; signal?: AbortSignal } = {},
): Promise<Answers[N]> {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== "") search.append(key, String(one));
    }
  }
  const text = search.toString();
  return ask(name + (text === "" ? "" : `?${text}`), signal === undefined ? {} : { signal });
}

export function post<N extends keyof Acts>(name: N, body: Acts[N][0]): Promise<Acts[N][1]> {
  return ask(name, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(API + path, { credentials: "same-origin", cache: "no-store", ...init });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError("OFFLINE", "The console's server does not answer.");
  }
  let answer: unknown;
  try {
    answer = await response.json();
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError("OFFLINE", `The console's server ended the answer early (HTTP ${response.status}).`);
  }
  if (response.ok) return answer as T;
  const { error } = answer as Partial<Failure>;
  if (error === undefined) {
    throw new ApiError("INTERNAL", `The server answered with HTTP ${response.status}.`);
  }
  throw new ApiError(error.code, error.message, error.conflict);
}

/** As an ApiError; undefined for a request that was cancelled. */
export function failureOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof DOMException && error.name === "AbortError") return undefined;
  return new ApiError(
    "INTERNAL",
    `The page failed: ${error instanceof Error ? error.message : String(error)}`,
  );
}
