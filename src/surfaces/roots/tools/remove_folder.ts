import * as s from "../../../tools/schema/mod.ts";
import { PaddockError } from "../../../base/errors.ts";
import { quote } from "../../../engine/fence.ts";
import { describeEntry } from "../../../engine/metadata.ts";
import { pathArgument, rootArgument } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { RootsContext } from "../context.ts";

export const removeFolder = defineTool({
  name: "remove_folder",
  title: "Remove folder",
  description: "Delete a folder and all in it. Refused for the root and if a .git is inside.",
  details:
    "Delete a folder and everything in it, for good. Symlinks inside are deleted themselves and never " +
    "followed. Fails on the root itself and on a file: use remove_file for that. A folder that contains a .git is " +
    'refused. Example: {"root":"src","path":"build/output"}.',
  access: "write",
  idempotent: true,
  input: s.strictObject({ root: rootArgument, path: pathArgument }),
  output: s.object({
    path: s.string(),
    removed: s.literal(true),
    entries_removed: s.int().describe(
      "Files, links and folders, including the folder itself; what is below a name that is not valid UTF-8 is not " +
        "counted.",
    ),
  }),
  run: async ({ root, path }, context: RootsContext) => {
    const resolved = context.resolve(root, path, { follow: false });
    const { type } = describeEntry(resolved, "directory");
    if (type !== "directory") {
      const what = type === "symlink" ? "symbolic link" : "file";
      throw new PaddockError(
        "INVALID_INPUT",
        `path is a ${what}, not a directory: ${quote(path)}; use remove_file`,
      );
    }
    const { removeFolder } = await import("../../../engine/remove.ts");
    const entries = await removeFolder(resolved, context.changing);
    return { value: { path, removed: true as const, entries_removed: entries } };
  },
});
