/**
 * Absolute paths from clients that know the host's paths: finds the root one lies in, by names alone, and the
 * path from there, which is then resolved and checked like any other. A link outside that leads into a root
 * is not followed: nothing outside is looked up, so nothing can be learned about it.
 */
import { lexicalPath, outside, PATH_STYLE, type PathStyle } from "./path_rules.ts";
import type { ConfinedRoot } from "./resolve_path.ts";

export function isAbsolutePath(path: string, style: PathStyle = PATH_STYLE): boolean {
  return path.startsWith("/") || (style === "windows" && /^(\\|[a-z]:[\\/])/i.test(path));
}

/** How clients that know the host's paths can name a root. */
export type Known = Pick<ConfinedRoot, "path" | "aliases" | "anyCase">;

/**
 * The path from a root to an absolute path, with `/` between names; undefined when it does not lie there.
 * Compares names only: those of the root, those the operator used for it (`/tmp` is `/private/tmp` on macOS),
 * and in any letter case where the directory's name works in any.
 */
export function wayFrom(
  { path: top, aliases = [], anyCase = false }: Known,
  path: string,
  style: PathStyle = PATH_STYLE,
): string | undefined {
  const separator = style === "windows" ? "\\" : "/";
  const folded = anyCase || style === "windows" ? foldedPath : (same: string) => same;
  for (const one of [top, ...aliases]) {
    const names = namesOf(one, separator);
    const own = namesOf(path, separator);
    if (names.every((name, i) => folded(name) === folded(own[i] ?? ""))) {
      return own.slice(names.length).join("/");
    }
  }
  return undefined;
}

function namesOf(path: string, separator: string): string[] {
  return path.split(separator).filter((part) => part !== "");
}

function foldedPath(name: string): string {
  return name.normalize().toLowerCase();
}

export interface Located {
  /** The name of the innermost root that the path lies in. */
  name: string;
  /** The path from that root. */
  relative: string;
}

/** Throws OUT_OF_BOUNDS when the path lies in no root. */
export function locateAbsolute(given: string, roots: readonly ConfinedRoot[]): Located {
  const path = isAbsolutePath(given) ? lexicalPath("", given) : undefined;
  if (path === undefined) throw outside(given, "give an absolute path without a null byte");
  let innermost: Located | undefined;
  for (const root of roots) {
    const relative = wayFrom(root, path);
    if (relative === undefined) continue;
    if (innermost === undefined || relative.length < innermost.relative.length) {
      innermost = { name: root.name, relative };
    }
  }
  if (innermost === undefined) throw outside(given, "it is not inside any root", path);
  return innermost;
}
