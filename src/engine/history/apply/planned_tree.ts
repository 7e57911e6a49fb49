/**
 * A working tree as it would be after planned operations. What no operation has touched is still on disk, under its
 * name there; folders are expanded only where something in them changes.
 */
import { PaddockError } from "../../../base/errors.ts";
import { lstat, readFolderCounted } from "../../../confine/confined_fs.ts";
import { isGitName, quote } from "../../../confine/path_rules.ts";
import { childOf, type ConfinedPath } from "../../../confine/resolve_path.ts";

export type Node = Kept | Content | Folder;

/** Something on disk, whole and unchanged. */
export interface Kept {
  readonly kind: "kept";
  readonly type: "file" | "folder" | "link" | "other";
  /** Its path on disk, relative to the workspace. */
  readonly origin: string;
}

/** A file with new content. */
export interface Content {
  readonly kind: "content";
  readonly bytes: Uint8Array;
  /** The file on disk that it was made from or replaces, and what that held if it was read. */
  readonly origin?: string | undefined;
  readonly madeFrom?: Uint8Array | undefined;
  readonly permissions?: number | undefined;
}

/** A folder in which something differs from the disk. */
export interface Folder {
  readonly kind: "folder";
  /** The folder on disk whose entries it has, except for those in `children`. */
  readonly origin?: string | undefined;
  /** Undefined for what was removed. */
  readonly children: Map<string, Node | undefined>;
}

export class PlannedTree {
  readonly #top: ConfinedPath;
  readonly root: Folder = { kind: "folder", origin: "", children: new Map() };

  /** `top` is the workspace. */
  constructor(top: ConfinedPath) {
    this.#top = top;
  }

  /** A place in the working tree, whatever is there. */
  at(relative: string): ConfinedPath {
    return relative === "" ? this.#top : relative.split("/").reduce(childOf, this.#top);
  }

  /** What is on disk; below anything but a folder there is nothing. */
  onDisk(relative: string): Deno.FileInfo | undefined {
    try {
      return lstat(this.at(relative));
    } catch (error) {
      if (error instanceof PaddockError && GONE.has(error.code)) return undefined;
      throw error;
    }
  }

  /**
   * The names in a folder on disk. Throws for names that are not UTF-8, and for a nested repository: neither can be
   * expanded.
   */
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
      throw new PaddockError("UNSUPPORTED", `${quote(relative)} is a nested git repository`);
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

  /** Sets or removes what is at a path; creates missing folders. */
  set(path: string, node: Node | undefined): void {
    const names = namesOf(path);
    const last = names.pop();
    if (last === undefined) throw new PaddockError("INVALID_INPUT", "the path is the workspace itself");
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

  /** The node as a folder whose entries can be changed. */
  opened(node: Node, path: string): Folder {
    if (node.kind === "folder") return node;
    if (node.kind === "kept" && node.type === "folder") {
      return { kind: "folder", origin: node.origin, children: new Map() };
    }
    const what = node.kind === "kept" && node.type === "link" ? "a link" : "a file";
    throw new PaddockError("INVALID_INPUT", `${quote(path)} is ${what}, not a folder`);
  }

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

export function isBelow(path: string, folder: string): boolean {
  return folder === "" ? path !== "" : path.startsWith(`${folder}/`);
}
