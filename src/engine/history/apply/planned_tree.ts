/**
 * A working tree as it would be after operations that are only planned. What no operation has touched is still on the
 * disk, under the name it has there; folders are taken apart only where something in them changes.
 */
import { PaddockError } from "../../../base/errors.ts";
import { lstat, readFolderCounted } from "../../../confine/confined_fs.ts";
import { isGitName, quote } from "../../../confine/path_rules.ts";
import { childOf, type ConfinedPath } from "../../../confine/resolve_path.ts";

export type Node = Kept | Content | Folder;

/** Something on the disk, whole and as it is. */
export interface Kept {
  readonly kind: "kept";
  readonly type: "file" | "folder" | "link" | "other";
  /** Where it is on the disk, from the workspace. */
  readonly origin: string;
}

/** A file with a new content. */
export interface Content {
  readonly kind: "content";
  readonly bytes: Uint8Array;
  /** The file on the disk that it was made from or takes the place of, and what that held if it was read. */
  readonly origin?: string | undefined;
  readonly madeFrom?: Uint8Array | undefined;
  readonly permissions?: number | undefined;
}

/** A folder in which something is not as on the disk. */
export interface Folder {
  readonly kind: "folder";
  /** The folder on the disk whose entries it has, but for those named below. */
  readonly origin?: string | undefined;
  /** Undefined for what has gone. */
  readonly children: Map<string, Node | undefined>;
}

export class PlannedTree {
  readonly #top: ConfinedPath;
  readonly root: Folder = { kind: "folder", origin: "", children: new Map() };

  /** `top` is the workspace. */
  constructor(top: ConfinedPath) {
    this.#top = top;
  }

  /** A place of the working tree, whatever is there. */
  at(relative: string): ConfinedPath {
    return relative === "" ? this.#top : relative.split("/").reduce(childOf, this.#top);
  }

  /** What lies on the disk; nothing does below what is not a folder. */
  onDisk(relative: string): Deno.FileInfo | undefined {
    try {
      return lstat(this.at(relative));
    } catch (error) {
      if (error instanceof PaddockError && GONE.has(error.code)) return undefined;
      throw error;
    }
  }

  /** The names in a folder on the disk. What cannot be named, and git's own, cannot be taken apart. */
  namesOnDisk(relative: string): string[] {
    const { entries, unnamed } = readFolderCounted(this.at(relative));
    if (unnamed > 0) {
      throw new PaddockError(
        "UNSUPPORTED",
        `names in ${quote(relative)} are not valid UTF-8; rename them first`,
      );
    }
    const names = entries.map(({ name }) => name).filter((name) => relative !== "" || !isGitName(name));
    if (names.some(isGitName)) {
      throw new PaddockError("UNSUPPORTED", `${quote(relative)} is a git repository of its own`);
    }
    return names.sort();
  }

  find(path: string): Node | undefined {
    let node: Node | undefined = this.root;
    for (const name of namesOf(path)) {
      if (node === undefined) return undefined;
      node = this.child(node, name);
    }
    return node;
  }

  child(node: Node, name: string): Node | undefined {
    if (node.kind === "folder" && node.children.has(name)) return node.children.get(name);
    if (node.kind === "content" || node.origin === undefined) return undefined;
    if (node.kind === "kept" && node.type !== "folder") return undefined;
    return this.#kept(join(node.origin, name));
  }

  /** Puts something at a path, or takes it away; missing folders are made. */
  set(path: string, node: Node | undefined): void {
    const names = namesOf(path);
    const last = names.pop();
    if (last === undefined) throw new PaddockError("INVALID_INPUT", "that is the workspace itself");
    let folder = this.root;
    for (const [i, name] of names.entries()) {
      const child = this.child(folder, name);
      const opened = child === undefined
        ? { kind: "folder" as const, children: new Map() }
        : this.opened(child, names.slice(0, i + 1).join("/"));
      folder.children.set(name, opened);
      folder = opened;
    }
    folder.children.set(last, node);
  }

  /** The node as a folder in which entries can be changed. */
  opened(node: Node, path: string): Folder {
    if (node.kind === "folder") return node;
    if (node.kind === "kept" && node.type === "folder") {
      return { kind: "folder", origin: node.origin, children: new Map() };
    }
    const what = node.kind === "kept" && node.type === "link" ? "a link" : "a file";
    throw new PaddockError("INVALID_INPUT", `${quote(path)} is ${what}, not a folder`);
  }

  /** The names in a folder. */
  names(folder: Folder): string[] {
    const names = new Set(folder.origin === undefined ? [] : this.namesOnDisk(folder.origin));
    for (const [name, child] of folder.children) {
      if (child === undefined) names.delete(name);
      else names.add(name);
    }
    return [...names].sort();
  }

  #kept(origin: string): Kept | undefined {
    const info = this.onDisk(origin);
    if (info === undefined) return undefined;
    const type = info.isSymlink ? "link" : info.isDirectory ? "folder" : info.isFile ? "file" : "other";
    return { kind: "kept", type, origin };
  }
}

const GONE: ReadonlySet<string> = new Set(["NOT_FOUND", "INVALID_INPUT", "OUT_OF_BOUNDS"]);

export function namesOf(path: string): string[] {
  return path === "" ? [] : path.split("/");
}

export function join(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** Whether a path lies below another. */
export function isBelow(path: string, folder: string): boolean {
  return folder === "" ? path !== "" : path.startsWith(`${folder}/`);
}
