/** What the file system of a directory can do, found by trying: some do not keep what they promise. */
import { hostFacts } from "../../cli/host_facts.ts";
import { type Check, type Finding, finding } from "./finding.ts";
import type { Ground } from "./ground.ts";

/** Another holder of a file's lock; `otherProcess` is whether that is another process. */
export interface LockHolder {
  readonly otherProcess: boolean;
  release(): Promise<void>;
}

export type HoldLock = (path: string) => Promise<LockHolder>;

export function fileSystemChecks(ground: Ground, holdLock: HoldLock): Check[] {
  const check = (name: string, run: () => Promise<Finding[]> | Finding[]): Check => ({ name, run });
  return [
    check("locks between processes", () => locks(ground, holdLock)),
    check("renames replace atomically", () => rename(ground)),
    check("letter case and accents", () => names(ground)),
    check("free space", () => space(ground)),
    check("limits", () => limits(ground)),
  ];
}

async function locks(ground: Ground, holdLock: HoldLock): Promise<Finding[]> {
  const check = "locks between processes";
  const path = `${ground.path}/lock`;
  Deno.writeTextFileSync(path, "");
  const holder = await holdLock(path);
  const shared = isLockable(path);
  await holder.release();
  Deno.removeSync(path);
  if (shared) {
    return [finding(check, "failed", "two holders got the same lock: writers would overwrite each other")];
  }
  const who = holder.otherProcess
    ? "another process"
    : "another handle of this process (which may not start a second one)";
  return [finding(check, "ok", `a lock held by ${who} is respected`)];
}

export function isLockable(path: string): boolean {
  using file = Deno.openSync(path, { read: true, write: true });
  return file.tryLockSync(true);
}

function rename(ground: Ground): Finding[] {
  const check = "renames replace atomically";
  const [from, to] = [`${ground.path}/new`, `${ground.path}/old`];
  Deno.writeTextFileSync(to, "old");
  using reader = Deno.openSync(to, { read: true });
  const isReplaced = (() => {
    using file = Deno.openSync(from, { write: true, createNew: true });
    file.writeSync(new TextEncoder().encode("new"));
    file.syncSync();
    Deno.renameSync(from, to);
    using folder = Deno.openSync(ground.path, { read: true });
    if (Deno.build.os !== "windows") folder.syncSync();
    return Deno.readTextFileSync(to) === "new";
  })();
  const bytes = new Uint8Array(3);
  const kept = reader.readSync(bytes) === 3 && new TextDecoder().decode(bytes) === "old";
  Deno.removeSync(to);
  if (!isReplaced) return [finding(check, "failed", "the old content is still there after a rename")];
  if (!kept) return [finding(check, "failed", "a reader of the old file got something else")];
  return [finding(check, "ok", "file and folder can be flushed to disk")];
}

function names(ground: Ground): Finding[] {
  const pairs: [a: string, b: string, kept: string, merged: string][] = [
    ["case", "CASE", "upper and lower case differ", "upper and lower case are the same"],
    [
      "\u00e9",
      "e\u0301",
      "accented letters are kept as written",
      "accented letters match however they are encoded",
    ],
  ];
  const traits = pairs.map(([a, b, kept, merged]) => {
    Deno.writeTextFileSync(`${ground.path}/${a}`, "");
    const same = exists(`${ground.path}/${b}`);
    Deno.removeSync(`${ground.path}/${a}`);
    return same ? merged : kept;
  });
  return [finding("letter case and accents", "ok", traits.join("; "))];
}

const LITTLE_SPACE = 100 * 1024 * 1024;

async function space(ground: Ground): Promise<Finding[]> {
  const check = "free space";
  const { statfsSync } = await import("node:fs");
  let free: number, files: number;
  try {
    const { bavail, bsize, ffree, files: all } = statfsSync(ground.path);
    free = bavail * bsize;
    files = all === 0 ? Infinity : ffree; // some file systems do not count files
  } catch (error) {
    return [finding(check, "skipped", error instanceof Error ? error.message : String(error))];
  }
  const detail = `${Math.floor(free / 1024 / 1024)} MiB${files < Infinity ? `, ${files} more files` : ""}`;
  return [finding(check, free < LITTLE_SPACE || files < 1_000 ? "warning" : "ok", detail)];
}

const FEW_FILES = 256;

function limits(ground: Ground): Finding[] {
  const check = "limits";
  const name = `${ground.path}/${"n".repeat(255)}`;
  let longest = "names of 255 bytes";
  try {
    Deno.writeTextFileSync(name, "");
    Deno.removeSync(name);
  } catch {
    longest = "names shorter than 255 bytes";
  }
  const { openFiles: open } = hostFacts();
  if (open === undefined) return [finding(check, "ok", longest)];
  const status = open < FEW_FILES ? "warning" : "ok";
  return [finding(check, status, `${longest}, ${open} open files (ulimit -n)`)];
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
