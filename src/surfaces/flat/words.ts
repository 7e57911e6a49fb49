/** The wording that the flat surface's errors must have, for errors of the engine. */
import { PaddockError } from "../../base/errors.ts";
import { systemCode } from "../../engine/transient.ts";

export function notFound(name: string, cause?: unknown): PaddockError {
  return new PaddockError("NOT_FOUND", `File '${name}' not found`, { cause });
}

export function notText(): PaddockError {
  return new PaddockError("UNSUPPORTED", "File contains invalid UTF-8 encoding");
}

export function tooLarge(size: number, limit: number): PaddockError {
  const megabytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024 * 100) / 100; // never rounded down to the limit
  return new PaddockError(
    "TOO_LARGE",
    `File size ${megabytes(size)}MB exceeds maximum limit ${megabytes(limit)}MB`,
    { data: { size, limit } },
  );
}

/** Words an error about a file. `writing` says whether all checks had been passed by then. */
export function aboutFile(error: unknown, name: string, writing: boolean): unknown {
  const system = systemCode(error);
  if (!(error instanceof PaddockError)) return system === undefined ? error : failed(system, error, writing);
  switch (error.code) {
    case "NOT_FOUND":
      return notFound(name, error);
    case "PERMISSION_DENIED":
    case "OUT_OF_BOUNDS":
    case "NOT_ALLOWED":
      return new PaddockError(error.code, `Permission denied accessing '${name}'`, {
        cause: error,
        ...(error.audit === undefined ? {} : { audit: error.audit }),
      });
    case "INTERNAL":
      return failed(error.message, error, writing);
    case "CONFLICT":
      return system === undefined ? error : failed(system, error, writing);
    default:
      return error;
  }
}

function failed(why: string, cause: unknown, writing: boolean): PaddockError {
  const what = writing ? "Failed to write file" : "Filesystem error";
  return new PaddockError("INTERNAL", `${what}: ${why}`, { cause });
}

/** Errors that keep the folder from being listed at all. */
const UNREACHABLE = new Set(["NOT_FOUND", "PERMISSION_DENIED", "OUT_OF_BOUNDS", "INVALID_INPUT"]);

/** Words an error about a listing. */
export function aboutListing(error: unknown): unknown {
  if (error instanceof PaddockError && UNREACHABLE.has(error.code)) {
    return new PaddockError("PERMISSION_DENIED", "Cannot access working directory", { cause: error });
  }
  const system = systemCode(error);
  if (system === undefined) return error;
  return new PaddockError("INTERNAL", `Filesystem error during directory listing: ${system}`, {
    cause: error,
  });
}
