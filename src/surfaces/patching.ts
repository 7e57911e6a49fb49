/** Descriptions and results of patch_file, the same on every surface; patch_text.ts does the work. */
import * as s from "../tools/schema/mod.ts";

export const PATCH_DESCRIPTION =
  "Apply a unified diff to one file, all hunks or none. Moved hunks are found; a bare @@ is placed by its lines; file names in the diff are ignored. Creates a missing file.";

export const PATCH_DETAILS =
  "Change a text file by a unified diff, as from `diff -u` or `git diff`. All hunks apply or nothing is " +
  "changed. Context lines must match; a hunk whose lines have moved is found nearby, and `offsets` says how far. A " +
  "hunk that begins with a bare @@ is placed by its lines, which must be in the file once. `notes` says what was " +
  "corrected (wrong line counts) or not done (a rename, a mode). File names in the diff are ignored. Line endings of " +
  "the file are kept. A file that does not exist is created from an empty one.";

/** What the result says besides where the file is and what it contains. */
export const patchResults = {
  diff: s.string().describe("Unified diff from the file as it was."),
  offsets: s.array(s.int()).describe("For each hunk, how many lines from its place it was found."),
  notes: s.array(s.string()).optional().describe(
    "What was wrong in the patch, or was not done; missing if nothing.",
  ),
};
