/** What copy and move have in common: a source and a destination, each a root and a path. */
import { z } from "zod";

const root = (what: string) =>
  z.string().describe(`Name of the root of the ${what}, as list_roots gives it.`);
const path = (what: string) => z.string().describe(`Path of the ${what}, relative to its root.`);

export const twoPaths = z.strictObject({
  source_root: root("source"),
  source_path: path("source"),
  dest_root: root("destination"),
  dest_path: path("destination"),
});

export const place = z.object({ root: z.string(), path: z.string() });
