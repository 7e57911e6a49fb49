/** Arguments and results that several tools share. */
import { z } from "zod";

export const rootArgument = z.string().describe("Name of a root, as list_roots gives it.");

/** No file system takes longer ones; answers and messages repeat a path, so they stay short with it. */
const LONGEST_PATH = 4_096;

export const pathArgument = z.string().max(LONGEST_PATH).describe(
  'Path relative to the root, such as "src/main.ts". "." is the root itself.',
);

export const timestamp = z.string().describe("ISO 8601, UTC.");

export const entryType = z.enum(["file", "directory", "symlink", "other"]);
