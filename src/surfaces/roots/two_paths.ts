/** What copy and move share: a source and a destination, each a root and a path. */
import { z } from "zod";
import { pathArgument } from "../../tools/schemas.ts";

export const twoPaths = z.strictObject({
  source_root: z.string(),
  source_path: pathArgument.describe("relative to source_root"),
  dest_root: z.string(),
  dest_path: pathArgument.describe("relative to dest_root"),
});

export const place = z.object({ root: z.string(), path: z.string() });
