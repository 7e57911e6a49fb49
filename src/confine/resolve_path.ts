/**
 * Turns a path as a client gave it into a ConfinedPath: the only kind of path the rest of the program can
 * use. Links are followed by asking the operating system for the real path, which must lie inside the root.
 * What does not exist yet is judged by its deepest existing ancestor; a dangling link in the path is refused,
 * because writing "to it" would create its target, wherever that is.
 */
import { PaddockError } from "../base/errors.ts";
import type { ClosedFolders } from "./closed_folders.ts";
import { gitFolderAround, howToAllow } from "./git_folders.ts";
import { kernelCalls } from "./kernel_calls.ts";
import { asRootsSpell } from "./nested_spelling.ts";
import { fromOsError, isNotFound, osCode } from "./os_errors.ts";
import {
  contains,
  isGitName,
  isTempName,
  lexicalPath,
  OUTSIDE,
  outside,
  quote,
  segmentsOf,
  SEPARATOR,
} from "./path_rules.ts";

export interface ConfinedRoot {
  readonly name: string;
  /** Absolute and real. */
  readonly path: string;
  /** Other absolute paths the operator used for it. */
  readonly aliases?: readonly string[] | undefined;
  /** Whether its path matches in any letter case. */
  readonly anyCase?: boolean | undefined;
  /**
   * What may be done inside a `.git`: anything, reading only, or nothing at all. A git folder under another
   * name can always be read, and changed only where this is open.
   */
  readonly git: "open" | "read-only" | "hidden";
  /** Other roots inside this one; their rules apply to what is in them. */
  readonly nested: readonly ConfinedRoot[];
  /** Other roots that contain this one. */
  readonly outer?: readonly ConfinedRoot[];
  /** What no tool may reach, wherever it is. */
  readonly closed?: ClosedFolders;
}

declare const confined: unique symbol;

export interface ConfinedPath {
  readonly [confined]: true;
  /** The root it was reached through. */
  readonly root: ConfinedRoot;
  /** The innermost root that contains it, whose rules apply. */
  readonly owner: ConfinedRoot;
  /** As the client gave it, for messages. */
  readonly given: string;
  /** Below `root`, with `/` between names and every link resolved; empty for the root itself. */
  readonly relative: string;
  /** On the host; never shown to a client. */
  readonly absolute: string;
}

export interface ResolveOptions {
  /** Whether the path will be changed; a protected `.git` then refuses it. */
  change?: boolean;
  /** Whether to follow a link at the very end (the default), or mean the link itself. */
  follow?: boolean;
}

export function resolvePath(root: ConfinedRoot, given: string, options: ResolveOptions = {}): ConfinedPath {
  try {
    return resolve(root, given, options);
  } catch (error) {
    throw audited(error, { root, given });
  }
}

/** For the operator's log, a refusal records what was asked for, and where that leads as far as known. */
function audited(error: unknown, { root, given }: { root: ConfinedRoot; given: string }): unknown {
  if (!(error instanceof PaddockError)) return error;
  const { code, message, data, audit, cause } = error;
  if (code !== "OUT_OF_BOUNDS" && code !== "NOT_ALLOWED") return error;
  return new PaddockError(code, message, {
    audit: {
      root: root.name,
      ...audit,
      attempted_path: given,
      resolved_path: audit?.resolved_path ?? lexicalPath(root.path, given),
    },
    cause: cause ?? error,
    ...(data === undefined ? {} : { data }),
  });
}

function resolve(root: ConfinedRoot, given: string, options: ResolveOptions): ConfinedPath {
  const segments = segmentsOf(given);
  // Before any lookup: a hidden .git must not even reveal what exists in it.
  if (root.git === "hidden" && segments.some(isGitName)) throw insideHiddenGit(given, { root: root.name });
  const { follow = true } = options;
  let absolute: string;
  try {
    const last = follow ? undefined : segments.at(-1);
    absolute = last === undefined
      ? realPathOf(root, segments)
      : append(realPathOf(root, segments.slice(0, -1)), [last]);
  } catch (error) {
    throw describe(error, given);
  }
  if (!contains(root.path, absolute)) throw outside(given, undefined, absolute);
  const path = confine(root, asRootsSpell(root, absolute), given);
  refuseClosed(path);
  checkNames(path, { lexical: segments, change: options.change ?? false });
  return path;
}

