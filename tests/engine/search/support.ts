/** What the tests of walking and searching share. */
import { type ConfinedPath } from "../../../src/confine/resolve_path.ts";
import { SearchTime } from "../../../src/engine/search/search_time.ts";
import { walk, type WalkOptions } from "../../../src/engine/search/walk.ts";

/** Everything a walk gives, as `path` for files, `path/` for folders, `path@` for links and `path?` for others. */
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
