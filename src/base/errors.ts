/**
 * The program's one error class. Tools and engine throw it; the registry catches it and each surface renders
 * it in its own form. `code` is stable and part of the contract. `message` is for people and models; names in
 * it are escaped, so they cannot do anything but be displayed (see shown.ts).
 */

import { shown, type ShownOptions } from "./shown.ts";

export const ERROR_CODES = [
  "INVALID_INPUT",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "PERMISSION_DENIED",
  "OUT_OF_BOUNDS",
  "NOT_ALLOWED",
  "TOO_LARGE",
  "CONFLICT",
  "TIMEOUT",
  "UNSUPPORTED",
  "INTERNAL",
] as const;

export type ErrorCode = typeof ERROR_CODES[number];

export interface PaddockErrorOptions extends ShownOptions {
  /** Facts a client may see. */
  data?: Record<string, unknown>;
  /** Facts for the operator's log only: host paths belong here, never in `message` or `data`. */
  audit?: Record<string, unknown>;
  /** The message for the log, where the client's message quotes a file or an argument. */
  forLog?: string;
  cause?: unknown;
}

export class PaddockError extends Error {
  readonly code: ErrorCode;
  readonly data: Record<string, unknown> | undefined;
  readonly audit: Record<string, unknown> | undefined;
  readonly forLog: string;

  constructor(code: ErrorCode, message: string, options: PaddockErrorOptions = {}) {
    super(shown(message, options), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "PaddockError";
    this.code = code;
    this.data = options.data;
    this.audit = options.audit;
    this.forLog = options.forLog ?? message;
  }
}

/**
 * The call was not started: its directory was replaced, and tools that can use the new one are on their way.
 */
export class ReopeningError extends PaddockError {
  constructor() {
    super(
      "CONFLICT",
      "a served directory was replaced by another one and is being reopened; try again in a moment",
    );
  }
}

/** A mistake of the person who starts the program: its arguments, environment or config file. */
export class UsageError extends Error {
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(mistakes.join("\n"));
    this.name = "UsageError";
    this.mistakes = mistakes;
  }
}

/** A signal's reason as a PaddockError: a timeout stays one, anything else is a cancellation. */
export function abortReason(signal: AbortSignal): PaddockError {
  return signal.reason instanceof PaddockError
    ? signal.reason
    : new PaddockError("TIMEOUT", "the call was cancelled", { cause: signal.reason });
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortReason(signal);
}
