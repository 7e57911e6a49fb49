import * as s from "../../../tools/schema/mod.ts";
import { timestamp } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import { pageText } from "../compact.ts";
import type { WorkspacesContext } from "../context.ts";
import { pageArguments, pageResults, pathArgument, workspaceArgument } from "../schemas.ts";

const paging = pageArguments("commits", { most: 1_000, usual: 20 });

export const getCommitHistory = defineTool({
  name: "fs_get_commit_history",
  title: "Commit history",
  description:
    "List commits, newest first: of the workspace, or of one `path`, even a deleted one, through renames.",
  details:
    "List the commits of a workspace, newest first, or those that changed one file or folder (`path`), which may be deleted " +
    "by now; a file is followed through its renames. fs_show_commit shows one commit, fs_restore goes back to it. " +
    'Example: {"workspaceId":"my-first-workspace","path":"README.md","limit":10}.',
  access: "read",
  input: s.strictObject({
    workspaceId: workspaceArgument,
    path: pathArgument.optional(),
    limit: paging.limit,
    offset: paging.offset,
  }),
  output: s.object({
    log: s.array(s.object({
      commit: s.string(),
      author: s.string(),
      date: timestamp,
      message: s.string(),
    })),
    ...pageResults,
  }),
  compact: ({ log, nextOffset }) =>
    pageText(
      log.map(({ commit, author, date, message }) =>
        `${commit.slice(0, 12)} ${date} ${author}: ${message.split("\n", 1)[0]}`
      ),
      { nextOffset },
    ),
  run: async ({ workspaceId, path, limit, offset }, context: WorkspacesContext) => {
    const workspace = await context.open(workspaceId);
    const below = path === undefined ? "" : workspace.resolve(path, { follow: false }).relative;
    const { entries, more } = await workspace.history.log({
      ...(below === "" ? {} : { path: below }),
      limit,
      skip: offset,
      signal: context.call.signal,
    });
    const log = entries.map(({ commit, author, date, message }) => ({ commit, author, date, message }));
    return { value: { log, truncated: more, ...(more ? { nextOffset: offset + log.length } : {}) } };
  },
});
