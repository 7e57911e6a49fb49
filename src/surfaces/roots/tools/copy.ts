import * as s from "../../../tools/schema/mod.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { RootsContext } from "../context.ts";
import { place, twoPaths } from "../two_paths.ts";

export const copy = defineTool({
  name: "copy",
  title: "Copy",
  description:
    "Copy a file or a whole folder, also to another root. Replaces an existing file, copies into an existing folder, creates missing folders. Leaves out links to outside, devices and .git (`skipped`).",
  details:
    "Copy a file, or a folder with everything in it, to another place or root. A file at the destination " +
    "is replaced; if a folder is there, the source is copied into it. Missing parent folders are created. Symlinks " +
    "inside the root are copied as what they lead to; others are left out and counted in `skipped`, as are " +
    "pipes, devices and .git folders. " +
    'Example: {"source_root":"src","source_path":"a.txt","dest_root":"backup","dest_path":"2024/a.txt"}.',
  access: "write",
  input: twoPaths,
  output: s.object({
    source: place,
    destination: place,
    is_directory: s.boolean(),
    size: s.int().describe("Bytes copied."),
    files: s.int().describe("Files copied."),
    skipped: s.int().describe("Entries left out."),
  }),
  run: async ({ source_root, source_path, dest_root, dest_path }, context: RootsContext) => {
    const { copyEntry, intoFolder } = await import("../../../engine/copy.ts");
    const from = context.resolve(source_root, source_path, { change: false });
    context.gateBelow(from);
    const resolve = (path: string) => context.resolve(dest_root, path);
    const to = intoFolder(from, resolve(dest_path), resolve);
    context.gateBelow(to); // a folder that is merged into may contain another root
    const copied = await copyEntry(from, to, context.changing);
    return {
      value: {
        source: { root: source_root, path: source_path },
        destination: { root: dest_root, path: to.relative },
        is_directory: copied.isDirectory,
        size: copied.size,
        files: copied.files,
        skipped: copied.skipped,
      },
    };
  },
});
