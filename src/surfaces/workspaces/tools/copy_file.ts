import * as s from "../../../tools/schema/mod.ts";
import { planCopy } from "../../../engine/plan_copy.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { WorkspacesContext } from "../context.ts";
import { commitResult, keptResult, pathArgument, workspaceArgument } from "../schemas.ts";
import { shownPath } from "../shown_path.ts";

export const copyFile = defineTool({
  name: "fs_copy_file",
  title: "Copy file",
  description:
    "Copy a file or folder, as a commit. Fails if the destination exists; creates missing folders.",
  details:
    "Copy a file, or a folder with everything in it, within the workspace, and commit that. Fails if the destination exists; " +
    "missing folders above it are created. Links inside the workspace are copied as what they lead to; others, devices and " +
    "`.git` folders are left out and counted (`skipped`). " +
    'Example: {"workspaceId":"my-first-workspace","source":"template.md","destination":"docs/guide.md"}.',
  access: "write",
  input: s.strictObject({
    workspaceId: workspaceArgument,
    source: pathArgument,
    destination: pathArgument,
  }),
  output: s.object({
    source: s.string(),
    destination: s.string(),
    files: s.int().describe("How many were copied."),
    skipped: s.int().describe("How many entries were left out."),
    commit: commitResult,
    kept: keptResult,
  }),
  run: async ({ workspaceId, source, destination }, context: WorkspacesContext) => {
    const { signal } = context.call;
    const { value, commit, kept } = await context.change(workspaceId, async (workspace) => {
      const from = workspace.resolve(source, { change: false });
      const to = workspace.resolve(destination, { follow: false });
      const { files, folders, skipped } = await planCopy(from, to, signal);
      return {
        summary: `Copy ${shownPath(from)} to ${shownPath(to)}`,
        steps: [
          ...files.map((file) => ({ kind: "put" as const, ...file })),
          ...folders.map((path) => ({ kind: "folder" as const, path })),
        ],
        value: { files: files.length, skipped },
      };
    });
    return { value: { source, destination, ...value, commit, ...(kept === undefined ? {} : { kept }) } };
  },
});