/**
 * The path of a name inside a resolved folder. The name is one segment, not a path. Temporary names mean
 * nothing to a client: errors about them name the folder.
 */
export function childOf(folder: ConfinedPath, name: string): ConfinedPath {
  if (name === "" || name === "." || name === ".." || name.includes("/") || name.includes(SEPARATOR)) {
    throw new PaddockError("INVALID_INPUT", `not a file name: ${quote(name)}`);
  }
  const above = folder.given.endsWith("/") ? folder.given.replace(/\/+$/, "") : folder.given;
  const below = folder.given === "" || folder.given === "." ? name : `${above}/${name}`;
  const given = isTempName(name) ? folder.given : below;
  const { absolute } = folder;
  return confine(folder.root, absolute + (absolute.endsWith(SEPARATOR) ? "" : SEPARATOR) + name, given);
}

/** The folder that contains a path. The root has none. */
export function parentOf(path: ConfinedPath): ConfinedPath {
  if (path.absolute === path.root.path) {
    throw new PaddockError("INVALID_INPUT", `${quote(path.given)} is the root itself`);
  }
  const cut = path.absolute.lastIndexOf(SEPARATOR);
  const above = path.absolute.slice(0, cut);
  return confine(path.root, contains(path.root.path, above) ? above : path.root.path, path.given);
}

/** The other roots at or below a path. */
export function rootsBelow(path: ConfinedPath): readonly ConfinedRoot[] {
  return path.root.nested.filter((inner) => contains(path.absolute, inner.path));
}

/** The folders of all roots that contain a path, or that it contains: changes of structure lock these. */
export function rootFolders(path: ConfinedPath): ConfinedPath[] {
  const { outer = [], nested } = path.root;
  const inner = nested.filter((root) =>
    contains(root.path, path.absolute) || contains(path.absolute, root.path)
  );
  return [...outer, path.root, ...inner].map((root) => confine(root, root.path, path.given));
}

/** The path of a root itself, whether it exists or not. */
export function rootPathOf(root: ConfinedRoot): ConfinedPath {
  return confine(root, root.path, ".");
}

export function nameOf(path: ConfinedPath): string {
  return path.relative.slice(path.relative.lastIndexOf("/") + 1);
}

/** Whether the path still means what it meant when it was resolved: no link has appeared in it. */
export function stillReal(path: ConfinedPath): boolean {
  try {
    return isReal(path.absolute) || Deno.realPathSync(path.absolute) === path.absolute;
  } catch (error) {
    if (isNotFound(error) || osCode(error) !== undefined) return false;
    throw error;
  }
}

/** Whether the path leads somewhere, but through a link that was not there when it was resolved. */
export function leadsElsewhere(path: ConfinedPath): boolean {
  try {
    return Deno.realPathSync(path.absolute) !== path.absolute;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return true;
    if (osCode(error) !== undefined) return false;
    throw error;
  }
}

function confine(root: ConfinedRoot, absolute: string, given: string): ConfinedPath {
  let owner = root;
  for (const inner of root.nested) {
    if (inner.path.length > owner.path.length && contains(inner.path, absolute)) owner = inner;
  }
  const rest = absolute.slice(root.path.length);
  const below = rest.startsWith("/") || rest.startsWith("\\") ? rest.slice(1) : rest;
  const relative = SEPARATOR === "/" ? below : below.replaceAll(SEPARATOR, "/");
  return { root, owner, given, relative, absolute } as ConfinedPath;
}

function append(folder: string, segments: readonly string[]): string {
  if (segments.length === 0) return folder;
  return (folder.endsWith(SEPARATOR) ? folder : folder + SEPARATOR) + segments.join(SEPARATOR);
}

