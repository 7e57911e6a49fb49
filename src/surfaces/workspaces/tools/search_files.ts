import * as s from "../../../tools/schema/mod.ts";
import { compactPaths } from "../../../text/compact_tree.ts";
import { defineTool } from "../../../tools/tool.ts";
import { pageText } from "../compact.ts";
import type { WorkspacesContext } from "../context.ts";
import { compileExcludes, pathGlob } from "../globs.ts";
import {
  excludeArgument,
  folderArgument,
  pageArguments,
  pageOf,
  pageResults,
  workspaceArgument,
} from "../schemas.ts";

/** How much of its time a search leaves for the answer. */
const MARGIN_MS = 200;

export const searchFiles = defineTool({
  name: "fs_search_files",
  title: "Search files",
  description:
    "Find files and folders by name with a glob: without a slash at any depth (`*.md`), with one from `path` (`src/**/*.ts`), with a trailing one folders only (`docs/`).",
  details:
    "Find files and folders below a folder by name, with a glob: `*`, `?`, `[a-z]`, `{a,b}`, and `**` for any number of " +
    "folders. A pattern without a slash matches names at any depth (`*.ts`); one with a slash matches paths from " +
    "the searched folder (`src/**/*.ts`). One that ends in a slash finds folders only (`docs/`). Results are paths from " +
    "the workspace, sorted. " +
    'Example: {"workspaceId":"my-first-workspace","pattern":"*.md","excludePatterns":["node_modules"]}.',
  access: "read",
  input: s.strictObject({
    workspaceId: workspaceArgument,
    path: folderArgument,
    pattern: s.string().min(1).max(1_000),
    excludePatterns: excludeArgument,
    ...pageArguments("matches"),
  }),
  output: s.object({
    matches: s.array(s.string()),
    ...pageResults,
    timedOut: s.boolean().describe("Whether time was up first; then search a narrower path."),
    skipped: s.int().describe("Folders that could not be read."),
  }),
  compact: function* ({ matches, nextOffset, timedOut }) {
    const paths = yield* compactPaths(matches.map((path) => ({ path, type: "file" })));
    const found = pageText([paths], { nextOffset });
    return timedOut ? `${found}\n(time was up; search a narrower path)` : found;
  },
  run: async ({ workspaceId, path, pattern, excludePatterns, ...paging }, context: WorkspacesContext) => {
    const workspace = await context.open(workspaceId);
    const folder = workspace.resolve(path);
    const prefix = folder.relative === "" ? 0 : folder.relative.length + 1;
    const excludes = await compileExcludes(excludePatterns);
    const { compileGlob, find } = await import("../../../engine/search/mod.ts"); // large, and not always needed
    compileGlob(pattern); // reports errors in the pattern as it was given
    const found = await find(folder, {
      glob: pathGlob(pattern),
      // Excluded paths are known only afterwards, so nobody can say how many results are enough.
      maxResults: excludePatterns.length === 0 ? paging.offset + paging.limit + 1 : Infinity,
      timeoutMs: context.timeoutMs - MARGIN_MS,
      signal: context.call.signal,
      mayEnter: (inner) => !excludes(inner.relative.slice(prefix)),
    });
    const all = found.matches.map((match) => match.path).filter((match) => !excludes(match.slice(prefix)));
    const { page, truncated, ...rest } = pageOf(all, paging);
    return {
      value: {
        matches: page,
        truncated: truncated || found.truncated || found.timed_out,
        ...rest,
        timedOut: found.timed_out,
        skipped: found.skipped,
      },
    };
  },
});
