/**
 * A client's configuration file: read as a whole, and replaced entirely or not at all. A link to the file
 * (people keep such files elsewhere) stays a link; mode and owner stay; a backup is kept next to it.
 */
import { UsageError } from "../../base/errors.ts";
import { quote } from "../../cli/mistakes.ts";
import { whyUnusable } from "../../cli/read_file.ts";

const LARGEST = 16 * 1024 * 1024;

export interface ConfigFile {
  /** As the user named it. */
  readonly named: string;
  /** Its real path. */
  readonly path: string;
  /** Undefined if the file does not exist yet. */
  readonly text: string | undefined;
}

/** Throws a UsageError if what is there cannot be such a file. */
export function readConfigFile(named: string): ConfigFile {
  const path = realPlace(named);
  if (path === undefined) return { named, path: named, text: undefined };
  const { isFile, size } = Deno.statSync(path);
  if (!isFile) throw unusable(named, "is not a regular file");
  if (size > LARGEST) throw unusable(named, `is larger than ${LARGEST} bytes`);
  return { named, path, text: readText(named, path) };
}

/** Replaces the file's text and returns the path of the backup. Throws a UsageError if it cannot. */
export function replaceConfigFile(file: ConfigFile, text: string): string | undefined {
  const temporary = `${file.path}.${crypto.randomUUID().slice(0, 8)}.tmp`;
  let backup: string | undefined;
  try {
    if (file.text === undefined) Deno.mkdirSync(folderOf(file.path), { recursive: true });
    else backup = keepCopy(file.path, file.text);
    writeNew(temporary, text, file.text === undefined ? undefined : Deno.statSync(file.path));
    if (currentText(file) !== file.text) {
      throw unusable(file.named, "was changed by another program in the meantime");
    }
    Deno.renameSync(temporary, file.path);
    return backup;
  } catch (error) {
    for (const left of [temporary, backup]) if (left !== undefined) removeIfThere(left);
    if (error instanceof UsageError || !(error instanceof Error)) throw error;
    throw unusable(file.named, `cannot be written: ${error.message}`);
  }
}

function folderOf(path: string): string {
  const cut = Math.max(path.lastIndexOf("/"), Deno.build.os === "windows" ? path.lastIndexOf("\\") : -1);
  return cut < 0 ? "." : path.slice(0, cut) || "/";
}

/** Undefined if nothing is there; a dangling link is an error. */
function realPlace(named: string): string | undefined {
  try {
    return Deno.realPathSync(named);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw unusable(named, whyUnusable(error));
  }
  try {
    Deno.lstatSync(named);
  } catch {
    return undefined;
  }
  throw unusable(named, "is a symbolic link to nothing");
}

function currentText(file: ConfigFile): string | undefined {
  return realPlace(file.named) === undefined ? undefined : readText(file.named, file.path);
}

function readText(named: string, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Deno.readFileSync(path));
  } catch (error) {
    throw unusable(named, error instanceof TypeError ? "is not UTF-8 text" : whyUnusable(error));
  }
}

/** Such files hold other servers' keys: a copy must never be readable by more people than the file. */
function keepCopy(path: string, text: string): string {
  for (let n = 1;; n++) {
    const backup = n === 1 ? `${path}.bak` : `${path}.bak${n}`;
    try {
      writeNew(backup, text, Deno.statSync(path));
      return backup;
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists) || n >= 1000) throw error;
    }
  }
}

function writeNew(path: string, text: string, like: Deno.FileInfo | undefined): void {
  const options = { write: true, createNew: true, ...(like === undefined ? {} : { mode: 0o600 }) };
  using file = Deno.openSync(path, options);
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
  const made = file.statSync();
  if (like?.uid !== undefined && like.uid !== null && (like.uid !== made.uid || like.gid !== made.gid)) {
    Deno.chownSync(path, like.uid, like.gid);
  }
  if (like?.mode !== undefined && like.mode !== null && Deno.build.os !== "windows") {
    Deno.chmodSync(path, like.mode & 0o7777);
  }
  file.syncSync();
}

function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

function unusable(named: string, why: string): UsageError {
  return new UsageError([`the file ${quote(named)} ${why}; nothing was changed`]);
}
