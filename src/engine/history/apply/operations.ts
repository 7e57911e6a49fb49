/** A client's operations, one after the other on a planned tree: each sees what those before it would leave. */
import { PaddockError } from "../../../base/errors.ts";
import { ConfinedFile, linkTarget } from "../../../confine/confined_fs.ts";
import { quote, segmentsOf } from "../../../confine/path_rules.ts";
import type { ConfinedPath, ResolveOptions } from "../../../confine/resolve_path.ts";
import { sizeAndLimit } from "../../../text/human_size.ts";
import { decodeUtf8, encodeUtf8 } from "../../../text/utf8.ts";
import { checkExpectedHash } from "../../expected_hash.ts";
import { sha256 } from "../../hash.ts";
import { readAll } from "../../read.ts";
import { type Content, isBelow, type Kept, type Node, type PlannedTree } from "./planned_tree.ts";
import type { Room } from "./room.ts";

export type Operation =
  | {
    readonly op: "write";
    readonly path: string;
    readonly bytes: Uint8Array;
    readonly expectedHash?: string;
  }
  | {
    readonly op: "edit";
    readonly path: string;
    /** Makes the new text from the existing one. */
    readonly edit: (text: string) => Promise<string>;
    readonly expectedHash?: string;
  }
  | { readonly op: "delete"; readonly path: string; readonly expectedHash?: string }
  | { readonly op: "move"; readonly source: string; readonly destination: string }
  | { readonly op: "mkdir"; readonly path: string };

export interface PlanningContext {
  /** Resolves a client's path and checks it against the fence. */
  resolve(path: string, options?: ResolveOptions): ConfinedPath;
  /** The largest file that may be edited or written. */
  readonly maxBytes: number;
  readonly room: Room;
  readonly signal?: AbortSignal | undefined;
}

export class Planner {
  readonly #tree: PlannedTree;
  readonly #context: PlanningContext;
  /** In words, what operations did to each path they changed. */
  readonly #fates = new Map<string, string>();
  #index = 0;

  constructor(tree: PlannedTree, context: PlanningContext) {
    this.#tree = tree;
    this.#context = context;
  }

  async add(operation: Operation, index: number): Promise<void> {
    this.#index = index;
    switch (operation.op) {
      case "write":
        return await this.#write(operation);
      case "edit":
        return await this.#edit(operation);
      case "delete":
        return await this.#delete(operation);
      case "move":
        return this.#move(operation);
      case "mkdir":
        return this.#mkdir(operation);
    }
  }

  async #write({ path: given, bytes, expectedHash }: Operation & { op: "write" }): Promise<void> {
    const path = this.#locate(given, { follow: true });
    this.#refuseFolder(given, path);
    this.#checkSize(given, bytes.length);
    const node = this.#file(given, path);
    const madeFrom = expectedHash === undefined
      ? node?.kind === "content" ? node.madeFrom : undefined
      : (await this.#read(given, node, expectedHash)).madeFrom;
    this.#set(path, this.#content(bytes, { node, madeFrom }), "was written");
  }

