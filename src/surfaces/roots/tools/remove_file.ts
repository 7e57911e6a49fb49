import * as s from "../../../tools/schema/mod.ts";
import { PaddockError } from "../../../base/errors.ts";
import { quote } from "../../../engine/fence.ts";
import { describeEntry } from "../../../engine/metadata.ts";
import { pathArgument, rootArgument } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { RootsContext } from "../context.ts";

export const removeFile = defineTool({
  name: "remove_file",
  title: "Remove file",
  description: "Delete a file, or a link itself.",
  details:
    "Delete one file, for good. A symlink is deleted itself; what it leads to stays. Fails on a folder: use " +
    'remove_folder for that. Example: {"root":"src","path":"old.txt"}.',
  access: "write",
  idempotent: true,
  input: s.strictObject({ root: rootArgument, path: pathArgument }),
  output: s.object({ path: s.string(), removed: s.literal(true) }),
  run: async ({ root, path }, context: RootsContext) => {
    const resolved = context.resolve(root, path, { follow: false });
    if (describeEntry(resolved).type === "directory") {
      throw new PaddockError(
        "INVALID_INPUT",
        `path is a directory, not a file: ${quote(path)}; use remove_folder`,
      );
    }
    const { removeFile } = await import("../../../engine/remove.ts");
    await removeFile(resolved, context.changing);
    return { value: { path, removed: true as const } };
  },
});
