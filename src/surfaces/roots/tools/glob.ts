import * as s from "../../../tools/schema/mod.ts";
import { PaddockError } from "../../../base/errors.ts";
import { compactPaths } from "../../../text/compact_tree.ts";
import { entryType, rootArgument, timestamp } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import { listHint } from "../../glob_hint.ts";
import {
  remarks,
  reportProgress,
  searchArguments,
  searchOptions,
  searchPathArgument,
  searchRemarks,
  searchResults,
  searchTimeLimit,
} from "../../search_arguments.ts";
import type { RootsContext } from "../context.ts";

export const glob = defineTool({
  name: "glob",
  title: "Find files by name",
  description:
    "Find files, folders and links by name: a glob `pattern` from `path` (`**/*.ts` at any depth, `*.ts` only directly in it, `**/test/` folders) or an RE2 `regex` found in the path; one of the two. To search contents: grep.",
  details:
    "Find files, folders and symlinks below a folder by name: by a glob `pattern` (`*`, `?`, `[a-z]`, `{a,b}`, and " +
    "`**` for any number of folders: `**/*.ts` is every TypeScript file, `*.ts` only those directly in the folder, and " +
    "`**/test/` with its slash every folder of that name) or by a `regex` (RE2 syntax) to find in the path. Give exactly one of the two. Results are sorted by path. " +
    "To search file contents use grep. " +
    'Example: {"root":"src","pattern":"**/*_test.ts","type_filter":"file"}.',
  access: "read",
  input: s.strictObject({
    root: rootArgument,
    pattern: s.string().min(1).optional(),
    regex: s.string().min(1).optional(),
    path: searchPathArgument,
    ...searchArguments,
    type_filter: s.choice(["file", "directory", "symlink", "all"]).default("all"),
  }),
  output: s.object({
    matches: s.array(s.object({
      path: s.string().describe("From the root."),
      type: entryType,
      size: s.int(),
      modified_at: timestamp,
    })),
    ...searchResults,
    skipped: s.int().describe("Folders not readable or in another root."),
  }),
  compact: function* (value) {
    const found = value.matches.length === 0 ? "nothing found" : yield* compactPaths(value.matches);
    return [found, ...searchRemarks(value)].join("\n");
  },
  timeLimit: searchTimeLimit,
  run: async (args, context: RootsContext) => {
    const { pattern, regex } = args;
    if ((pattern === undefined) === (regex === undefined)) {
      throw new PaddockError("INVALID_INPUT", "exactly one of pattern or regex must be provided");
    }
    const { find } = await import("../../../engine/search/mod.ts"); // large, and not always needed
    const found = await find(context.resolve(args.root, args.path), {
      glob: pattern,
      regex,
      typeFilter: args.type_filter,
      ...searchOptions(args, context),
      onProgress: ({ entries, matches }) =>
        reportProgress(context, entries, `${entries} entries seen, ${matches} matches`),
    });
    const isLost = pattern !== undefined && found.matches.length === 0 && !found.timed_out;
    const hint = isLost ? listHint(pattern) : undefined;
    const { skipped } = found;
    return { value: { ...found, ...remarks({ skipped, rootsLeftOut: context.leftOut(), hint }) } };
  },
});