  async #edit({ path: given, edit, expectedHash }: Operation & { op: "edit" }): Promise<void> {
    const path = this.#locate(given, { follow: true });
    this.#refuseFolder(given, path);
    const node = this.#file(given, path);
    if (node === undefined) throw this.#notFound(given, path);
    const { bytes, madeFrom } = await this.#read(given, node, expectedHash);
    const text = decodeUtf8(bytes);
    if (text === undefined) {
      throw new PaddockError("UNSUPPORTED", `not a UTF-8 text file, so it cannot be edited: ${quote(given)}`);
    }
    const edited = encodeUtf8(await edit(text));
    this.#checkSize(given, edited.length);
    this.#set(path, this.#content(edited, { node, madeFrom }), "was edited");
  }

  async #delete({ path: given, expectedHash }: Operation & { op: "delete" }): Promise<void> {
    const path = this.#locate(given, { follow: false });
    const node = this.#tree.find(path);
    if (path === "") throw new PaddockError("INVALID_INPUT", "the workspace itself cannot be deleted");
    if (node === undefined) throw this.#notFound(given, path);
    if (expectedHash !== undefined) await this.#read(given, this.#file(given, path), expectedHash);
    this.#set(path, undefined, "was deleted");
  }

  #move({ source, destination }: Operation & { op: "move" }): void {
    const [from, to] = [
      this.#locate(source, { follow: false }),
      this.#locate(destination, { follow: false }),
    ];
    const node = this.#tree.find(from);
    if (from === "") throw new PaddockError("INVALID_INPUT", "source is the workspace itself");
    if (node === undefined) throw this.#notFound(source, from);
    if (this.#tree.find(to) !== undefined) {
      throw new PaddockError(
        "ALREADY_EXISTS",
        `destination exists: ${quote(destination)}; choose another name, or delete it first`,
      );
    }
    if (isBelow(to, from)) {
      throw new PaddockError(
        "INVALID_INPUT",
        `cannot move ${quote(source)} into itself (${quote(destination)})`,
      );
    }
    if (node.kind === "kept") this.#refuseMove(source, node);
    this.#set(from, undefined, `was moved to ${quote(to)}`);
    this.#set(to, node, `was moved here from ${quote(from)}`);
  }

  #mkdir({ path: given }: Operation & { op: "mkdir" }): void {
    const path = this.#locate(given, { follow: true });
    const node = this.#tree.find(path);
    if (node?.kind === "folder" || (node?.kind === "kept" && node.type === "folder")) return;
    if (node !== undefined) {
      throw new PaddockError("ALREADY_EXISTS", `path exists and is a file, not a folder: ${quote(given)}`);
    }
    this.#set(path, { kind: "folder", children: new Map() }, "was created");
  }

  /**
   * The path in the planned tree. Links are followed as they are on disk, so none of them may have changed by now.
   */
  #locate(given: string, { follow }: { follow: boolean }): string {
    const own = this.#context.resolve(given, { follow: false });
    const names = segmentsOf(own.given);
    const isDirect = names.join("/") === own.relative;
    for (let i = 1; i < names.length && !isDirect; i++) {
      const above = names.slice(0, i).join("/");
      if (this.#fates.has(above) && this.#tree.onDisk(above)?.isSymlink) throw this.#changedLink(above);
    }
    const node = this.#tree.find(own.relative);
    if (!follow || node?.kind !== "kept" || node.type !== "link") return own.relative;
    if (node.origin !== own.relative) throw this.#changedLink(own.relative);
    return this.#context.resolve(given).relative;
  }

  #changedLink(path: string): PaddockError {
    return new PaddockError(
      "INVALID_INPUT",
      `${quote(path)} is or was a link, and an earlier operation changed it; make two calls`,
    );
  }

  /** What is there: a file, or nothing. */
  #file(given: string, path: string): Kept | Content | undefined {
    const node = this.#tree.find(path);
    if (node === undefined || node.kind === "content") return node;
    if (node.kind === "folder" || node.type === "folder") {
      throw new PaddockError("INVALID_INPUT", `path is a directory, not a file: ${quote(given)}`);
    }
    if (node.type === "file") return node;
    throw new PaddockError("UNSUPPORTED", `${quote(given)} is neither a file nor a folder`);
  }

  #refuseFolder(given: string, path: string): void {
    if (path === "" || /[/\\]$/.test(given)) {
      throw new PaddockError("INVALID_INPUT", `${quote(given)} names a folder; give the path of a file`);
    }
  }

  #refuseMove(source: string, { type, origin }: Kept): void {
    if (type === "link" && linkTarget(this.#tree.at(origin)).place === "outside") {
      throw new PaddockError(
        "OUT_OF_BOUNDS",
        `cannot move a link that leads outside the workspace: ${quote(source)}`,
      );
    }
    if (type === "other") {
      throw new PaddockError("UNSUPPORTED", `${quote(source)} is a device, pipe or socket`);
    }
  }

  /** What a file holds, and what the file on disk that it was made from holds. */
  async #read(given: string, node: Kept | Content | undefined, expectedHash: string | undefined) {
    if (node?.kind === "content") {
      if (expectedHash !== undefined && await sha256(node.bytes) !== expectedHash.toLowerCase()) {
        throw new PaddockError(
          "CONFLICT",
          `${quote(given)} does not match expected_hash: an earlier operation changed it`,
        );
      }
      return { bytes: node.bytes, madeFrom: node.madeFrom };
    }
    const path = this.#context.resolve(given, { follow: false });
    if (node === undefined) {
      await checkExpectedHash(path, { expectedHash, current: undefined });
      throw this.#notFound(given, path.relative);
    }
    using file = await ConfinedFile.open(this.#tree.at(node.origin));
    this.#checkSize(given, file.size);
    this.#context.room.take(file.size);
    const bytes = await readAll(file, this.#context.signal);
    await checkExpectedHash(path, { expectedHash, current: file, bytes });
    return { bytes, madeFrom: bytes };
  }

  #content(
    bytes: Uint8Array,
    { node, madeFrom }: { node: Kept | Content | undefined; madeFrom: Uint8Array | undefined },
  ): Content {
    const origin = node?.origin;
    const mode = origin === undefined ? undefined : this.#tree.onDisk(origin)?.mode;
    const permissions = mode === undefined || mode === null ? undefined : mode & 0o777;
    return { kind: "content", bytes, origin, madeFrom, permissions };
  }

  #checkSize(given: string, size: number): void {
    const { maxBytes } = this.#context;
    if (size <= maxBytes) return;
    throw new PaddockError(
      "TOO_LARGE",
      `file too large (${sizeAndLimit(size, maxBytes)}): ${quote(given)}`,
      { data: { size, limit: maxBytes } },
    );
  }

  #set(path: string, node: Node | undefined, fate: string): void {
    this.#tree.set(path, node);
    this.#fates.set(path, `${fate} by changes[${this.#index}]`);
  }

  /** Says what happened to it, or to a folder above it, in this call. */
  #notFound(given: string, path: string): PaddockError {
    for (let at = path; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
      const fate = this.#fates.get(at);
      if (fate === undefined) continue;
      return new PaddockError("NOT_FOUND", `file not found: ${quote(given)}; ${quote(at)} ${fate}`);
    }
    return new PaddockError("NOT_FOUND", `file not found: ${quote(given)}`);
  }
}
