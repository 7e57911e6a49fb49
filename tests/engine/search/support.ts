/** What the tests of walking and searching share. */
import type { ConfinedPath } from "../../../src/confine/resolve_path.ts";
import { SearchTime } from "../../../src/engine/search/search_time.ts";
import { walk, type WalkOptions } from "../../../src/engine/search/walk/walk.ts";

/** Everything a walk returns, as `path` for files, `path/` for folders, `path@` for links and `path?` for others. */
export async function walked(folder: ConfinedPath, options: Partial<WalkOptions> = {}): Promise<string[]> {
  const marks = { file: "", directory: "/", symlink: "@", other: "?" };
  const found: string[] = [];
  for await (const { below, type } of walk(folder, { time: new SearchTime({}), ...options })) {
    found.push(below + marks[type]);
  }
  return found;
}

/** Swaps a folder, or a file, for a link; what was there stays beside it under another name. */
export function swap(path: string, target: string): void {
  Deno.renameSync(path, `${path}-away`);
  Deno.symlinkSync(target, path);
}

/** A line of a and b without any pattern: with (a|b)*a(a|b){999} nearly every byte leads to a new state. */
export function hardLine(length: number): Uint8Array {
  let seed = 1;
  return Uint8Array.from({ length }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 16) & 1 ? 0x61 : 0x62;
  });
}

/** Runs the body with a clock that advances by this much at every look, however fast the machine is. */
export async function withClock<T>(stepMs: number, body: () => Promise<T>): Promise<T> {
  const { now } = performance;
  let time = 0;
  performance.now = () => time += stepMs;
  try {
    return await body();
  } finally {
    performance.now = now;
  }
}

/** Runs the body, and each action right after its folder was listed, before any of its files is opened. */
export async function afterListing<T>(
  actions: Readonly<Record<string, () => void>>,
  body: () => Promise<T>,
): Promise<T> {
  const { readDirSync, lstatSync } = Deno;
  const listed = new Set<string>();
  const done = new Set<string>();
  Deno.readDirSync = (path) => {
    listed.add(String(path));
    return readDirSync(path);
  };
  Deno.lstatSync = (path) => { // the last check of a folder, after it was read
    const info = lstatSync(path);
    const folder = String(path);
    if (listed.has(folder) && !done.has(folder)) {
      done.add(folder);
      actions[folder]?.();
    }
    return info;
  };
  try {
    return await body();
  } finally {
    Object.assign(Deno, { readDirSync, lstatSync });
  }
}
