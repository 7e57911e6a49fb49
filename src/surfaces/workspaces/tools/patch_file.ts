import * as s from "../../../tools/schema/mod.ts";
import { planEdit } from "../../../engine/before_change.ts";
import { sha256 } from "../../../engine/hash.ts";
import { compactFields } from "../../../tools/compact_fields.ts";
import { expectedHashArgument, hashResult, textArgument } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { PatchedText } from "../../patch_text.ts";
import { PATCH_DESCRIPTION, PATCH_DETAILS, patchResults } from "../../patching.ts";
import type { WorkspacesContext } from "../context.ts";
import { withNearbyNames } from "../nearby_names.ts";
import { entryAt } from "../entry_at.ts";
import { commitResult, keptResult, pathArgument, workspaceArgument } from "../schemas.ts";
import { shownPath } from "../shown_path.ts";

const TOOLS = { remove: "fs_delete_file", look: "fs_read_text_file or fs_grep" };

export const patchFile = defineTool({
  name: "fs_patch_file",
  title: "Patch file",
  description: PATCH_DESCRIPTION,
  details: `${PATCH_DETAILS} To replace a whole file use fs_write_file. ` +
    'Example: {"workspaceId":"my-first-workspace","path":"a.txt","patch":"@@ -1,2 +1,2 @@\\n one\\n-two\\n+2\\n"}.',
  access: "write",
  input: s.strictObject({
    workspaceId: workspaceArgument,
    path: pathArgument,
    patch: textArgument.min(1),
    expected_hash: expectedHashArgument,
  }),
  output: s.object({
    path: s.string(),
    ...patchResults,
    created: s.boolean(),
    commit: commitResult,
    kept: keptResult,
    hash: hashResult,
  }),
  compact: (value) => compactFields(value, { leaveOut: ["path", "offsets"] }),
  run: async ({ workspaceId, path, patch, expected_hash }, context: WorkspacesContext) => {
    const { patchText } = await import("../../patch_text.ts");
    const { signal } = context.call;
    const meant = { workspaceId, path };
    const change = () =>
      context.change(workspaceId, async (workspace) => {
        const file = workspace.resolve(path);
        let patched: PatchedText | undefined;
        const exists = entryAt(file) !== undefined;
        const edit = async (text: string) => {
          const name = file.relative;
          patched = await patchText(text, {
            patch,
            exists,
            path,
            name,
            tools: TOOLS,
            signal,
          });
          return patched.text;
        };
        const { bytes, madeFrom } = await planEdit(file, edit, {
          maxBytes: context.maxSize,
          expectedHash: expected_hash,
          signal,
          mayBeMissing: true,
        });
        const { diff = "", offsets = [], notes = [] } = patched ?? {};
        return {
          summary: `Patch ${shownPath(file)}`,
          steps: [{ kind: "put", path: file, bytes, ...(exists ? { madeFrom } : {}) }],
          value: { diff, offsets, notes, created: !exists, hash: await sha256(bytes) },
        };
      });
    const { value, commit, kept } = await withNearbyNames(context, meant, change);
    const { notes, hash, ...fields } = value;
    return {
      value: {
        path,
        ...fields,
        ...(notes.length === 0 ? {} : { notes }),
        commit,
        ...(kept === undefined ? {} : { kept }),
        hash,
      },
    };
  },
});
