/**
 * Absolute paths of clients that know the host's: which root one lies in, by names alone, and its way from there,
 * which is then resolved and checked like any other. A link outside that leads into a root is not followed: whether
 * anything exists outside is not looked at, so nothing can be learned about it.
 */
import { contains, lexicalPath, outside, PATH_STYLE, type PathStyle, SEPARATOR } from "./path_rules.ts";
import { type ConfinedRoot } from "./resolve_path.ts";

export function isAbsolutePath(path: string, style: PathStyle = PATH_STYLE): boolean {
  return path.startsWith("/") || (style === "windows" && /^(\\|[a-z]:[\\/])/i.test(path));
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
  let innermost: ConfinedRoot | undefined;
  for (const root of roots) {
    if (!contains(root.path, path)) continue;
    if (innermost === undefined || root.path.length > innermost.path.length) innermost = root;
  }
  if (innermost === undefined) throw outside(given, "it lies in no root", path);
  const relative = path.slice(innermost.path.length).split(SEPARATOR).filter((part) => part !== "").join("/");
  return { name: innermost.name, relative };
}
