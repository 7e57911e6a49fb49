/** What one file or folder is, with all the times that the system keeps. */
import { PaddockError } from "../base/errors.ts";
import { lstat } from "../confine/confined_fs.ts";
import { quote } from "../confine/path_rules.ts";
import type { ConfinedPath } from "../confine/resolve_path.ts";
import { modeString, octalMode } from "./mode_string.ts";

/** Times are ISO 8601; undefined where the file system does not keep them. */
export interface FileInfo {
  type: "file" | "directory";
  size: number;
  createdAt: string | undefined;
  modifiedAt: string;
  accessedAt: string | undefined;
  /** In the form of `chmod`: "0644". */
  mode: string;
  /** In the form of `ls -l`: "-rw-r--r--". */
  modeString: string;
}

export function fileInfo(path: ConfinedPath): FileInfo {
  const info = lstat(path);
  if (info === undefined) throw new PaddockError("NOT_FOUND", `file not found: ${quote(path.given)}`);
  const type = info.isDirectory ? "directory" : info.isFile ? "file" : undefined;
  if (type === undefined) {
    throw new PaddockError("UNSUPPORTED", `neither a file nor a folder: ${quote(path.given)}`);
  }
  const mode = info.mode ?? 0;
  return {
    type,
    size: info.size,
    createdAt: info.birthtime?.toISOString(),
    modifiedAt: (info.mtime ?? new Date(0)).toISOString(),
    accessedAt: info.atime?.toISOString(),
    mode: octalMode(mode),
    modeString: modeString(mode, type),
  };
}
