/**
 * The path that a client means in a root it has named: some give the host's absolute path, some put the root's name
 * in front. What is understood is resolved and checked like any other path; nothing outside is read.
 */
import { PaddockError } from "../base/errors.ts";
import { isAbsolutePath, wayFrom } from "../confine/absolute_path.ts";
import { lstat } from "../confine/confined_fs.ts";
import { lexicalPath, PATH_STYLE, type PathStyle } from "../confine/path_rules.ts";
import { type ConfinedRoot, parentOf, resolvePath } from "../confine/resolve_path.ts";

/** Relative to the root; unchanged unless something else must be meant. */
export function meantPath(root: ConfinedRoot, given: string, style: PathStyle = PATH_STYLE): string {
  return isAbsolutePath(given) ? fromAbsolute(root, given, style) : withoutRootName(root, given, style);
}

/** With `/` between names. */
function slashed(path: string, style: PathStyle): string {
  return style === "windows" ? path.replaceAll("\\", "/") : path;
}

/** By names alone. A path elsewhere stays as it is, to be refused as it was given. */
function fromAbsolute(root: ConfinedRoot, given: string, style: PathStyle): string {
  const path = given === "/" ? undefined : lexicalPath("", given);
  const relative = path === undefined ? undefined : wayFrom(root, path);
  if (relative === undefined) return given;
  return relative === "" ? "." : `${relative}${slashed(given, style).endsWith("/") ? "/" : ""}`;
}

/**
 * `project/src/a.ts` in the root `project` means `src/a.ts`, if the root contains no `project` and the path without
 * it leads to something, or to a new name in an existing folder. A new name directly below is taken as given:
 * `project/project` may be a folder to create.
 */
function withoutRootName(root: ConfinedRoot, given: string, style: PathStyle): string {
  const rest = slashed(given, style).replace(/^(\.\/+)+/, "");
  if (!rest.startsWith(`${root.name}/`)) return given;
  const below = rest.slice(root.name.length).replace(/^\/+/, "");
  if (below === "" || isThere(root, root.name)) return given;
  return isThere(root, below) || (below.includes("/") && isThere(root, below, "above")) ? below : given;
}

function isThere(root: ConfinedRoot, path: string, where?: "above"): boolean {
  try {
    const resolved = resolvePath(root, path, { follow: false });
    return lstat(where === "above" ? parentOf(resolved) : resolved) !== undefined;
  } catch (error) {
    if (error instanceof PaddockError) return false;
    throw error;
  }
}
