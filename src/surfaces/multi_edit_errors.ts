/**
 * The errors of multi_edit_text_file: JSON-RPC errors with codes and messages of their own, on every surface that
 * has the tool. `data` holds what helps: the program's own code and wording, and what is known about the file or the
 * edit.
 */
import type { ErrorCode, PaddockError } from "../base/errors.ts";
import { shown } from "../base/shown.ts";
import { StringEditError } from "../text/string_edit_error.ts";
import type { RpcError } from "../tools/tool.ts";

/** The server may assign the codes from -32000 to -32019. */
const RPC_CODES: Record<ErrorCode, number> = {
  NOT_FOUND: -32001,
  PERMISSION_DENIED: -32002,
  OUT_OF_BOUNDS: -32002,
  NOT_ALLOWED: -32002,
  UNSUPPORTED: -32004,
  TOO_LARGE: -32005,
  TIMEOUT: -32006,
  CONFLICT: -32013,
  ALREADY_EXISTS: -32013,
  INVALID_INPUT: -32602,
  INTERNAL: -32603,
};

/** The fixed messages, by code; the path as the client gave it follows. */
const ABOUT_PATH: Record<number, string> = {
  [-32001]: "File not found",
  [-32002]: "Permission denied",
  [-32004]: "Cannot edit binary file",
};

export function multiEditError(error: PaddockError, given: unknown): RpcError {
  const { message, data } = error;
  if (error instanceof StringEditError) return { code: error.rpcCode, message, data: { ...data } };
  // If another argument is wrong, the path is not.
  const code = RPC_CODES[data?.argument === undefined ? error.code : "INVALID_INPUT"];
  const about = ABOUT_PATH[code];
  if (about === undefined) return { code, message, data: { code: error.code, ...data } };
  return {
    code,
    message: `${about}: ${shown(pathOf(given))}`,
    data: { code: error.code, reason: message, ...data },
  };
}

export function pathMustBeAbsolute(path: string): StringEditError {
  return new StringEditError(-32600, `Path must be absolute: ${shown(path)}`);
}

function pathOf(given: unknown): string {
  const path = (given as { path?: unknown } | null | undefined)?.path;
  return typeof path === "string" ? path : "";
}
