import * as s from "../../../tools/schema/mod.ts";
import { unnamedResult } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import { pageText } from "../compact.ts";
import type { WorkspacesContext } from "../context.ts";
import { entriesOf } from "../entries.ts";
import { folderArgument, pageArguments, pageOf, pageResults, workspaceArgument } from "../schemas.ts";

export const listDirectory = defineTool({
  name: "fs_list_directory",
  title: "List directory",
  description: "List one folder: `[FILE] name` or `[DIR] name`.",
  details:
    "List what is directly inside one folder, sorted by name: each entry is its name after `[FILE] ` or `[DIR] `. Not " +
    "recursive; hidden files are listed. A link counts as what it leads to inside the workspace, and as a file " +
    'otherwise. Example: {"workspaceId":"my-first-workspace","path":"."}.',
  access: "read",
  input: s.strictObject({
    workspaceId: workspaceArgument,
    path: folderArgument,
    ...pageArguments("entries"),
  }),
  output: s.object({
    entries: s.array(s.string()),
    count: s.int().describe("The total number."),
    unnamed: unnamedResult,
    ...pageResults,
  }),
  compact: ({ entries, count, nextOffset, unnamed }) => pageText(entries, { count, nextOffset, unnamed }),
  run: async ({ workspaceId, path, ...paging }, context: WorkspacesContext) => {
    const workspace = await context.open(workspaceId);
    const { signal } = context.call;
    const { entries: all, counted } = await entriesOf(workspace.resolve(path), { workspace, signal });
    const { page, ...rest } = pageOf(all, paging);
    const entries = page.map(({ name, type }) => `${type === "directory" ? "[DIR]" : "[FILE]"} ${name}`);
    return { value: { entries, count: all.length, ...counted, ...rest } };
  },
});
