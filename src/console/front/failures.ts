/** Errors behind the API, as answers. */
import { type ErrorCode, PaddockError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { Conflict, FailureCode } from "../api_types.ts";
import { failure } from "./answers.ts";

const CODES: Record<ErrorCode, FailureCode> = {
  INVALID_INPUT: "INVALID_INPUT",
  NOT_FOUND: "NOT_FOUND",
  ALREADY_EXISTS: "CONFLICT",
  PERMISSION_DENIED: "FORBIDDEN",
  OUT_OF_BOUNDS: "FORBIDDEN",
  NOT_ALLOWED: "FORBIDDEN",
  TOO_LARGE: "TOO_LARGE",
  CONFLICT: "CONFLICT",
  TIMEOUT: "TIMEOUT",
  UNSUPPORTED: "UNSUPPORTED",
  INTERNAL: "INTERNAL",
};

export function failureOf(error: unknown, log: Logger): Response {
  if (!(error instanceof PaddockError) || error.code === "INTERNAL") {
    const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
    log.error("console_error", { error: message, stack });
    return failure("INTERNAL", "something went wrong here; the log says more");
  }
  const { code, message, data } = error;
  if (data?.plan === "stale") {
    return failure(
      "PLAN_STALE",
      "something has changed since the preview, so this would now do something else; nothing was changed: " +
        "look at a new preview",
    );
  }
  if (data?.unavailable === true) return failure("UNAVAILABLE", message);
  return failure(CODES[code], message, { conflict: conflictIn(data) });
}

function conflictIn(data: Record<string, unknown> | undefined): Conflict | null {
  return data?.conflict === undefined ? null : data.conflict as Conflict;
}
