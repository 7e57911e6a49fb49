import * as s from "../../../tools/schema/mod.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { RootsContext } from "../context.ts";
import { place, twoPaths } from "../two_paths.ts";

export const move = defineTool({
  name: "move",
  title: "Move",
  description:
    "Move or rename a file, folder or link, also to another root. Replaces an existing file, moves into an existing folder, creates missing folders.",
  details: "Move or rename a file, folder or symlink, also to another root. A file at the destination is " +
    "replaced; if a folder is there, the source is moved into it. Missing parent folders are created. Within one file " +
    "system this is a single step; between two it is a copy and then a removal. A folder with links that lead " +
    "out of it cannot be moved to another root. " +
    'Example: {"source_root":"src","source_path":"old.ts","dest_root":"src","dest_path":"lib/new.ts"}.',
  access: "write",
  input: twoPaths,
  output: s.object({ source: place, destination: place }),
  run: async ({ source_root, source_path, dest_root, dest_path }, context: RootsContext) => {
    const [{ intoFolder }, { moveEntry }] = await Promise.all([
      import("../../../engine/copy.ts"),
      import("../../../engine/move.ts"),
    ]);
    const from = context.resolve(source_root, source_path, { follow: false });
    const resolve = (path: string) => context.resolve(dest_root, path, { follow: false });
    const to = intoFolder(from, resolve(dest_path), resolve);
    await moveEntry(from, to, context.changing);
    return {
      value: {
        source: { root: source_root, path: source_path },
        destination: { root: dest_root, path: to.relative },
      },
    };
  },
});
