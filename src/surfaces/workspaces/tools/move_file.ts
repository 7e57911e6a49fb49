import * as s from "../../../tools/schema/mod.ts";
import { PaddockError } from "../../../base/errors.ts";
import { type ConfinedPath, quote } from "../../../engine/fence.ts";
import { isRespelling } from "../../../engine/spelling.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { WorkspacesContext } from "../context.ts";
import { entryAt } from "../entry_at.ts";
import { commitResult, keptResult, pathArgument, workspaceArgument } from "../schemas.ts";
import { shownPath } from "../shown_path.ts";

export const moveFile = defineTool({
  name: "fs_move_file",
  title: "Move file",
  description:
    "Move or rename a file or folder, as a commit. Fails if the destination exists; creates missing folders.",
  details:
    "Move or rename a file or a folder within the workspace, and commit that. Fails if the destination exists; missing " +
    "folders above it are created. " +
    'Example: {"workspaceId":"my-first-workspace","source":"draft.md","destination":"docs/final.md"}.',
  access: "write",
  input: s.strictObject({
    workspaceId: workspaceArgument,
    source: pathArgument,
    destination: pathArgument,
  }),
  output: s.object({
    source: s.string(),
    destination: s.string(),
    commit: commitResult,
    kept: keptResult,
  }),
  run: async ({ workspaceId, source, destination }, context: WorkspacesContext) => {
    const { commit, kept } = await context.change(workspaceId, (workspace) => {
      const from = workspace.resolve(source, { follow: false });
      const to = workspace.resolve(destination, { follow: false });
      refuseMove(from, to);
      return {
        summary: `Move ${shownPath(from)} to ${shownPath(to)}`,
        steps: [{ kind: "move", from, to }],
        value: undefined,
      };
    });
    return { value: { source, destination, commit, ...(kept === undefined ? {} : { kept }) } };
  },
});

function refuseMove(from: ConfinedPath, to: ConfinedPath): void {
  const entry = entryAt(from);
  if (from.relative === "") throw new PaddockError("INVALID_INPUT", "source is the workspace itself");
  if (entry === undefined) throw new PaddockError("NOT_FOUND", `source not found: ${quote(from.given)}`);
  if (entry.target?.type === "external") {
    throw new PaddockError(
      "OUT_OF_BOUNDS",
      `cannot move a link that leads outside the workspace: ${quote(from.given)}`,
    );
  }
  if (entryAt(to) !== undefined && !isRespelling(from, to)) {
    throw new PaddockError("ALREADY_EXISTS", `destination exists: ${quote(to.given)}; choose another name`);
  }
  if (to.relative.startsWith(`${from.relative}/`)) {
    throw new PaddockError(
      "INVALID_INPUT",
      `cannot move ${quote(from.given)} into itself (${quote(to.given)})`,
    );
  }
}
