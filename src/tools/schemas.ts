/** Arguments and results that several tools share. */
import * as s from "./schema/mod.ts";

export const rootArgument = s.string().describe("name from list_roots");

/** No file system accepts longer ones; answers and messages repeat a path, so they stay short too. */
const LONGEST_PATH = 4_096;

export const pathArgument = s.string().max(LONGEST_PATH).describe("relative to the root");

/** For tools that look into a folder. */
export const folderArgument = pathArgument.default(".").describe("folder, relative to the root");

/** Text for a file; half of a surrogate pair would become something else there. */
export const textArgument = s.string().refine(
  (text) => text.isWellFormed(),
  "holds a lone surrogate and cannot be written as UTF-8",
);

/** The sha256 from an earlier answer, for an argument of this name. */
export function hashArgument(name: string) {
  return s.string()
    .regex(/^[0-9a-fA-F]{64}$/, `${name} must be a sha256: 64 hexadecimal digits, as \`hash\` gives them`);
}

/** Refuses a change when the file is no longer the one that the client saw. */
export const expectedHashArgument = hashArgument("expected_hash").optional()
  .describe("`hash` of an earlier answer: refuse if the file has changed since");

export const hashResult = s.string().describe("sha256 of the whole file, for `expected_hash`.");

export const timestamp = s.string().describe("ISO 8601, UTC.");

export const entryType = s.choice(["file", "directory", "symlink", "other"]);

/** Set when there are any: they can be counted, but not named. */
export const unnamedResult = s.int().optional()
  .describe("How many more entries there are whose names are not valid UTF-8, which no tool can name.");
