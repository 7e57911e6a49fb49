/** The subfolders of the engine's two large folders: what each may import, so that data flows one way in them. */

/**
 * Subfolder → what it may import besides itself: subfolders, single files, layers; `engine` means the files directly
 * in src/engine.
 */
const ROOMS: Record<string, readonly string[]> = {
  "search/bytes": ["text"],
  "search/pattern": ["base", "search/bytes"],
  "search/scan": [
    "confine",
    "text",
    "search/bytes",
    "search/pattern",
    "search/findings.ts",
    "search/search_time.ts",
  ],
  "search/walk": [
    "base",
    "text",
    "confine",
    "engine",
    "search/bytes",
    "search/pattern",
    "search/search_time.ts",
  ],
  "search/cache": ["confine", "text", "search/bytes", "search/pattern"],
  "search/crew": [
    "base",
    "confine",
    "engine",
    "search/pattern",
    "search/scan",
    "search/walk",
    "search/cache",
    "search/findings.ts",
    "search/search_time.ts",
  ],
  "history/git": ["base", "text", "confine", "engine"],
  "history/objects": ["base", "engine", "history/git"],
  "history/index": ["base", "confine", "history/git", "history/objects"],
  "history/files": [
    "base",
    "text",
    "confine",
    "engine",
    "search/walk", // globs, for .gitattributes; and the files that .gitignore leaves
    "search/search_time.ts",
    "history/git",
    "history/objects",
    "history/index",
  ],
  "history/change": [
    "base",
    "text",
    "confine",
    "engine",
    "history/git",
    "history/objects",
    "history/index",
    "history/files",
    "history/store.ts",
  ],
  "history/apply": ["base", "text", "confine", "engine", "history/store.ts"],
  "history/look": [
    "base",
    "text",
    "confine",
    "engine",
    "history/git",
    "history/objects",
    "history/index",
    "history/files",
    "history/change",
    "history/store.ts",
  ],
};

/** What others may import from these folders. */
const FRONTS = [
  "src/engine/search/mod.ts",
  "src/engine/search/crew/pool.ts", // the server has one before it loads the rest
  "src/engine/search/crew/serve_searches.ts", // what a search worker runs, and nothing else
  "src/engine/search/crew/search_worker.ts",
  "src/engine/history/mod.ts",
  "src/engine/history/store.ts",
];

/** Whether an import, both paths relative to the repository, obeys the rules. */
export function keepsToRooms(path: string, target: string): boolean {
  const [from, to] = [roomOf(path), roomOf(target)];
  if (from === to) return true;
  if (from !== undefined) return ROOMS[from]?.includes(to ?? placeOf(target)) ?? false;
  const [ours, theirs] = [LARGE.exec(path)?.[1], LARGE.exec(target)?.[1]];
  return theirs === undefined || ours === theirs || FRONTS.includes(target);
}

const LARGE = /^src\/engine\/(search|history)\//;

/** `search/walk` for a file in that subfolder; undefined for all others. */
function roomOf(path: string): string | undefined {
  return /^src\/engine\/((?:search|history)\/[^/]+)\/./.exec(path)?.[1];
}

/** `search/findings.ts`, `engine` or a layer, for what is in no subfolder. */
function placeOf(path: string): string {
  if (LARGE.test(path)) return path.slice("src/engine/".length);
  return /^src\/([^/]+)\/./.exec(path)?.[1] ?? path;
}
