/**
 * Which entries a walk leaves out because git would: those that a `.gitignore` in their folder, or in one above it
 * up to the root, ignores, and git's own folder. The innermost file that mentions an entry decides.
 */
import { ConfinedFile } from "../../../confine/confined_file.ts";
import { isGitName } from "../../../confine/path_rules.ts";
import { childOf, type ConfinedPath, parentOf } from "../../../confine/resolve_path.ts";
import { type EntryOptions, Gitignore } from "./gitignore.ts";
import type { SearchTime } from "../search_time.ts";

const NAME = ".gitignore";
/** Larger ones are not read: nobody writes them by hand. */
const MAX_BYTES = 256 * 1024;

export class IgnoreScope {
  readonly #outer: IgnoreScope | undefined;
  readonly #prefix: string;
  readonly #rules: Gitignore | undefined;

  private constructor(prefix: string, rules: Gitignore | undefined, outer?: IgnoreScope) {
    this.#prefix = prefix;
    this.#rules = rules;
    this.#outer = outer;
  }

  /** The rules for the root, from elsewhere. */
  static forRoot(rules: string | undefined): IgnoreScope {
    return new IgnoreScope("", rules === undefined ? undefined : new Gitignore(rules));
  }

  /** The rules that a folder inherits from those above it. */
  static async above(folder: ConfinedPath): Promise<IgnoreScope> {
    if (folder.relative === "") return new IgnoreScope("", undefined);
    const parent = parentOf(folder);
    return await (await IgnoreScope.above(parent)).enter(parent);
  }

  /** The rules in a folder. */
  async enter(folder: ConfinedPath): Promise<IgnoreScope> {
    const text = await read(childOf(folder, NAME));
    if (text === undefined) return this;
    const prefix = folder.relative === "" ? "" : `${folder.relative}/`;
    return new IgnoreScope(prefix, new Gitignore(text), this);
  }

  /** Whether an entry of a folder is left out. */
  async ignores(
    folder: ConfinedPath,
    entry: Pick<Deno.DirEntry, "name" | "isDirectory">,
    time: SearchTime,
  ): Promise<boolean> {
    const { name, isDirectory } = entry;
    if (isGitName(name)) return true;
    const path = folder.relative === "" ? name : `${folder.relative}/${name}`;
    return await this.#verdict(path, { isDirectory, step: () => time.step() }) ?? false;
  }

  async #verdict(path: string, options: EntryOptions): Promise<boolean | undefined> {
    const verdict = await this.#rules?.ignores(path.slice(this.#prefix.length), options);
    if (verdict !== undefined || this.#outer === undefined) return verdict;
    return await this.#outer.#verdict(path, options);
  }
}

/** Undefined if there is none that can be read. A link does not count, as with git. */
async function read(path: ConfinedPath): Promise<string | undefined> {
  try {
    using file = await ConfinedFile.open(path);
    if (file.size > MAX_BYTES) return undefined;
    const bytes = new Uint8Array(file.size);
    return new TextDecoder().decode(bytes.subarray(0, file.readAt(bytes, 0)));
  } catch {
    return undefined;
  }
}
