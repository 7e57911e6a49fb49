/**
 * Nested roots in another spelling. Where a file system accepts `INNER` or `INNER~1` for `inner`, a path in such a
 * spelling leads into that root and has to obey its rules. Rules go by names, so the path gets the root's own
 * spelling.
 */
import { isSameFile } from "../base/identity.ts";
import { osCode } from "./os_errors.ts";
import { contains, SEPARATOR } from "./path_rules.ts";
import type { ConfinedRoot } from "./resolve_path.ts";

/** An absolute path in the root; folders on the way to nested roots are spelled as those roots spell them. */
export function asRootsSpell(
  { path: top, nested }: Pick<ConfinedRoot, "path" | "nested">,
  path: string,
): string {
  if (nested.length === 0) return path;
  const names = namesBelow(top, path);
  let folder = top;
  for (const [i, name] of names.entries()) {
    const known = new Set(nested.flatMap((inner) => namesBelow(folder, inner.path)[0] ?? []));
    const own = known.has(name)
      ? name
      : [...known].find((each) => isOne(join(folder, each), join(folder, name)));
    if (own === undefined) return join(folder, ...names.slice(i));
    folder = join(folder, own);
  }
  return folder;
}

function namesBelow(folder: string, path: string): string[] {
  if (!contains(folder, path)) return [];
  return path.slice(folder.length).split(SEPARATOR).filter((name) => name !== "");
}

function join(folder: string, ...names: string[]): string {
  if (names.length === 0) return folder;
  return (folder.endsWith(SEPARATOR) ? folder : folder + SEPARATOR) + names.join(SEPARATOR);
}

/** Whether two paths lead to one folder, neither through a link. */
function isOne(path: string, other: string): boolean {
  try {
    const [one, two] = [Deno.lstatSync(path), Deno.lstatSync(other)];
    return one.isDirectory && two.isDirectory && isSameFile(one, two);
  } catch (error) {
    if (osCode(error) === undefined) throw error;
    return false;
  }
}