/** The real path of the deepest existing ancestor, followed by what does not exist yet. */
function realPathOf(root: ConfinedRoot, segments: readonly string[]): string {
  for (let depth = segments.length; depth >= 0; depth--) {
    const path = append(root.path, depth === segments.length ? segments : segments.slice(0, depth));
    if (depth > 0 && isReal(path)) return append(path, segments.slice(depth));
    try {
      const real = Deno.realPathSync(path);
      if (depth === 0) refuseReplaced(root);
      return append(real, segments.slice(depth));
    } catch (error) {
      if (osCode(error) === "ENOTDIR") refuseReplaced(root);
      if (!isNotFound(error)) throw error;
    }
    if (depth > 0 && isLink(path)) {
      throw new PaddockError("OUT_OF_BOUNDS", `${OUTSIDE}: a symbolic link on the way leads nowhere`);
    }
  }
  throw new PaddockError("NOT_FOUND", `the directory of root ${root.name} is no longer there`);
}

/**
 * Whether there is no link on the way, according to the kept calls, which take a fraction of the time. All other
 * paths are left to the runtime, which applies its permissions and whose errors give the reason.
 */
function isReal(path: string): boolean {
  return kernelCalls()?.isReal(path) === true;
}

/** Reports a root that has become a file as such, and not as a bad path. */
function refuseReplaced(root: ConfinedRoot): void {
  const { isDirectory, isSymlink } = Deno.lstatSync(root.path);
  if (isDirectory || isSymlink) return; // a link's target is judged by where that is
  throw new PaddockError("NOT_FOUND", `the directory of root ${root.name} has been replaced by a file`);
}

function isLink(path: string): boolean {
  try {
    return Deno.lstatSync(path).isSymlink;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** NotCapable means that the outer fence blocked a lookup outside: for the client that is the same. */
function describe(error: unknown, given: string): unknown {
  if (error instanceof Deno.errors.NotCapable) return outside(given);
  if (error instanceof PaddockError && error.code === "OUT_OF_BOUNDS" && error.audit === undefined) {
    return new PaddockError("OUT_OF_BOUNDS", `${error.message}: ${quote(given)}`, { cause: error });
  }
  return fromOsError(error, { given });
}

/**
 * A folder that no tool may reach must not even reveal what exists in it. `look` examines the folder faster than by
 * its path.
 */
export function refuseClosed(
  { root, absolute, given }: ConfinedPath,
  look?: () => Deno.FileInfo | undefined,
): void {
  if (root.closed?.includes(absolute, root.path, look) !== true) return;
  throw new PaddockError("OUT_OF_BOUNDS", `${quote(given)} is in the undo store, which no tool can reach`, {
    audit: { root: root.name, resolved_path: absolute },
  });
}

interface NameCheck {
  /** The segments as given, before links were followed. */
  lexical: readonly string[];
  change: boolean;
}

/** Checks for names that are ours or git's, both in the path as given and in the real path. */
function checkNames(path: ConfinedPath, { lexical, change }: NameCheck): void {
  const real = path.relative === "" ? [] : path.relative.split("/");
  const refuse = (code: PaddockError["code"], why: string) =>
    new PaddockError(code, `${quote(path.given)} is ${why}`, {
      audit: { root: path.owner.name, resolved_path: path.absolute },
    });
  for (const name of new Set([...lexical, ...real])) {
    if (isTempName(name)) throw refuse("NOT_ALLOWED", "a name that paddock reserves for its own use");
    if (path.owner.git === "open" || !isGitName(name)) continue;
    if (path.owner.git === "hidden") {
      throw insideHiddenGit(path.given, { root: path.owner.name, resolved_path: path.absolute });
    }
    if (change) {
      throw refuse(
        "NOT_ALLOWED",
        `inside a .git: it can be read but not changed${howToAllow(path.owner)}`,
      );
    }
  }
  const folder = change && path.owner.git !== "open" ? gitFolderAround(path) : undefined;
  if (folder === undefined) return;
  const where = folder === path.relative ? "" : `inside ${quote(folder)}, `;
  throw refuse(
    "NOT_ALLOWED",
    `${where}the folder of a git repository: it can be read but not changed${howToAllow(path.owner)}`,
  );
}

function insideHiddenGit(given: string, audit: Record<string, unknown>): PaddockError {
  return new PaddockError("OUT_OF_BOUNDS", `${quote(given)} is inside a .git, which no tool can reach`, {
    audit,
  });
}
