/** Which files of a folder a search reads, and which subfolders, in the order of full paths. */
import type { FolderEntries } from "../../../confine/reading.ts";
import type { UnprovenFolder } from "../../../confine/unproven.ts";
import { isGitName } from "../../../confine/path_rules.ts";
import type { ConfinedPath } from "../../../confine/resolve_path.ts";
import { BEYOND_PLAIN, byCodePoint } from "../../../text/code_point_order.ts";
import { sortInSteps } from "../../sort_in_steps.ts";
import type { SearchTime } from "../search_time.ts";
import { compileGlobFilter, type GlobFilter } from "./glob_filter.ts";
import { IgnoreScope } from "./ignore_scope.ts";
import type { ListingCache } from "./listing_cache.ts";
import { depthOf, folderBelow } from "./prefix.ts";

export interface ListedFiles {
  /**
   * The names of files, and those of subfolders with a slash behind them: sorted like this, the contents of a
   * subfolder come where they belong in the order of full paths.
   */
  readonly items: readonly string[];
  /** How many entries were left out because their names are not valid UTF-8. */
  readonly unnamed: number;
}

export type FileListings = ListingCache<ListedFiles>;

export interface WantedOptions {
  globFilter?: string | undefined;
  maxDepth?: number | undefined;
  respectGitignore?: boolean | undefined;
  time: SearchTime;
  listings?: FileListings | undefined;
}

/** A folder as a unit of work names it. */
export interface FolderPlace {
  readonly prefix: string;
  /** The prefixes of the folders above it, from the searched one on, that have a `.gitignore`. */
  readonly ignoredBy: readonly string[];
}

/** How many scopes of `.gitignore` files are remembered. */
const MOST_SCOPES = 1_000;
const GITIGNORE = ".gitignore";

export class WantedFiles {
  readonly #folder: ConfinedPath;
  readonly #options: WantedOptions;
  readonly #filter: GlobFilter | undefined;
  /** By the prefix of the innermost folder with a `.gitignore`. */
  readonly #scopes = new Map<string, IgnoreScope>();
  readonly #step: () => Promise<boolean>;

  constructor(folder: ConfinedPath, options: WantedOptions) {
    this.#folder = folder;
    this.#options = options;
    this.#filter = options.globFilter === undefined ? undefined : compileGlobFilter(options.globFilter);
    this.#step = () => options.time.step();
  }

  async in(folder: UnprovenFolder, place: FolderPlace): Promise<ListedFiles & { hasGitignore?: boolean }> {
    const { listings, respectGitignore, maxDepth = Infinity } = this.#options;
    const listed =
      await (listings === undefined
        ? this.#list(folder)
        : listings.of(folder.path, () => this.#list(folder)));
    const hasGitignore = respectGitignore === true && listed.items.includes(GITIGNORE);
    let { items } = listed;
    if (respectGitignore) items = await this.#notIgnored(folder.path, { place, hasGitignore, items });
    if (depthOf(place.prefix) >= maxDepth) items = items.filter((item) => !item.endsWith("/"));
    if (this.#filter !== undefined) items = await this.#matching(this.#filter, place.prefix, items);
    return { items, unnamed: listed.unnamed, hasGitignore };
  }

  async #list(folder: UnprovenFolder): Promise<ListedFiles> {
    const { time } = this.#options;
    const steps = sortFiles(folder.path, folder.list());
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      if (time.isDue) await time.step(); // a search that is out of time ends at the next file
    }
  }

  async #matching(filter: GlobFilter, prefix: string, items: readonly string[]): Promise<string[]> {
    const wanted: string[] = [];
    for (const item of items) {
      const matches = item.endsWith("/")
        ? filter.mayMatchBelow(prefix + item.slice(0, -1), this.#step)
        : filter.matches(prefix + item, this.#step);
      if (matches === true || (matches !== false && await matches)) wanted.push(item);
    }
    return wanted;
  }

  async #notIgnored(
    folder: ConfinedPath,
    { place, hasGitignore, items }: {
      place: FolderPlace;
      hasGitignore: boolean;
      items: readonly string[];
    },
  ): Promise<string[]> {
    const prefixes = hasGitignore ? [...place.ignoredBy, place.prefix] : place.ignoredBy;
    const scope = await this.#scopeBy(prefixes);
    const left: string[] = [];
    for (const item of items) {
      const isDirectory = item.endsWith("/");
      const entry = { name: isDirectory ? item.slice(0, -1) : item, isDirectory };
      if (!await scope.ignores(folder, entry, this.#options.time)) left.push(item);
    }
    return left;
  }

  /** What the `.gitignore` files in these folders, and in those above the searched one, say together. */
  async #scopeBy(prefixes: readonly string[]): Promise<IgnoreScope> {
    const innermost = prefixes.at(-1);
    const key = innermost ?? "above";
    const known = this.#scopes.get(key);
    if (known !== undefined) return known;
    const scope = innermost === undefined
      ? await IgnoreScope.above(this.#folder)
      : await (await this.#scopeBy(prefixes.slice(0, -1))).enter(folderBelow(this.#folder, innermost));
    if (this.#scopes.size >= MOST_SCOPES) this.#scopes.clear();
    this.#scopes.set(key, scope);
    return scope;
  }
}

/** In steps (see text/steps.ts): a hundred thousand names take a while to sort. */
function* sortFiles(folder: ConfinedPath, { entries, unnamed }: FolderEntries): Generator<void, ListedFiles> {
  const hidesGit = folder.owner.git === "hidden";
  const items: string[] = [];
  let isPlain = true;
  for (const { name, isFile, isDirectory } of entries) {
    if (!isFile && !isDirectory) continue;
    if (hidesGit && isGitName(name)) continue;
    isPlain &&= !BEYOND_PLAIN.test(name);
    items.push(isFile ? name : `${name}/`);
  }
  const sorted = yield* isPlain ? sortInSteps(items) : sortInSteps(items, byCodePoint);
  return { items: sorted, unnamed };
}
