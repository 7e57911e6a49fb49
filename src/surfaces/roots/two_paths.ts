/** What copy and move share: a source and a destination, each a root and a path. */
import * as s from "../../tools/schema/mod.ts";
import { pathArgument } from "../../tools/schemas.ts";

export const twoPaths = s.strictObject({
  source_root: s.string(),
  source_path: pathArgument.describe("relative to source_root"),
  dest_root: s.string(),
  dest_path: pathArgument.describe("relative to dest_root"),
});

export const place = s.object({ root: s.string(), path: s.string() });
