/** What is at a path of the root right now, as a state. */
import { PaddockError } from "../../base/errors.ts";
import { createHash } from "node:crypto";
import {
  ConfinedFile,
  lstat,
  readFolderRawCounted,
  readLink,
  UnprovenFile,
} from "../../confine/confined_fs.ts";
import { quote } from "../../confine/path_rules.ts";
import { childOf, type ConfinedPath } from "../../confine/resolve_path.ts";
import { hashOpenFile } from "../hash.ts";
import { Pace } from "../yield.ts";
import { hashOf } from "./contents.ts";
import { ABSENT, type Owned, type State } from "./state.ts";

export interface LookOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether a folder is read with everything in it. */
  readonly whole?: boolean;
  /** Whether one look is enough: for what is only compared, thousands of files at a time. */
  readonly quick?: boolean;
}

export async function lookAt(
  path: ConfinedPath,
  { signal, whole = false, quick = false }: LookOptions = {},
): Promise<State> {
  const info = lookShort(path);
  if (info === undefined) return ABSENT;
  const owned = ownedOf(info);
  if (info.isSymlink) return { kind: "link", target: readLink(path) };
  if (info.isDirectory) {
    if (!whole) return { kind: "folder", ...owned };
    const { hash, size } = await hashTree(path, new Pace(signal));
    return { kind: "tree", ...owned, hash, size };
  }
  if (!info.isFile) return { kind: "other" };
  if (quick) return { kind: "file", ...owned, ...await hashQuickly(path) };
  using file = await ConfinedFile.open(path);
  const { hash, size } = await hashOpenFile(file, { algorithm: "sha256", signal });
  return { kind: "file", mode: file.mode, ...file.owner, hash, size };
}

const CHUNK = 64 * 1024;

/** Skips the proof that it is the file that was resolved, which takes longer than reading a small file. */
async function hashQuickly(path: ConfinedPath): Promise<{ hash: string; size: number }> {
  using file = await UnprovenFile.open(path);
  const hash = createHash("sha256");
  const buffer = new Uint8Array(CHUNK);
  const pace = new Pace(undefined);
  for (let size = 0;;) {
    const read = file.readAt(buffer, size);
    if (read === 0) return { hash: hash.digest("hex"), size };
    hash.update(buffer.subarray(0, read));
    size += read;
    if (pace.isDue) await pace.step();
  }
}

/** What is there, without its content; undefined also if a folder on the way is missing or is a file. */
export function lookShort(path: ConfinedPath): Deno.FileInfo | undefined {
  try {
    return lstat(path);
  } catch (error) {
    if (error instanceof PaddockError && (error.code === "NOT_FOUND" || error.code === "INVALID_INPUT")) {
      return undefined;
    }
    throw error;
  }
}

export function ownedOf({ mode, uid, gid }: Deno.FileInfo): Owned {
  return { mode: (mode ?? 0) & 0o7777, uid, gid };
}

/** One hash over the names, kinds, modes and contents of everything in a folder, and the number of its entries. */
export async function hashTree(folder: ConfinedPath, pace: Pace): Promise<{ hash: string; size: number }> {
  const lines: string[] = [];
  await addLines(folder, { lines, pace, prefix: "" });
  return { hash: hashOf(new TextEncoder().encode(lines.join("\n"))), size: lines.length + 1 };
}

async function addLines(
  folder: ConfinedPath,
  { lines, pace, prefix }: { lines: string[]; pace: Pace; prefix: string },
): Promise<void> {
  const { entries, unnamed } = readFolderRawCounted(folder);
  if (unnamed > 0) {
    throw new PaddockError(
      "UNSUPPORTED",
      `${quote(folder.given)} contains names that are not valid UTF-8, which cannot be compared`,
    );
  }
  for (const { name } of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
    await pace.step();
    const path = childOf(folder, name);
    const state = await lookAt(path, { quick: true });
    lines.push(treeLine(prefix + name, state));
    if (state.kind === "folder") await addLines(path, { lines, pace, prefix: `${prefix}${name}/` });
  }
}

/** One entry's line in the hash of a folder. */
export function treeLine(path: string, state: State): string {
  const kind = state.kind === "tree" ? "folder" : state.kind;
  const mode = "mode" in state ? state.mode.toString(8) : "";
  const what = state.kind === "file" ? state.hash : state.kind === "link" ? JSON.stringify(state.target) : "";
  return `${kind} ${mode} ${what} ${JSON.stringify(path)}`;
}
