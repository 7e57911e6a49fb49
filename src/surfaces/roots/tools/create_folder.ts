import * as s from "../../../tools/schema/mod.ts";
import { pathArgument, rootArgument } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { RootsContext } from "../context.ts";

export const createFolder = defineTool({
  name: "create_folder",
  title: "Create folder",
  description: "Create a folder and those missing above it; fine if it exists.",
  details: "Create a folder, with all missing folders above it. A folder that already exists is fine " +
    '(`existed`). Fails if a file is in the way. Example: {"root":"src","path":"docs/images"}.',
  access: "write",
  idempotent: true,
  input: s.strictObject({ root: rootArgument, path: pathArgument }),
  output: s.object({
    path: s.string(),
    created: s.literal(true).describe("The folder exists now."),
    existed: s.boolean().describe("Whether it existed before."),
  }),
  run: async ({ root, path }, context: RootsContext) => {
    const { ensureFolder } = await import("../../../engine/folders.ts");
    const isNew = await ensureFolder(context.resolve(root, path), context.changing);
    return { value: { path, created: true as const, existed: !isNew } };
  },
});
