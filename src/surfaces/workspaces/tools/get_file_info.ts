import * as s from "../../../tools/schema/mod.ts";
import { fileInfo } from "../../../engine/file_info.ts";
import { timestamp } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { WorkspacesContext } from "../context.ts";
import { pathArgument, workspaceArgument } from "../schemas.ts";

export const getFileInfo = defineTool({
  name: "fs_get_file_info",
  title: "File information",
  description: "Type, size, times and permissions of a file or folder.",
  details:
    "Show what a file or folder is: type, size in bytes, times of creation (`ctime`), last change (`mtime`) and last " +
    "access (`atime`), permissions. Creation and access times are missing if the file system does not " +
    "keep them, and many systems update the access time only now and then. " +
    'Example: {"workspaceId":"my-first-workspace","path":"README.md"}.',
  access: "read",
  input: s.strictObject({ workspaceId: workspaceArgument, path: pathArgument }),
  output: s.object({
    size: s.int(),
    ctime: timestamp.optional(),
    mtime: timestamp,
    atime: timestamp.optional(),
    type: s.choice(["file", "directory"]),
    permissions: s.string().describe('In ls -l form: "-rw-r--r--".'),
    mode: s.string().describe('In chmod form: "0644".'),
  }),
  run: async ({ workspaceId, path }, context: WorkspacesContext) => {
    const workspace = await context.open(workspaceId);
    const { size, type, createdAt, modifiedAt, accessedAt, mode, modeString } = fileInfo(
      workspace.resolve(path),
    );
    return {
      value: {
        size,
        ...(createdAt === undefined ? {} : { ctime: createdAt }),
        mtime: modifiedAt,
        ...(accessedAt === undefined ? {} : { atime: accessedAt }),
        type,
        permissions: modeString,
        mode,
      },
    };
  },
});
