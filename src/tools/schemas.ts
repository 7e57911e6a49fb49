/** Arguments and results that several tools share. */
import { z } from "zod";

export const rootArgument = z.string().describe("Name of a root, as list_roots gives it.");

export const pathArgument = z.string().describe(
  'Path relative to the root, such as "src/main.ts". "." is the root itself.',
);

export const timestamp = z.string().describe("ISO 8601, UTC.");

export const entryType = z.enum(["file", "directory", "symlink", "other"]);
