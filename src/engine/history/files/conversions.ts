/**
 * Whether git would change a file's bytes between the disk and a commit: line endings, filters such as LFS, `$Id$`,
 * encodings. paddock keeps files byte for byte, so it refuses to change a file that the two would then see
 * differently. In a repository created by paddock all of this is switched off, and nothing is checked.
 */
import { Buffer } from "node:buffer";
import { PaddockError } from "../../../base/errors.ts";
import { quote } from "../../../confine/path_rules.ts";
import { toBytes } from "../objects/byte_names.ts";
import { type Attributes, type AttributesFile, BUILT_IN_MACROS, parseAttributes } from "./attributes.ts";
import type { Disk } from "./disk.ts";
import type { GitFolder } from "../git/git_folder.ts";
import { MODE_LINK } from "../objects/objects.ts";
import type { ObjectStore } from "../objects/object_store.ts";
import { entryAt } from "../objects/tree_edits.ts";

/** As the last line of `.git/info/attributes`, which overrides every other file, it switches all of this off. */
export const NO_CONVERSIONS = "* -text -filter -ident -working-tree-encoding";

export interface ConversionsContext {
  readonly git: GitFolder;
  readonly store: ObjectStore;
  readonly disk: Disk;
  /** The tree of the last commit. */
  readonly tree: string | undefined;
  /** Whether the repository's configuration converts the line endings of all texts. */
  readonly autocrlf: boolean;
  /** Whether it names an attributes file that paddock cannot read. */
  readonly hasOtherAttributes: boolean;
}

/** The rules during one change. */
export class Conversions {
  readonly #context: ConversionsContext;
  readonly #isOff: boolean;
  readonly #files = new Map<string, Promise<AttributesFile | undefined>>();
  readonly #info: string;

  constructor(context: ConversionsContext) {
    this.#context = context;
    this.#info = context.git.readSettled("info/attributes") ?? "";
    this.#isOff = this.#info.trimEnd().split("\n").at(-1) === NO_CONVERSIONS;
  }

  /** Throws if git would not commit `content` unchanged. */
  async check(path: string, content: () => Uint8Array): Promise<void> {
    const why = await this.find(path, content);
    if (why === undefined) return;
    throw new PaddockError(
      "UNSUPPORTED",
      `git is set to convert ${quote(path)} (${why}), but paddock keeps files byte for byte; ` +
        `to have git do the same: echo '${NO_CONVERSIONS}' >> .git/info/attributes`,
    );
  }

  /** Which of git's rules would change `content`, if any. */
  async find(path: string, content: () => Uint8Array): Promise<string | undefined> {
    if (this.#isOff) return undefined;
    if (this.#context.hasOtherAttributes) return "core.attributesFile, which paddock does not read";
    const attributes: Attributes = new Map();
    const info = await parseAttributes(this.#info);
    const macros = new Map([...BUILT_IN_MACROS, ...(await this.#in(""))?.macros ?? [], ...info.macros]);
    for (let cut = 0; cut >= 0; cut = path.indexOf("/", cut + 1)) {
      const folder = path.slice(0, cut);
      (await this.#in(folder))?.apply(folder === "" ? path : path.slice(cut + 1), attributes, macros);
    }
    info.apply(path, attributes, macros);
    return this.#reason(attributes, { path, content });
  }

  #reason(
    attributes: Attributes,
    { path, content }: { path: string; content: () => Uint8Array },
  ): string | undefined {
    const filter = attributes.get("filter");
    if (typeof filter === "string") return `filter=${filter}`;
    const encoding = attributes.get("working-tree-encoding");
    if (typeof encoding === "string" && !/^utf-?8$/i.test(encoding)) {
      return `working-tree-encoding=${encoding}`;
    }
    if (attributes.get("ident") === true && /\$Id(:[^$\n]*)?\$/.test(latin1(content()))) return "ident";
    const eol = typeof attributes.get("eol") === "string";
    const text = attributes.get("text") ?? (eol ? true : this.#context.autocrlf ? "auto" : false);
    if (text === false || !latin1(content()).includes("\r\n")) return undefined;
    if (text !== "auto") return "text, and it has CRLF";
    // Git leaves alone binary files, and files with CRLF in the history.
    if (latin1(content()).includes("\0") || this.#hadCrlf(path)) return undefined;
    return "text=auto or core.autocrlf, and it has CRLF";
  }

  #hadCrlf(path: string): boolean {
    const { store, tree } = this.#context;
    const entry = entryAt(store, tree, toBytes(path));
    return entry !== undefined && latin1(store.read(entry.oid).data).includes("\r\n");
  }

  #in(folder: string): Promise<AttributesFile | undefined> {
    const known = this.#files.get(folder) ?? this.#read(folder === "" ? "" : `${folder}/`);
    this.#files.set(folder, known);
    return known;
  }

  async #read(prefix: string): Promise<AttributesFile | undefined> {
    const { disk, store } = this.#context;
    const path = `${prefix}.gitattributes`;
    if (!disk.has(path) || disk.stat(path)?.isFile !== true) return undefined;
    const now = await disk.look(disk.at(path));
    if (now === undefined || now.entry.mode === MODE_LINK) return undefined;
    const bytes = now.bytes ?? store.blob(now.entry.oid);
    return await parseAttributes(new TextDecoder().decode(bytes));
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
