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
import { pathArgument, rootArgument } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import { multiEditError, pathMustBeAbsolute } from "../../multi_edit_errors.ts";
import type { RootsContext } from "../context.ts";

export const multiEditTextFile = defineTool({
  name: MULTI_EDIT_NAME,
  title: "Multi-edit text file",
  description:
    "Apply multiple string replacement edits to a file with cumulative diff. Prefer edit_file: its errors show the nearest text. Here each `old_string` must occur exactly once; edits apply in order, all or none.",
  details:
    "Apply multiple string replacement edits to a file with cumulative diff. Edits apply one after the other, " +
    "each to the result of those before it; all of them or none. Every `old_string` must occur exactly once by " +
    "then, so give enough of the text around it. Line endings are kept. The file must exist. Failed calls are " +
    "JSON-RPC errors; `error.data` says where the nearest match is, or the matches are. " +
    'Example: {"root":"src","path":"config.toml","edits":[{"old_string":"port = 8080","new_string":"port = 3000"}]}.',
  access: "write",
  input: s.strictObject({
    root: rootArgument.optional(),
    path: pathArgument.describe("relative to `root`; absolute without it"),
    ...multiEditArguments,
  }),
  output: multiEditOutput,
  rpcError: multiEditError,
  run: async ({ root, path, edits, dry_run, expected_hash }, context: RootsContext) => {
    if (root === undefined && !isAbsolutePath(path)) throw pathMustBeAbsolute(path);
    checkEdits(edits);
    const { multiEdit } = await import("../../../engine/multi_edit.ts"); // not always needed
    const confined = root === undefined ? context.resolveAbsolute(path) : context.resolve(root, path);
    const made = await multiEdit(confined, {
      edits: stringEditsOf(edits),
      dryRun: dry_run,
      expectedHash: expected_hash,
      maxBytes: context.maxSize,
      changing: context.changing,
    });
    return { value: multiEditResult(made, dry_run) };
  },
});
