import * as s from "../../../tools/schema/mod.ts";
import { describePermissions } from "../../../engine/metadata.ts";
import { pathArgument, rootArgument } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { RootsContext } from "../context.ts";

export const permissionsFile = defineTool({
  name: "permissions_file",
  title: "File permissions",
  description: "Owner, group and mode of a file, folder or link.",
  details:
    "Show the owner, group and permission bits of a file, folder or symlink (of the link itself). If a name " +
    'is not known, its number is shown. Example: {"root":"src","path":"run.sh"} gives mode "0755" and ' +
    'mode_string "-rwxr-xr-x".',
  access: "read",
  input: s.strictObject({ root: rootArgument, path: pathArgument }),
  output: s.object({
    path: s.string(),
    owner: s.string(),
    group: s.string(),
    mode: s.string().describe("Octal, such as 0644."),
    mode_string: s.string().describe("Symbolic, such as -rw-r--r--."),
  }),
  run: ({ root, path }, context: RootsContext) => {
    const resolved = context.resolve(root, path, { follow: false });
    const { owner, group, mode, modeString } = describePermissions(resolved, context.host);
    return { value: { path, owner, group, mode, mode_string: modeString } };
  },
});
