import * as s from "../../../tools/schema/mod.ts";
import { PaddockError } from "../../../base/errors.ts";
import { lookBefore } from "../../../engine/before_change.ts";
import { type ConfinedPath, quote } from "../../../engine/fence.ts";
import { expectedHashArgument } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { Planner, WorkspacesContext } from "../context.ts";
import { withNearbyNames } from "../nearby_names.ts";
import { entryAt } from "../entry_at.ts";
import { commitResult, keptResult, pathArgument, recursiveArgument, workspaceArgument } from "../schemas.ts";
import { shownPath } from "../shown_path.ts";

export const deleteFile = defineTool({
  name: "fs_delete_file",
  title: "Delete file",
  description:
    "Delete a file, or a folder with all in it (`recursive`), as a commit; fs_restore restores it.",
  details:
    "Delete a file, a link itself, or a folder with everything in it (`recursive`), and commit that. Everything deleted is " +
    "recorded in the history first, even what git did not track; fs_restore or fs_revert restores it. " +
    'Example: {"workspaceId":"my-first-workspace","path":"notes/old.md"}.',
  access: "write",
  input: s.strictObject({
    workspaceId: workspaceArgument,
    path: pathArgument,
    recursive: recursiveArgument,
    expected_hash: expectedHashArgument,
  }),
  output: s.object({ path: s.string(), commit: commitResult, kept: keptResult }),
  run: async ({ workspaceId, path, recursive, expected_hash }, context: WorkspacesContext) => {
    const plan: Planner<undefined> = async (workspace) => {
      const target = workspace.resolve(path, { follow: false });
      refuseDelete(target, { recursive });
      if (expected_hash !== undefined) {
        await lookBefore(target, { expectedHash: expected_hash, signal: context.call.signal });
      }
      return {
        summary: `Delete ${shownPath(target)}`,
        steps: [{ kind: "remove", path: target }],
        value: undefined,
      };
    };
    const { commit, kept } = await withNearbyNames(
      context,
      { workspaceId, path },
      () => context.change(workspaceId, plan),
    );
    return { value: { path, commit, ...(kept === undefined ? {} : { kept }) } };
  },
});

function refuseDelete(target: ConfinedPath, { recursive }: { recursive: boolean }): void {
  if (target.relative === "") {
    throw new PaddockError("INVALID_INPUT", "path is the workspace itself; name what to delete in it");
  }
  const entry = entryAt(target);
  if (entry === undefined) throw new PaddockError("NOT_FOUND", `file not found: ${quote(target.given)}`);
  if (entry.type === "directory" && !recursive) {
    throw new PaddockError(
      "INVALID_INPUT",
      `${quote(target.given)} is a folder; add recursive: true to delete it with everything in it`,
    );
  }
}
