/**
 * What all file I/O shares: the check that a path still means what it meant when it was resolved, and the
 * errors for when it does not.
 */
import { PaddockError } from "../base/errors.ts";
import type { KernelState } from "../base/kernel.ts";
import { fromOsError, isNotFound } from "./os_errors.ts";
import { outside, quote } from "./path_rules.ts";
import { type ConfinedPath, leadsElsewhere, parentOf, stillReal } from "./resolve_path.ts";

export { loadedNodeFs, loadNodeFs, type NodeFs } from "./node_fs.ts";

/** How often to retry when something is replaced while it is being read. */
export const ATTEMPTS = 50;

export function verifyParent(path: ConfinedPath): void {
  if (path.absolute !== path.root.path && !stillReal(parentOf(path))) {
    const parent = parentOf(path);
    if (folderIsMissing(parent)) {
      throw new PaddockError("NOT_FOUND", `folder not found for ${quote(path.given)}`);
    }
    throw moved(path);
  }
}

function folderIsMissing(path: ConfinedPath): boolean {
  try {
    Deno.lstatSync(path.absolute);
    return false;
  } catch (error) {
    return isNotFound(error);
  }
}

export function moved(path: ConfinedPath): PaddockError {
  const error = outside(path.given, "it changed while it was being opened; try again");
  return new PaddockError("OUT_OF_BOUNDS", error.message, {
    audit: { ...error.audit, root: path.root.name },
  });
}

/** The place is busy; this is not an attack. */
export function restless(path: ConfinedPath): PaddockError {
  return new PaddockError(
    "CONFLICT",
    `${quote(path.given)} kept changing while it was being read; try again`,
  );
}

export function notFolder(path: ConfinedPath): PaddockError {
  if (leadsElsewhere(path)) return moved(path);
  return new PaddockError("CONFLICT", `no longer a directory: ${quote(path.given)}`);
}

export type Kind = KernelState["kind"];

export function kindOf(stat: { isFile(): boolean; isDirectory(): boolean }): Kind {
  return stat.isFile() ? "file" : stat.isDirectory() ? "folder" : "other";
}

export function isRegular(kind: Kind, path: ConfinedPath): true {
  if (kind === "folder") {
    throw new PaddockError("INVALID_INPUT", `path is a directory, not a file: ${quote(path.given)}`);
  }
  if (kind !== "file") throw notRegular(path);
  return true;
}

export function notRegular(path: ConfinedPath): PaddockError {
  return new PaddockError(
    "UNSUPPORTED",
    `not a regular file (a device, pipe or socket): ${quote(path.given)}`,
  );
}

export function about<T>(path: ConfinedPath, action: () => T, noun = "file"): T {
  try {
    return action();
  } catch (error) {
    throw fromOsError(error, { given: path.given, noun });
  }
}
