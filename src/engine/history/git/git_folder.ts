/**
 * The inside of a workspace's `.git`, and nothing else. Anyone who can swap `.git`, or a folder in it, for a
 * link could make paddock read or write anywhere. So the folder's real path is checked before every step, or
 * before the first of several in quick succession, and what is opened must be a regular file. A file opened for
 * writing is proven to be where its path says before the first byte is written; a file given a name is checked
 * under that name. With the kernel's fence nothing outside can be reached, and neither is needed. Paths are
 * relative to `.git`, with `/` between names.
 */
import { Buffer } from "node:buffer";
import { existsSync } from "node:fs";
import { PaddockError } from "../../../base/errors.ts";
import { type Identity, isSameFile } from "../../../base/identity.ts";
import { lstat } from "../../../confine/confined_fs.ts";
import { kernelCalls } from "../../../confine/kernel_calls.ts";
import { fromOsError, isNotFound, osCode } from "../../../confine/os_errors.ts";
import { stampOf } from "../../stamps.ts";
import { KeptFiles } from "./kept_files.ts";
import type { Replacer } from "./replaced_files.ts";
import { quote, SEPARATOR } from "../../../confine/path_rules.ts";
import { BRIEF, isProven, isSame } from "../../../confine/proof.ts";
import { childOf, type ConfinedPath, type ConfinedRoot, resolvePath } from "../../../confine/resolve_path.ts";

export class GitFolder {
  readonly root: ConfinedRoot;
  /** Replaces files, if the replaced ones are to be held open. */
  readonly replacer: Replacer | undefined;
  readonly #path: string;
  #itself: ConfinedPath | undefined;
  /** When folders were last verified, by performance.now(). */
  readonly #verified = new Map<string, number>();
  readonly #paths = new Map<string, ConfinedPath>();
  /** Undefined if files do not stay open between changes. */
  readonly #kept: KeptFiles | undefined;
  readonly #settled = new Map<string, { readonly stamp: string; readonly text: string }>();

  constructor(root: ConfinedRoot, replacer?: Replacer) {
    this.root = root;
    this.replacer = replacer;
    this.#kept = replacer === undefined || Deno.build.os === "windows" ? undefined : new KeptFiles();
    this.#path = root.path + SEPARATOR + ".git";
  }

  /** For functions of the inner fence, which verify it themselves. */
  at(relative: string): ConfinedPath {
    const known = this.#paths.get(relative);
    if (known !== undefined) return known;
    const path = relative.split("/").reduce(childOf, this.itself());
    if (this.#paths.size > 50) this.#paths.clear();
    this.#paths.set(relative, path);
    return path;
  }

  /** What `.git` is; undefined if there is none. */
  statItself(): Deno.FileInfo | undefined {
    return lstat(this.itself());
  }

  itself(): ConfinedPath {
    return this.#itself ??= childOf(resolvePath(this.root, ""), ".git");
  }

  /** What is there; does not follow a link. */
  stat(relative: string): Deno.FileInfo | undefined {
    return this.#about(relative, () => {
      try {
        this.#verify(folderOf(relative));
        return Deno.lstatSync(this.#absolute(relative));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    });
  }

  /**
   * Whether something is there. Meant for what is rarely there: an lstat that fails takes several times as long
   * as one that succeeds. A dangling link counts as nothing.
   */
  has(relative: string): boolean {
    return existsSync(this.#absolute(relative));
  }

  /** The whole file; undefined if there is none, or if it is a folder. */
  read(relative: string): Buffer | undefined {
    return this.#about(relative, () => {
      const info = this.stat(relative);
      if (info === undefined || info.isDirectory) return undefined;
      if (!info.isFile) throw notPlain(relative);
      try {
        const { buffer, byteOffset, byteLength } = Deno.readFileSync(this.#absolute(relative));
        return Buffer.from(buffer, byteOffset, byteLength);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    });
  }

  /** The first bytes of a file; undefined if there is none. */
  readStart(relative: string, length: number): Buffer | undefined {
    try {
      if (this.stat(relative) === undefined) return undefined;
      using file = this.openToRead(relative);
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, file.readSync(bytes) ?? 0);
    } catch (error) {
      if (error instanceof PaddockError && error.code === "NOT_FOUND") return undefined;
      throw error;
    }
  }

  readText(relative: string): string | undefined {
    return this.read(relative)?.toString("utf8");
  }

  /** The text of a file that rarely changes: one that was not touched for a while is not read again. */
  readSettled(relative: string): string | undefined {
    const info = this.has(relative) ? this.stat(relative) : undefined;
    if (info === undefined) return undefined;
    const known = this.#settled.get(relative);
    const stamp = `${stampOf(info)} ${info.ctime?.getTime()}`;
    if (known !== undefined && known.stamp === stamp) return known.text;
    const text = this.readText(relative);
    const changedAt = Math.max(info.mtime?.getTime() ?? Infinity, info.ctime?.getTime() ?? Infinity);
    if (text !== undefined && changedAt < Date.now() - SETTLED_MS) {
      this.#settled.set(relative, { stamp, text });
    }
    return text;
  }

  /** `info` is from a stat right before. */
  openToRead(relative: string, info = this.stat(relative)): Deno.FsFile {
    return this.#about(relative, () => {
      if (info !== undefined && !info.isFile) throw notPlain(relative);
      return Deno.openSync(this.#absolute(relative), { read: true });
    });
  }

  /**
   * Creates a file that must not exist yet, with its content; the caller syncs and closes it. One that cannot
   * be written, on a full disk, is removed.
   */
  create(
    relative: string,
    content: Uint8Array | readonly Uint8Array[],
    { mode }: { mode: number },
  ): Deno.FsFile {
    return this.#about(relative, () => {
      const file = this.#open(relative, { write: true, createNew: true, mode });
      try {
        for (const part of content instanceof Uint8Array ? [content] : content) {
          for (let at = 0; at < part.length;) at += file.writeSync(part.subarray(at));
        }
        return file;
      } catch (error) {
        file.close();
        this.remove(relative);
        throw error;
      }
    });
  }

