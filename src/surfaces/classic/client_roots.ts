/**
 * The folders that a client says it works in (MCP's roots): they narrow what the operator gave, and never widen it.
 * Nothing outside the directories is read; a folder around one of them is recognised by its name.
 */
import { PaddockError } from "../../base/errors.ts";
import { type ConfinedPath, contains, isAbsolutePath, lexicalPath } from "../../engine/fence.ts";
import { statEntry } from "../../engine/metadata.ts";

export interface Narrowing {
  /** The operator's directories, absolute and real. */
  readonly directories: readonly string[];
  /** By names alone, and in the spelling of the real path. */
  absolute(path: string): string | undefined;
  resolve(path: string): ConfinedPath;
}

/** The parts of the directories that the client works in, in its order; undefined if there are none. */
export function narrowedTo(uris: readonly string[], narrowing: Narrowing): readonly string[] | undefined {
  const parts = uris.flatMap((uri) => {
    const given = pathOf(uri);
    const path = given === undefined ? undefined : narrowing.absolute(given);
    if (path === undefined) return [];
    const inner = narrowing.directories.filter((directory) => contains(path, directory));
    return inner.length > 0 ? inner : folderAt(path, narrowing);
  });
  return parts.length === 0 ? undefined : [...new Set(parts)];
}

/** The real path of a folder in one of the directories. */
function folderAt(path: string, { resolve }: Narrowing): string[] {
  try {
    const resolved = resolve(path);
    return statEntry(resolved)?.type === "directory" ? [resolved.absolute] : [];
  } catch (error) {
    if (error instanceof PaddockError) return []; // it is elsewhere, or leads there
    throw error;
  }
}

/** The path of a `file:` URI, or of what is already a path; undefined for anything else. */
export function pathOf(uri: string, isWindows = Deno.build.os === "windows"): string | undefined {
  if (!/^file:/i.test(uri)) {
    const isPath = isAbsolutePath(uri) || /^~(?:\/|$)/.test(uri);
    return isPath ? uri : undefined;
  }
  const url = URL.parse(uri);
  if (url === null || (url.hostname !== "" && url.hostname !== "localhost")) return undefined;
  if (/%2f/i.test(url.pathname) || (isWindows && /%5c/i.test(url.pathname))) return undefined;
  try {
    const path = decodeURIComponent(url.pathname);
    return isWindows ? path.replace(/^\/(?=[A-Za-z]:)/, "").replaceAll("/", "\\") : lexicalPath("", path);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
