/** An open file that is read from, be it opened for that or the one that holds a lock. */
import { type NodeFs } from "./node_fs.ts";
import { osCode } from "./os_errors.ts";

/** What is known of an open file, in the words of Node's file module. */
export interface HandleStat {
  readonly dev: number;
  readonly ino: number | null;
  readonly birthtime: Date | null;
  readonly size: number;
  readonly mode: number | null;
  readonly uid: number | null;
  readonly gid: number | null;
  readonly mtimeMs: number;
  readonly ctimeMs: number | undefined;
  isFile(): boolean;
  isDirectory(): boolean;
}

export interface Handle {
  /** By which the kernel can be asked about it, if there is one. */
  readonly descriptor: number | undefined;
  stat(): HandleStat;
  read(buffer: Uint8Array, position: number): number;
  close(): void;
}

export function openedHandle(fs: NodeFs, fd: number): Handle {
  return {
    descriptor: fd,
    stat: () => fs.fstatSync(fd),
    read: (buffer, position) => fs.readSync(fd, buffer, 0, buffer.length, position),
    close: () => fs.closeSync(fd),
  };
}

/** Whoever holds the lock closes it; one that was closed before its time is as good as in use by another. */
export function lockingHandle(file: Deno.FsFile): Handle {
  return {
    descriptor: undefined,
    stat: () => whileOpen(() => statOf(file.statSync())),
    read: (buffer, position) =>
      whileOpen(() => {
        file.seekSync(position, Deno.SeekMode.Start);
        return buffer.length === 0 ? 0 : file.readSync(buffer) ?? 0;
      }),
    close: () => {},
  };
}

/** Whether another's lock, or one of our own by another handle, keeps this one from being read. */
export function isBarred(handle: Handle): boolean {
  try {
    handle.read(new Uint8Array(1), 0);
    return false;
  } catch (error) {
    if (osCode(error) === "EISDIR") return false; // that is told by who asks what it is
    if (osCode(error) !== "EBUSY") throw error;
    return true;
  }
}

function whileOpen<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
    throw Object.assign(new Error("the lock was given back meanwhile", { cause: error }), { code: "EBUSY" });
  }
}

function statOf(info: Deno.FileInfo): HandleStat {
  const { dev, ino, birthtime, size, mode, uid, gid, mtime, ctime, isFile, isDirectory } = info;
  return {
    dev,
    ino,
    birthtime,
    size,
    mode,
    uid,
    gid,
    mtimeMs: mtime?.getTime() ?? 0,
    ctimeMs: ctime?.getTime(),
    isFile: () => isFile,
    isDirectory: () => isDirectory,
  };
}