  /** The same, replacing a file that a crash may have left. */
  recreate(
    relative: string,
    content: Uint8Array | readonly Uint8Array[],
    { mode }: { mode: number },
  ): Deno.FsFile {
    try {
      return this.create(relative, content, { mode });
    } catch (error) {
      if (!(error instanceof PaddockError) || error.code !== "ALREADY_EXISTS") throw error;
      this.remove(relative);
      return this.create(relative, content, { mode });
    }
  }

  /**
   * Writes this content to a file from an offset on and ends it there; creates the file if necessary. The
   * caller syncs it, and calls `giveBack`.
   */
  writeAt(
    relative: string,
    content: Uint8Array,
    { offset, info: known = this.stat(relative) }: { offset: number; info?: Deno.FileInfo | undefined },
  ): Deno.FsFile {
    return this.#about(relative, () => {
      const info = this.#own(relative, known, offset);
      return this.#writeTo(relative, { info, options: { write: true } }, (file) => {
        if ((info?.size ?? 0) > offset) file.truncateSync(offset);
        file.seekSync(offset, Deno.SeekMode.Start);
        for (let at = 0; at < content.length;) at += file.writeSync(content.subarray(at));
      });
    });
  }

  /** Closes a written file, unless it stays open for the next write. */
  giveBack(file: Deno.FsFile): void {
    if (this.#kept?.has(file) !== true) file.close();
  }

  /** Closes the files that stay open between changes. */
  letGo(): void {
    this.#kept?.letGo();
  }

  /** Writes to the file left open last time, or opens and proves one. */
  #writeTo(
    relative: string,
    { info, options }: { info: Deno.FileInfo | undefined; options: Deno.OpenOptions },
    write: (file: Deno.FsFile) => void,
  ): Deno.FsFile {
    const file = this.#kept?.at(relative, info) ??
      this.#open(relative, { ...options, create: true, mode: 0o600 }, { isKept: true });
    try {
      write(file);
      return file;
    } catch (error) {
      if (this.#kept?.has(file) === true) this.#kept.forget(relative);
      else file.close();
      throw error;
    }
  }

  /** A file written in place must have no other name: a hard-linked copy that others have stays as it is. */
  #own(relative: string, info: Deno.FileInfo | undefined, length: number): Deno.FileInfo | undefined {
    if (info === undefined || (info.isFile && (info.nlink ?? 1) === 1)) return info;
    if (!info.isFile) throw notPlain(relative);
    const kept = this.read(relative)?.subarray(0, length) ?? new Uint8Array();
    this.recreate(relative, kept, { mode: 0o600 }).close();
    return this.stat(relative);
  }

  /** Appends to a file; creates it if necessary, unless it `mustExist`. */
  append(relative: string, content: Uint8Array, { mustExist = false } = {}): void {
    this.#about(relative, () => {
      const info = this.stat(relative);
      if (info === undefined && mustExist) return;
      if (info !== undefined && !info.isFile) throw notPlain(relative);
      const file = this.#writeTo(relative, { info, options: { append: true } }, (file) => {
        for (let at = 0; at < content.length;) at += file.writeSync(content.subarray(at));
      });
      this.giveBack(file);
    });
  }

  /**
   * Opens a file for writing. Its folder can be swapped for a link between the check and the open; so the open
   * file is proven to be where its path says, by checks an attacker cannot predict, before anything is written.
   */
  #open(relative: string, options: Deno.OpenOptions, { isKept = false } = {}): Deno.FsFile {
    this.#verify(folderOf(relative));
    const file = Deno.openSync(this.#absolute(relative), options);
    let [keep, info]: [boolean, Deno.FileInfo | undefined] = [false, undefined];
    try {
      const path = this.at(relative);
      const found = info = file.statSync(); // the outer fence refuses this when the file was opened through a link
      keep = isGuarded() || isProven(path, () => isSame(path, found), { rounds: BRIEF });
      if (keep && isKept) this.#kept?.keep(relative, { file, identity: found });
      if (keep) return file;
      throw notPlain(relative);
    } catch (error) {
      if (options.createNew === true) this.#takeAway(relative, info);
      throw error;
    } finally {
      if (!keep) file.close();
    }
  }

  /**
   * `replacing` is the size of the file it replaces, if that one is to be held open. `isSynced` if its content is on
   * disk. One that is not is swapped with the other where that is possible: at a rename, ext4 writes it to disk first.
   */
  rename(
    from: string,
    to: string,
    { replacing, isSynced = true }: { replacing?: number; isSynced?: boolean } = {},
  ): void {
    this.#about(to, () => {
      this.#verify(folderOf(from));
      if (folderOf(to) !== folderOf(from)) this.#verify(folderOf(to));
      const info = isGuarded() ? undefined : Deno.lstatSync(this.#absolute(from));
      const [path, old] = [this.#absolute(to), this.#absolute(from)];
      const rename = () => {
        if (!isSynced && kernelCalls()?.exchange(path, old) === true) Deno.removeSync(old);
        else Deno.renameSync(old, path);
      };
      if (replacing === undefined || this.replacer === undefined) rename();
      else this.replacer.replace(rename, { path, bytes: replacing, isOurs: true });
      if (info !== undefined && !this.#isNamed(to, info)) throw notPlain(to);
    });
  }

  /**
   * Whether a file that was given a name has it, in a real folder. Checks again while the folder is being
   * swapped.
   */
  #isNamed(relative: string, info: Identity): boolean {
    const path = this.at(relative);
    for (let look = 0; look < LOOKS; look++) {
      if (isProven(path, () => isSame(path, info), { rounds: 0 })) return true;
    }
    return false;
  }

  /**
   * Removes a file for as long as a name leads to it, wherever it is: now or never. If the outer fence refuses
   * to say anything about a new file, all we know is that it is empty, and elsewhere.
   */
  #takeAway(relative: string, info: Identity | undefined): void {
    const [path, folder] = [this.at(relative), this.#absolute(folderOf(relative))];
    for (let attempt = 0; attempt < TAKEN_AWAY; attempt++) {
      try {
        const found = Deno.lstatSync(path.absolute);
        const isIt = info === undefined
          ? found.isFile && found.size === 0 && Deno.realPathSync(folder) !== folder
          : isSameFile(found, info);
        if (!isIt) continue;
        return Deno.removeSync(path.absolute);
      } catch (error) {
        if (osCode(error) === undefined) throw error; // not visible at the moment
      }
    }
  }

  /** Gives a file a second name; false if that is taken. */
  link(from: string, to: string): boolean {
    return this.#about(to, () => {
      this.#verify(folderOf(from));
      this.#verify(folderOf(to));
      const info = isGuarded() ? undefined : Deno.lstatSync(this.#absolute(from));
      try {
        Deno.linkSync(this.#absolute(from), this.#absolute(to));
      } catch (error) {
        if (osCode(error) === "EEXIST") return false;
        throw error;
      }
      if (info === undefined || this.#isNamed(to, info)) return true;
      this.#takeAway(to, info); // the file still has its other name
      throw notPlain(to);
    });
  }

  /** Removes a file or a link. False if there was none. */
  remove(relative: string): boolean {
    return this.#about(relative, () => {
      this.#verify(folderOf(relative));
      try {
        Deno.removeSync(this.#absolute(relative));
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    });
  }

  /** The names in a folder; none if it does not exist. */
  list(relative: string): string[] {
    return this.entries(relative).map(({ name }) => name);
  }

  entries(relative: string): Deno.DirEntry[] {
    return this.#about(relative, () => {
      try {
        this.#verify(relative);
        return Array.from(Deno.readDirSync(this.#absolute(relative)));
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    });
  }

  /** Creates a folder, and its parents. */
  makeFolder(relative: string): void {
    if (this.stat(relative)?.isDirectory === true) return;
    if (relative.includes("/")) this.makeFolder(folderOf(relative));
    this.#about(relative, () => {
      this.#verify(folderOf(relative));
      try {
        Deno.mkdirSync(this.#absolute(relative));
      } catch (error) {
        if (osCode(error) !== "EEXIST") throw error;
      }
      this.#verify(relative);
    });
  }

  /**
   * Marks a file as just used, so that nobody tidies it away; that fails silently for another user's file.
   * False if there is none.
   */
  touch(relative: string): boolean {
    return this.#about(relative, () => {
      const now = new Date();
      try {
        using file = this.#open(relative, { read: true });
        file.utimeSync(now, now);
      } catch (error) {
        if (isMissing(error)) return false;
        if (osCode(error) !== "EPERM" && osCode(error) !== "EACCES") throw error;
      }
      return true;
    });
  }

  /** Throws unless `.git` is a real folder of the workspace. Forgets everything verified before. */
  verify(): void {
    this.#verified.clear();
    this.#verify("");
  }

  #absolute(relative: string): string {
    if (relative === "") return this.#path;
    return this.#path + SEPARATOR + (SEPARATOR === "/" ? relative : relative.replaceAll("/", SEPARATOR));
  }

  /** Verifying once covers what the same call does in the next moment. */
  #verify(folder: string): void {
    const now = performance.now();
    const good = isGuarded() ? GUARDED_MS : VERIFIED_MS;
    if (now < (this.#verified.get(folder) ?? -Infinity) + good) return;
    const path = this.#absolute(folder);
    if (Deno.realPathSync(path) !== path) throw notPlain(folder);
    if (this.#verified.size > 50) this.#verified.clear();
    this.#verified.set(folder, now);
  }

  #about<T>(relative: string, action: () => T): T {
    try {
      return action();
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable) throw notPlain(relative); // the outer fence: a link
      throw fromOsError(error, { given: `.git/${relative}` });
    }
  }
}

/** Time stamps come in whole seconds: what changed just now could change again and look the same. */
const SETTLED_MS = 2_000;
/** How long a folder counts as verified: without the kernel's fence, and with it. */
const VERIFIED_MS = 0.05;
const GUARDED_MS = 1;
/** How often to look again at a folder that is being swapped, and at a file that ended up elsewhere. */
const LOOKS = 20;
const TAKEN_AWAY = 100;

/** Whether the kernel keeps every step inside the served directory. */
function isGuarded(): boolean {
  return kernelCalls() !== undefined;
}

function folderOf(relative: string): string {
  return relative.slice(0, Math.max(relative.lastIndexOf("/"), 0));
}

function isMissing(error: unknown): boolean {
  return isNotFound(error) || osCode(error) === "ENOTDIR";
}

function notPlain(relative: string): PaddockError {
  const what = quote(relative === "" ? ".git" : `.git/${relative}`);
  return new PaddockError(
    "UNSUPPORTED",
    `${what} of the workspace is a link, leads through one, or is not a plain file or folder; ` +
      "paddock works only on repositories that are entirely inside their own .git folder",
  );
}
