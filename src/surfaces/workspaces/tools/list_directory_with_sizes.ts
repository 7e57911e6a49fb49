import * as s from "../../../tools/schema/mod.ts";
import { shownName } from "../../../text/compact_matches.ts";
import { about } from "../../../text/compact_tree.ts";
import { unnamedResult } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import { pageText } from "../compact.ts";
import type { WorkspacesContext } from "../context.ts";
import { entriesOf } from "../entries.ts";
import { folderArgument, pageArguments, pageOf, pageResults, workspaceArgument } from "../schemas.ts";

export const listDirectoryWithSizes = defineTool({
  name: "fs_list_directory_with_sizes",
  title: "List directory with sizes",
  description: "List one folder with sizes in bytes and totals.",
  details:
    "List what is directly inside one folder, with the size of each file in bytes and the totals. Folders have size " +
    "0. Sorted by name, or by size, largest first. " +
    'Example: {"workspaceId":"my-first-workspace","path":"docs","sortBy":"size"}.',
  access: "read",
  input: s.strictObject({
    workspaceId: workspaceArgument,
    path: folderArgument,
    sortBy: s.choice(["name", "size"]).default("name"),
    ...pageArguments("entries"),
  }),
  output: s.object({
    entries: s.array(s.object({
      name: s.string(),
      type: s.choice(["file", "directory"]),
      size: s.int(),
    })),
    totals: s.object({ files: s.int(), directories: s.int(), combinedSize: s.int() })
      .describe("Of the whole folder, even if not all is listed."),
    unnamed: unnamedResult,
    ...pageResults,
  }),
  compact: ({ entries, totals, nextOffset, unnamed }) => {
    const { files, directories, combinedSize } = totals;
    const lines = entries.map((entry) => shownName(entry.name) + about(entry));
    const total = `(${files} files, ${directories} folders, ${combinedSize} bytes)`;
    return `${pageText(lines, { count: files + directories, nextOffset, unnamed })}\n${total}`;
  },
  run: async ({ workspaceId, path, sortBy, ...paging }, context: WorkspacesContext) => {
    const workspace = await context.open(workspaceId);
    const { signal } = context.call;
    const { entries, counted } = await entriesOf(workspace.resolve(path), { workspace, signal });
    const all = entries.map(({ name, type, size }) => ({ name, type, size }));
    if (sortBy === "size") all.sort((a, b) => b.size - a.size); // those of one size stay in order of name
    const files = all.filter(({ type }) => type === "file").length;
    const { page, ...rest } = pageOf(all, paging);
    return {
      value: {
        entries: page,
        totals: {
          files,
          directories: all.length - files,
          combinedSize: all.reduce((sum, { size }) => sum + size, 0),
        },
        ...counted,
        ...rest,
      },
    };
  },
});
