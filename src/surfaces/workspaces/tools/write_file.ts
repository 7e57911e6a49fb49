import * as s from "../../../tools/schema/mod.ts";
import { lookBefore } from "../../../engine/before_change.ts";
import { sha256 } from "../../../engine/hash.ts";
import { encodeUtf8 } from "../../../text/utf8.ts";
import { expectedHashArgument, hashResult, textArgument } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { WorkspacesContext } from "../context.ts";
import { commitResult, keptResult, pathArgument, workspaceArgument } from "../schemas.ts";
import { shownPath } from "../shown_path.ts";

export const writeFile = defineTool({
  name: "fs_write_file",
  title: "Write file",
  description:
    "Create a file or replace its whole content, as a commit. Creates missing folders. To change a part: fs_edit_file. `kept`: a commit that saved a person's changes first.",
  details:
    "Create a file, or replace all of its content, and commit that. Missing parent folders are created. To change " +
    "a part of a file use fs_edit_file. " +
    'Example: {"workspaceId":"my-first-workspace","path":"users/data.txt","content":"first\\n"}.',
  access: "write",
  idempotent: true,
  input: s.strictObject({
    workspaceId: workspaceArgument,
    path: pathArgument,
    content: textArgument,
    expected_hash: expectedHashArgument,
  }),
  output: s.object({
    path: s.string(),
    bytesWritten: s.int(),
    overwritten: s.boolean().describe("Whether there was a file before."),
    commit: commitResult,
    kept: keptResult,
    hash: hashResult,
  }),
  run: async ({ workspaceId, path, content, expected_hash }, context: WorkspacesContext) => {
    const bytes = encodeUtf8(content);
    const { value: overwritten, commit, kept } = await context.change(workspaceId, async (workspace) => {
      const file = workspace.resolve(path);
      const { signal } = context.call;
      const { exists, content: madeFrom } = await lookBefore(file, { expectedHash: expected_hash, signal });
      return {
        summary: `${exists ? "Update" : "Create"} ${shownPath(file)}`,
        steps: [{ kind: "put", path: file, bytes, madeFrom }],
        value: exists,
      };
    });
    return {
      value: {
        path,
        bytesWritten: bytes.length,
        overwritten,
        commit,
        ...(kept === undefined ? {} : { kept }),
        hash: await sha256(bytes),
      },
    };
  },
});
