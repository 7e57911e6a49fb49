/** What copy and move have in common: a source and a destination, each a root and a path. */
import { z } from "zod";
import { pathArgument, rootArgument } from "../../tools/schemas.ts";

const root = (what: string) =>
  rootArgument.describe(`Name of the root of the ${what}, as list_roots gives it.`);
const path = (what: string) => pathArgument.describe(`Path of the ${what}, relative to its root.`);

export const twoPaths = z.strictObject({
  source_root: root("source"),
  source_path: path("source"),
  dest_root: root("destination"),
  dest_path: path("destination"),
});

export const place = z.object({ root: z.string(), path: z.string() });
