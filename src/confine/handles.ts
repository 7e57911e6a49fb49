/** An open file to read from: one opened for reading, or the one that holds a lock. */
import type { KernelPathFile } from "../base/kernel.ts";
import type { NodeFs } from "./node_fs.ts";
import { osCode } from "./os_errors.ts";

/** The facts about an open file, in the terms of Node's file module. */
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
  /** For asking the kernel about the file, if there is one. */
  readonly descriptor: number | undefined;
  /** Whether it was opened with no link on the way. */
  readonly isReal?: true;
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

/**
 * Opened with the kept calls, which cannot say why one of them fails. So a read that fails is repeated through a
 * handle of the runtime, if there is one, which can, as long as that is the same file.
 */
export function kernelHandle(file: KernelPathFile, reopen: (() => Handle) | undefined): Handle {
  const stat = () => statOf(file.info() ?? failed());
  return {
    descriptor: file.descriptor,
    isReal: true,
    stat,
    read: (buffer, position) =>
      file.readAt(buffer as Uint8Array<ArrayBuffer>, position) ??
        readAgain(reopen?.() ?? failed(), { stat, buffer, position }),
    close: () => file[Symbol.dispose](),
  };
}

function readAgain(
  handle: Handle,
  { stat, buffer, position }: { stat: () => HandleStat; buffer: Uint8Array; position: number },
): number {
  try {
    const [own, other] = [stat(), handle.stat()];
    return own.dev === other.dev && own.ino === other.ino ? handle.read(buffer, position) : failed();
  } finally {
    handle.close();
  }
}

function failed(): never {
  throw Object.assign(new Error("input/output error"), { code: "EIO" });
}

/** The lock's holder closes it; if that happens early, the file counts as in use by another. */
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

/** Whether another's lock, or our own through another handle, prevents reading from this one. */
export function isBarred(handle: Handle): boolean {
  try {
    handle.read(new Uint8Array(1), 0);
    return false;
  } catch (error) {
    if (osCode(error) === "EISDIR") return false; // the caller checks the type
    if (osCode(error) !== "EBUSY") throw error;
    return true;
  }
}

function whileOpen<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
    throw Object.assign(new Error("the lock was released in the meantime", { cause: error }), {
      code: "EBUSY",
    });
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
