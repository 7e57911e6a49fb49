/**
 * Folders inside a root that no tool reaches by any path: the undo stores, which hold what others have
 * changed. They are recognised by path and by inode, because a folder mounted twice has two paths. A path
 * found to be open is remembered for a moment: operators make mounts, clients cannot.
 */
import type { ClosedFolder } from "../base/config.ts";
import { identityWord } from "../base/identity.ts";
import { osCode } from "./os_errors.ts";
import { contains, SEPARATOR } from "./path_rules.ts";

/** What lies at a path; undefined when nothing does. */
type Look = () => Deno.FileInfo | undefined;

const REMEMBERED_MS = 1_000;
const MOST_REMEMBERED = 500;

export class ClosedFolders {
  readonly all: readonly ClosedFolder[];
  readonly paths: readonly string[];
  readonly #open = new Map<string, number>();
  #identities: { at: number; known: ReadonlySet<string> } | undefined;

  constructor(all: readonly ClosedFolder[]) {
    this.all = all;
    this.paths = all.map(({ path }) => path);
  }

  /** Whether an absolute, real path is one of them or inside one. `look` examines it faster than by its path. */
  includes(absolute: string, top: string, look?: Look): boolean {
    if (this.paths.length === 0) return false;
    if (this.paths.some((path) => contains(path, absolute))) return true;
    return this.#isMounted(absolute, top, look);
  }

  /** Whether one of them is inside a folder. */
  liesIn(folder: string): boolean {
    return this.paths.some((path) => contains(folder, path));
  }

  #isMounted(absolute: string, top: string, look: Look = () => Deno.lstatSync(absolute)): boolean {
    const now = Date.now();
    const seen = this.#open.get(absolute);
    if (seen !== undefined && now - seen < REMEMBERED_MS) return false;
    const identities = this.#known(now);
    if (identities.size === 0) return false;
    const identity = identityOf(look);
    if (identity !== undefined && identities.has(identity)) return true;
    const above = absolute.slice(0, absolute.lastIndexOf(SEPARATOR));
    if (absolute !== top && contains(top, above) && this.#isMounted(above, top)) return true;
    if (this.#open.size >= MOST_REMEMBERED) this.#open.clear();
    this.#open.set(absolute, now);
    return false;
  }

  #known(now: number): ReadonlySet<string> {
    if (this.#identities === undefined || now - this.#identities.at >= REMEMBERED_MS) {
      const known = new Set(
        this.all.flatMap(({ path, identity }) => identity ?? identityOf(() => Deno.lstatSync(path)) ?? []),
      );
      this.#identities = { at: now, known };
    }
    return this.#identities.known;
  }
}

/** The identity of a folder; undefined for anything else. */
function identityOf(look: Look): string | undefined {
  try {
    const info = look();
    return info?.isDirectory ? identityWord(info) : undefined;
  } catch (error) {
    if (osCode(error) !== undefined) return undefined;
    throw error;
  }
}
