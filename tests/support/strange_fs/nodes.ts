/** The files and folders of the strange file system, in memory, and the rules of its traits. */
import type { Traits } from "./traits.ts";

export const ERRNO = {
  EPERM: 1,
  ENOENT: 2,
  EBADF: 9,
  EAGAIN: 11,
  EBUSY: 16,
  EEXIST: 17,
  ENOTDIR: 20,
  EISDIR: 21,
  EINVAL: 22,
  ENOSYS: 38,
  ENOTEMPTY: 39,
  EOPNOTSUPP: 95,
} as const;

/** How an operation failed; the kernel gets the number. */
export class Refused extends Error {
  readonly errno: number;

  constructor(name: keyof typeof ERRNO) {
    super(name);
    this.errno = ERRNO[name];
  }
}

export const FOLDER = 0o040000;
export const FILE = 0o100000;
export const LINK = 0o120000;
const TYPE = 0o170000;

/** Nanoseconds since 1970. */
const now = () => BigInt(Date.now()) * 1_000_000n;

export class Node {
  readonly id: number;
  readonly born = now();
  mode: number;
  uid = 0;
  gid = 0;
  nlink: number;
  mtime = now();
  ctime = now();
  content: Uint8Array = new Uint8Array();
  size = 0;
  /** For a folder, by folded name. */
  readonly entries = new Map<string, { name: string; node: Node }>();
  /** The handles that have it open. */
  readonly handles = new Set<number>();
  /** The handle that holds its lock. */
  locked: number | undefined;
  scansLeft = 0;

  constructor(id: number, mode: number) {
    this.id = id;
    this.mode = mode;
    this.nlink = this.isFolder ? 2 : 1;
  }

  get isFolder(): boolean {
    return (this.mode & TYPE) === FOLDER;
  }

  touch(): void {
    this.mtime = this.ctime = now();
  }

  read(offset: number, length: number): Uint8Array {
    return this.content.subarray(Math.min(offset, this.size), Math.min(offset + length, this.size));
  }

  write(offset: number, bytes: Uint8Array): void {
    this.#reserve(offset + bytes.length);
    this.content.set(bytes, offset);
    this.size = Math.max(this.size, offset + bytes.length);
    this.touch();
  }

  resize(size: number): void {
    this.#reserve(size);
    this.content.fill(0, Math.min(size, this.size));
    this.size = size;
    this.touch();
  }

  #reserve(size: number): void {
    if (size <= this.content.length) return;
    const larger = new Uint8Array(Math.max(size, this.content.length * 2, 4096));
    larger.set(this.content.subarray(0, this.size));
    this.content = larger;
  }
}

export class Nodes {
  readonly traits: Traits;
  readonly #all = new Map<number, Node>();
  readonly #open = new Map<number, Node>();
  #lastId = 0;
  #lastHandle = 0;

  constructor(traits: Traits) {
    this.traits = traits;
    this.#make(FOLDER | 0o755);
  }

  at(id: number): Node {
    const node = this.#all.get(id);
    if (node === undefined) throw new Refused("ENOENT");
    return node;
  }

  /** The number that programs see. */
  inode({ id }: Node): bigint {
    return this.traits.largeIds ? (1n << 60n) + BigInt(id) : BigInt(id);
  }

  lookUp(folder: Node, name: string): Node {
    const entry = folder.entries.get(this.#key(name));
    if (entry === undefined) throw new Refused("ENOENT");
    return entry.node;
  }

  create(folder: Node, name: string, mode: number): Node {
    if (folder.entries.has(this.#key(name))) throw new Refused("EEXIST");
    const node = this.#make(mode);
    this.#name(folder, name, node);
    return node;
  }

  link(node: Node, folder: Node, name: string): void {
    if (this.traits.noHardLinks) throw new Refused("EISDIR");
    if (folder.entries.has(this.#key(name))) throw new Refused("EEXIST");
    this.#name(folder, name, node);
    node.nlink++;
    node.ctime = now();
  }

  remove(folder: Node, name: string, kind: "file" | "folder"): void {
    const node = this.lookUp(folder, name);
    if (kind === "file" && node.isFolder) throw new Refused("EISDIR");
    if (kind === "folder" && !node.isFolder) throw new Refused("ENOTDIR");
    if (node.entries.size > 0) throw new Refused("ENOTEMPTY");
    folder.entries.delete(this.#key(name));
    folder.touch();
    node.nlink -= node.isFolder ? 2 : 1;
    node.ctime = now();
  }

  rename(from: { folder: Node; name: string }, to: { folder: Node; name: string }): void {
    const node = this.lookUp(from.folder, from.name);
    const there = to.folder.entries.get(this.#key(to.name))?.node;
    const isOneEntry = from.folder === to.folder && this.#key(from.name) === this.#key(to.name);
    if (there === node && !isOneEntry) return; // two names of one file stay as they are
    if (there !== undefined && !isOneEntry) {
      if (there.isFolder !== node.isFolder) throw new Refused(there.isFolder ? "EISDIR" : "ENOTDIR");
      if (there.entries.size > 0) throw new Refused("ENOTEMPTY");
      if (this.traits.keepsOpenFiles && there.handles.size > 0) throw new Refused("EPERM");
      this.remove(to.folder, to.name, there.isFolder ? "folder" : "file");
    }
    from.folder.entries.delete(this.#key(from.name));
    this.#name(to.folder, to.name, node);
    if (to.name.startsWith("scanned")) node.scansLeft = this.traits.scans ?? 0;
    from.folder.touch();
    node.ctime = now();
  }

  open(node: Node): number {
    if (node.scansLeft > 0) {
      node.scansLeft--;
      throw new Refused("EBUSY");
    }
    const handle = ++this.#lastHandle;
    node.handles.add(handle);
    this.#open.set(handle, node);
    return handle;
  }

  close(handle: number): void {
    const node = this.#open.get(handle);
    if (node === undefined) return;
    node.handles.delete(handle);
    if (node.locked === handle) node.locked = undefined;
    this.#open.delete(handle);
  }

  /** The open file, unless another handle holds its lock and locks are mandatory. */
  forContent(handle: number): Node {
    const node = this.#open.get(handle);
    if (node === undefined) throw new Refused("EBADF");
    const isKeptOut = this.traits.mandatoryLocks && node.locked !== undefined && node.locked !== handle;
    if (isKeptOut) throw new Refused("EBUSY");
    return node;
  }

  lock(handle: number, wanted: "lock" | "unlock"): void {
    const node = this.#open.get(handle);
    if (node === undefined) throw new Refused("EBADF");
    if (wanted === "unlock") {
      if (node.locked === handle) node.locked = undefined;
      return;
    }
    if (node.locked !== undefined && node.locked !== handle) throw new Refused("EAGAIN");
    node.locked = handle;
  }

  sync(): void {
    if (this.traits.noSync) throw new Refused("EOPNOTSUPP");
  }

  #make(mode: number): Node {
    const node = new Node(++this.#lastId, mode);
    this.#all.set(node.id, node);
    return node;
  }

  #name(folder: Node, name: string, node: Node): void {
    folder.entries.set(this.#key(name), { name, node });
    folder.touch();
  }

  #key(name: string): string {
    return this.traits.foldsCase ? name.normalize("NFC").toLowerCase() : name;
  }
}
