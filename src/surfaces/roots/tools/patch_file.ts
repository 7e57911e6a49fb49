import * as s from "../../../tools/schema/mod.ts";
import { nameOf } from "../../../engine/fence.ts";
import { compactFields } from "../../../tools/compact_fields.ts";
import {
  expectedHashArgument,
  hashResult,
  pathArgument,
  rootArgument,
  textArgument,
} from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { PatchedText } from "../../patch_text.ts";
import { PATCH_DESCRIPTION, PATCH_DETAILS, patchResults } from "../../patching.ts";
import type { RootsContext } from "../context.ts";
import { withNearbyNames } from "../nearby_names.ts";

const TOOLS = { remove: "remove_file", look: "read_file or grep" };

export const patchFile = defineTool({
  name: "patch_file",
  title: "Patch file",
  description: `${PATCH_DESCRIPTION} Returns the diff made.`,
  details: `${PATCH_DETAILS} To replace a whole file use write_file. ` +
    'Example: {"root":"src","path":"a.txt","patch":"@@ -1,2 +1,2 @@\\n one\\n-two\\n+2\\n"}.',
  access: "write",
  input: s.strictObject({
    root: rootArgument,
    path: pathArgument,
    patch: textArgument.min(1),
    expected_hash: expectedHashArgument,
  }),
  output: s.object({
    path: s.string(),
    diff: patchResults.diff,
    hunks_applied: s.int(),
    offsets: patchResults.offsets,
    notes: patchResults.notes,
    created: s.boolean(),
    size: s.int().describe("Bytes in the file afterwards."),
    hash: hashResult,
  }),
  compact: (value) => compactFields(value, { leaveOut: ["path", "size", "hunks_applied", "offsets"] }),
  run: async ({ root, path, patch, expected_hash }, context: RootsContext) => {
    const [{ editText }, { patchText }] = await Promise.all([
      import("../../../engine/edit.ts"),
      import("../../patch_text.ts"),
    ]);
    let patched: PatchedText | undefined;
    const { size, created, hash } = await withNearbyNames(context, { root, path }, () => {
      const file = context.resolve(root, path);
      const change = async (text: string, exists: boolean) => {
        const { signal } = context.call;
        const how = { patch, exists, path, name: nameOf(file), tools: TOOLS, signal };
        return (patched = await patchText(text, how)).text;
      };
      return editText(file, change, {
        maxBytes: context.maxSize,
        changing: context.changing,
        expectedHash: expected_hash,
      });
    });
    const { diff = "", offsets = [], notes = [] } = patched ?? {};
    return {
      value: {
        path,
        diff,
        hunks_applied: offsets.length,
        offsets,
        ...(notes.length === 0 ? {} : { notes }),
        created,
        size,
        hash,
      },
    };
  },
});
