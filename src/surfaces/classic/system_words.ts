/** The system's errors in the official server's words, which are Node's: agents have learned to read them. */
import { type ErrorCode, PaddockError } from "../../base/errors.ts";
import { systemCode } from "../../engine/transient.ts";

const WORDS = {
  EACCES: "permission denied",
  EBUSY: "resource busy or locked",
  EEXIST: "file already exists",
  EISDIR: "illegal operation on a directory",
  ELOOP: "too many symbolic links encountered",
  EMFILE: "too many open files",
  ENAMETOOLONG: "name too long",
  ENOENT: "no such file or directory",
  ENOSPC: "no space left on device",
  ENOTDIR: "not a directory",
  EPERM: "operation not permitted",
  EROFS: "read-only file system",
  EXDEV: "cross-device link not permitted",
} as const;

type SystemCode = keyof typeof WORDS;

const CODES: Partial<Record<SystemCode, ErrorCode>> = {
  EACCES: "PERMISSION_DENIED",
  EEXIST: "ALREADY_EXISTS",
  ENOENT: "NOT_FOUND",
};

/** What was tried: the system call, and on what. */
export interface Tried {
  readonly call: string;
  readonly path?: string;
  readonly to?: string;
}

export function systemError(code: SystemCode, { call, path, to }: Tried, cause?: unknown): PaddockError {
  const where = path === undefined ? "" : ` '${path}'${to === undefined ? "" : ` -> '${to}'`}`;
  const message = `${code}: ${WORDS[code]}, ${call}${where}`;
  const known = cause instanceof PaddockError ? cause : undefined;
  return new PaddockError(known?.code ?? CODES[code] ?? "INVALID_INPUT", message, {
    cause,
    forLog: known?.forLog ?? message,
    ...(known?.audit === undefined ? {} : { audit: known.audit }),
  });
}

/** Rewords an error of the system as the official server would; any other is thrown as it is. */
export async function inSystemWords<T>(tried: Tried, run: () => Promise<T> | T): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw inWords(error, tried);
  }
}

export function inWords(error: unknown, tried: Tried): unknown {
  if (!(error instanceof PaddockError)) return error;
  const code = systemCode(error) ?? (error.code === "NOT_FOUND" ? "ENOENT" : undefined);
  return code !== undefined && isKnown(code) ? systemError(code, tried, error) : error;
}

function isKnown(code: string): code is SystemCode {
  return Object.hasOwn(WORDS, code);
}
