/**
 * Reads a small file as a whole, or says why not. The file may be a pipe, so its size is not queried
 * beforehand.
 */
import { mayRead } from "./permissions.ts";
import type { Checked } from "./values.ts";

/** The reason is a predicate of the file: "does not exist". */
export function readSmallFile(path: string, limit: number): Checked<string> {
  if (!mayRead(path)) return { reason: lacksPermission(path) };
  try {
    const bytes = readUpTo(path, limit + 1);
    if (bytes.length > limit) return { reason: `is larger than ${limit} bytes` };
    return { value: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch (error) {
    // TextDecoder throws this for bytes that are not UTF-8.
    if (error instanceof TypeError && !isNulPath(path)) return { reason: "is not UTF-8 text" };
    if (isDirectory(path)) return { reason: "is a directory" }; // Windows says that access is denied
    return { reason: whyUnusable(error) };
  }
}

function readUpTo(path: string, limit: number): Uint8Array {
  using file = Deno.openSync(path, { read: true });
  const buffer = new Uint8Array(limit);
  let length = 0;
  while (length < limit) {
    const count = file.readSync(buffer.subarray(length));
    if (count === null || count === 0) break;
    length += count;
  }
  return buffer.subarray(0, length);
}

/** Why a path could not be used, as a predicate, without the path. */
export function whyUnusable(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "does not exist";
  if (error instanceof Deno.errors.NotADirectory) return "does not exist (a part of the path is a file)";
  if (error instanceof Deno.errors.IsADirectory) return "is a directory";
  if (error instanceof Deno.errors.PermissionDenied) return "cannot be read: permission denied";
  if (error instanceof Deno.errors.NotCapable) {
    return "cannot be read: it belongs to the system, not to a disk";
  }
  if (error instanceof Deno.errors.FilesystemLoop) return "is a symbolic link that leads back to itself";
  if (error instanceof Error) return `cannot be read: ${error.message.replace(/: \w+ '.*$/s, "")}`;
  throw error;
}

export function lacksPermission(path: string): string {
  return `cannot be read: the process was started without --allow-read=${path}`;
}

function isDirectory(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return false;
  }
}

function isNulPath(path: string): boolean {
  return path.includes("\0");
}
