import * as s from "../../../tools/schema/mod.ts";
import { isAbsolutePath } from "../../../engine/fence.ts";
import { checkEdits } from "../../../text/string_edit_error.ts";
import {
  MULTI_EDIT_NAME,
  multiEditArguments,
  multiEditOutput,
  multiEditResult,
  stringEditsOf,
} from "../../../tools/multi_edit_schema.ts";
import { defineTool } from "../../../tools/tool.ts";
import { multiEditError, pathMustBeAbsolute } from "../../multi_edit_errors.ts";
import type { OpenWorkspace, WorkspacesContext } from "../context.ts";
import { commitResult, keptResult, pathArgument, workspaceArgument } from "../schemas.ts";
import { shownPath } from "../shown_path.ts";

export const multiEditTextFile = defineTool({
  name: MULTI_EDIT_NAME,
  title: "Multi-edit text file",
  description:
    "Apply multiple string replacement edits to a file with cumulative diff, as one commit. Prefer fs_edit_file: its errors say where the text nearly is. Here each `old_string` must occur exactly once; edits apply in order, all or none.",
  details:
    "Apply multiple string replacement edits to a file with cumulative diff, as one commit. Edits apply one after the " +
    "other, each to the result of those before it; all of them or none. Every `old_string` must occur exactly once " +
    "by then, so give enough of the text around it. Line endings are kept. The file must exist. Failed calls are " +
    "JSON-RPC errors; `error.data` says where the nearest match is, or the matches are. Example: " +
    '{"workspaceId":"my-first-workspace","path":"a.toml","edits":[{"old_string":"port = 80","new_string":"port = 81"}]}.',
  access: "write",
  input: s.strictObject({
    workspaceId: workspaceArgument.optional(),
    path: pathArgument.describe("relative to the workspace; absolute without `workspaceId`"),
    ...multiEditArguments,
  }),
  output: multiEditOutput.extend({ commit: commitResult.optional(), kept: keptResult }),
  rpcError: multiEditError,
  run: async ({ workspaceId, path, dry_run, ...args }, context: WorkspacesContext) => {
    if (workspaceId === undefined && !isAbsolutePath(path)) throw pathMustBeAbsolute(path);
    checkEdits(args.edits);
    const { planMultiEdit } = await import("../../../engine/multi_edit.ts"); // not always needed
    const place = workspaceId === undefined
      ? context.workspaces.locate(path)
      : { id: workspaceId, relative: path };
    const plan = async (workspace: OpenWorkspace) => {
      const file = workspace.resolve(place.relative, { change: true });
      const made = await planMultiEdit(file, {
        edits: stringEditsOf(args.edits),
        expectedHash: args.expected_hash,
        maxBytes: context.maxSize,
        signal: context.call.signal,
      });
      return { file, made };
    };
    if (dry_run) {
      const { made } = await plan(await context.open(place.id));
      return { value: multiEditResult({ ...made, hash: made.hashBefore }, true) };
    }
    const { value, commit, kept } = await context.change(place.id, async (workspace) => {
      const { file, made } = await plan(workspace);
      return {
        summary: `Edit ${shownPath(file)}`,
        steps: [{ kind: "put", path: file, bytes: made.bytes, madeFrom: made.madeFrom }],
        value: made,
      };
    });
    return { value: { ...multiEditResult(value, false), commit, ...(kept === undefined ? {} : { kept }) } };
  },
});
