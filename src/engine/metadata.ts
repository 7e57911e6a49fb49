/** What a file, folder or link is: type, size, times, owner and mode, as plain data for the surfaces. */
import type { HostFacts } from "../base/config.ts";
import { PaddockError } from "../base/errors.ts";
import { bornFor } from "../base/identity.ts";
import { isoTime } from "../base/iso_time.ts";
import { linkTarget, lstat, readFolderCounted, statesOfChildren } from "../confine/confined_fs.ts";
import { childOf, type ConfinedPath, nameOf } from "../confine/resolve_path.ts";
import { modeString, octalMode } from "./mode_string.ts";
import { sortInSteps } from "./sort_in_steps.ts";
import { inSteps, Pace } from "./yield.ts";

export type EntryType = "file" | "directory" | "symlink" | "other";

/** What is known about anything that has a name. */
export interface Facts {
  type: EntryType;
  size: number;
  /** ISO 8601. */
  modifiedAt: string;
  mtimeMs: number;
  ino: number | null;
}

export interface EntryInfo extends Facts {
  name: string;
  createdAt: string | undefined;
  /** For a link: what it leads to, if that is inside the root. */
  target: Facts | { type: "external" | "missing" } | undefined;
}

/** What is at a path; a link is described itself, with its target beside it. */
export function describeEntry(path: ConfinedPath, noun = "file"): EntryInfo {
  const info = lstat(path);
  if (info === undefined) {
    throw new PaddockError("NOT_FOUND", `${noun} not found: ${path.given}`);
  }
  return {
    name: nameOf(path),
    ...common(info),
    createdAt: info.birthtime?.toISOString(),
    target: info.isSymlink ? describeTarget(path) : undefined,
  };
}

/** What is at a path (a link itself), and what distinguishes it from another that replaces it. */
export interface Identified {
  type: EntryType;
  identity: string;
}

/** Undefined if nothing is there. Inode numbers are reused, so the birth time is included. */
export function identify(path: ConfinedPath): Identified | undefined {
  const info = lstat(path);
  if (info === undefined) return undefined;
  return { type: typeOf(info), identity: `${info.ino} ${bornFor(info)}` };
}

/** What the system says about an entry, unchanged. */
export interface Stat {
  type: EntryType;
  size: number;
  created: Date;
  modified: Date;
  accessed: Date;
  mode: number;
}

/** Undefined if nothing is there. A link is described itself. */
export function statEntry(path: ConfinedPath): Stat | undefined {
  const info = lstat(path);
  if (info === undefined) return undefined;
  const modified = info.mtime ?? new Date(0);
  return {
    type: typeOf(info),
    size: info.size,
    created: info.birthtime ?? info.ctime ?? modified,
    modified,
    accessed: info.atime ?? modified,
    mode: info.mode ?? 0,
  };
}

/** The usual names. */
export const TYPES = { file: "file", folder: "directory", link: "symlink", other: "other" } as const;

/** How many entries are read in one go, for a few milliseconds. */
const BATCH = 256;

export interface Listing {
  entries: EntryInfo[];
  /** How many more there are, with names that are not valid UTF-8. */
  unnamed: number;
}

/** The entries of a folder, sorted by name. An entry that disappears meanwhile is left out. */
export async function listFolder(folder: ConfinedPath, signal?: AbortSignal): Promise<EntryInfo[]> {
  return (await listFolderCounted(folder, signal)).entries;
}

export async function listFolderCounted(folder: ConfinedPath, signal?: AbortSignal): Promise<Listing> {
  const pace = new Pace(signal);
  const entries: EntryInfo[] = [];
  const found = readFolderCounted(folder);
  const names = await inSteps(sortInSteps(found.entries.map((entry) => entry.name)), pace);
  for (let start = 0; start < names.length; start += BATCH) {
    const batch = names.slice(start, start + BATCH);
    for (const [i, state] of statesOfChildren(folder, batch).entries()) {
      const name = batch[i];
      if (name === undefined || state === undefined) continue;
      const { kind, size, ino } = state;
      const mtimeMs = Math.floor(state.mtimeMs);
      const modifiedAt = isoTime(mtimeMs);
      const target = kind === "link" ? describeTarget(childOf(folder, name)) : undefined;
      entries.push({
        name,
        type: TYPES[kind],
        size,
        modifiedAt,
        mtimeMs,
        ino,
        createdAt: undefined,
        target,
      });
    }
    await pace.step();
  }
  return { entries, unnamed: found.unnamed };
}

export interface Permissions {
  owner: string;
  group: string;
  mode: string;
  modeString: string;
}

/** Owner, group and mode. Numbers stand in for unknown names. */
export function describePermissions(path: ConfinedPath, host: HostFacts): Permissions {
  const info = lstat(path);
  if (info === undefined) throw new PaddockError("NOT_FOUND", `file not found: ${path.given}`);
  const mode = info.mode ?? 0;
  return {
    owner: nameFor(info.uid, host.users),
    group: nameFor(info.gid, host.groups),
    mode: octalMode(mode),
    modeString: modeString(mode, typeOf(info)),
  };
}

function nameFor(id: number | null, names: HostFacts["users"]): string {
  if (id === null) return "unknown";
  return names.find(([known]) => known === id)?.[1] ?? String(id);
}

function describeTarget(path: ConfinedPath): EntryInfo["target"] {
  const target = linkTarget(path);
  if (target.place === "inside") return common(target.info);
  return { type: target.place === "outside" ? "external" : "missing" };
}

function common(info: Deno.FileInfo): Facts {
  const mtime = info.mtime ?? new Date(0);
  return {
    type: typeOf(info),
    size: info.size,
    modifiedAt: mtime.toISOString(),
    mtimeMs: mtime.getTime(),
    ino: info.ino,
  };
}

function typeOf(info: Deno.FileInfo): EntryType {
  if (info.isSymlink) return "symlink";
  if (info.isDirectory) return "directory";
  return info.isFile ? "file" : "other";
}
