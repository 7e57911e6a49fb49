import * as s from "../../../tools/schema/mod.ts";
import { PaddockError } from "../../../base/errors.ts";
import type { ConfinedPath } from "../../../engine/fence.ts";
import type { ClassicContext } from "../context.ts";
import { defineTextAnswer } from "../define_tool.ts";
import { compileClassicGlob, compileClassicGlobs, type Matches } from "../globs.ts";
import { FolderWalk } from "../walk_folder.ts";

export const searchFiles = defineTextAnswer({
  name: "search_files",
  title: "Search Files",
  description: "Recursively search for files and directories matching a pattern. " +
    "The patterns should be glob-style patterns that match paths relative to the working directory. " +
    "Use pattern like '*.ext' to match files in current directory, and '**/*.ext' to match files in all subdirectories. " +
    "Returns full paths to all matching items. Great for finding files when you don't know their exact location. " +
    "Only searches within allowed directories.",
  access: "read",
  input: s.object({
    path: s.string(),
    pattern: s.string(),
    excludePatterns: s.array(s.string()).optional().default([]),
  }),
  run: async ({ path, pattern, excludePatterns }, context) => {
    const matches = await compileClassicGlob(pattern);
    const isExcluded = await compileClassicGlobs(excludePatterns);
    const search = { context, walk: new FolderWalk(context), matches, isExcluded, found: [] };
    await searchIn(context.resolve(path), "", search);
    return search.found.length === 0 ? "No matches found" : search.found.join("\n");
  },
});

interface Search {
  context: ClassicContext;
  walk: FolderWalk;
  matches: Matches;
  isExcluded: Matches;
  found: string[];
}

/** `below` is the path from where the search began, with a trailing slash. */
async function searchIn(folder: ConfinedPath, below: string, search: Search): Promise<void> {
  const { walk, matches, isExcluded, found, context } = search;
  for (const { name, isDirectory, isLink, path } of await walk.entries(folder)) {
    await walk.step();
    const relative = below + name;
    if (isExcluded(relative) || (isLink && !leadsInside(path, context))) continue;
    if (matches(relative)) {
      walk.count(path.absolute.length + 1);
      found.push(path.absolute);
    }
    if (isDirectory) await unlessRefused(() => searchIn(path, `${relative}/`, search));
  }
}

function leadsInside({ absolute }: ConfinedPath, { resolve }: ClassicContext): boolean {
  try {
    resolve(absolute);
    return true;
  } catch (error) {
    if (error instanceof PaddockError) return false;
    throw error;
  }
}

/** Skips a folder that may not be read, or disappears. */
async function unlessRefused(look: () => Promise<void>): Promise<void> {
  try {
    await look();
  } catch (error) {
    const isPassing = error instanceof PaddockError && error.code !== "TIMEOUT" && error.code !== "TOO_LARGE";
    if (!isPassing) throw error;
  }
}
