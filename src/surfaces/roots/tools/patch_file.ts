import { z } from "zod";
import { PaddockError } from "../../../base/errors.ts";
import { editText } from "../../../engine/edit.ts";
import { nameOf, quote } from "../../../engine/fence.ts";
import { inSteps, Pace } from "../../../engine/yield.ts";
import { unifiedDiffSteps } from "../../../text/diff.ts";
import { nearestText } from "../../../text/edit_words.ts";
import { fold } from "../../../text/folded.ts";
import { nearestMatchesSteps } from "../../../text/nearest_match.ts";
import { type PatchConflict, type Patched } from "../../../text/patch.ts";
import {
  expectedHashArgument,
  hashResult,
  pathArgument,
  rootArgument,
  textArgument,
} from "../../../tools/schemas.ts";
import { compactFields } from "../../../tools/compact_fields.ts";
import { defineTool } from "../../../tools/tool.ts";
import { type RootsContext } from "../context.ts";
import { withNearbyNames } from "../nearby_names.ts";

/** Places that a hunk which has none might mean. */
const MOST_NEAREST = 3;

export const patchFile = defineTool({
  name: "patch_file",
  title: "Patch file",
  description:
    "Apply a unified diff to one file, all hunks or none. Moved hunks are found; a bare @@ is placed by its lines; file names in the diff are ignored. Creates a missing file. Returns the diff made.",
  details:
    "Change a text file by a unified diff, as `diff -u` or `git diff` makes it. All hunks apply or nothing is " +
    "changed. Context lines must match; a hunk whose lines have moved is found nearby, and `offsets` says how far. A " +
    "hunk that begins with a bare @@ is placed by its lines, which must be in the file once. `notes` says what was put " +
    "right (wrong counts of lines) or not done (a rename, a mode). File names in the diff are ignored. Line endings of " +
    "the file are kept. A file that does not exist is created from an empty one. To replace a whole file use " +
    "write_file. " +
    'Example: {"root":"src","path":"a.txt","patch":"@@ -1,2 +1,2 @@\\n one\\n-two\\n+2\\n"}.',
  access: "write",
  input: z.strictObject({
    root: rootArgument,
    path: pathArgument,
    patch: textArgument.min(1),
    expected_hash: expectedHashArgument,
  }),
  output: z.object({
    path: z.string(),
    diff: z.string().describe("Unified diff from the file as it was."),
    hunks_applied: z.int(),
    offsets: z.array(z.int()).describe("For each hunk, how many lines away from its place it was found."),
    notes: z.array(z.string()).optional().describe(
      "What was not as it should be in the patch, or was not carried out; left out where there is nothing.",
    ),
    created: z.boolean(),
    size: z.int().describe("Bytes in the file afterwards."),
    hash: hashResult,
  }),
  compact: (value) => compactFields(value, { leaveOut: ["path", "size", "hunks_applied", "offsets"] }),
  run: async ({ root, path, patch, expected_hash }, context: RootsContext) => {
    const { applyPatchSteps, PatchConflict } = await import("../../../text/patch.ts"); // not always used
    let patched: Patched | undefined;
    let diff = "";
    const change = async (text: string, exists: boolean, name: string): Promise<string> => {
      const pace = new Pace(context.call.signal);
      try {
        patched = await inSteps(applyPatchSteps(text, patch), pace);
      } catch (error) {
        if (!(error instanceof PatchConflict)) throw error;
        if (!exists && error.oldText !== "") throw noFile(path);
        throw await withNearest(error, text, pace);
      }
      if (patched.deletes) {
        throw new PaddockError("INVALID_INPUT", "the patch deletes the file; use remove_file for that");
      }
      diff = await inSteps(unifiedDiffSteps(text, patched.text, { path: name, prefixed: false }), pace);
      return patched.text;
    };
    const edited = await withNearbyNames(context, { root, path }, () => {
      const file = context.resolve(root, path);
      return editText(file, (text, exists) => change(text, exists, nameOf(file)), {
        maxBytes: context.maxSize,
        changing: context.changing,
        expectedHash: expected_hash,
      });
    });
    const offsets = patched?.hunks.map((hunk) => hunk.offset) ?? [];
    const notes = patched?.notes ?? [];
    const { size, created, hash } = edited;
    return {
      value: {
        path,
        diff,
        hunks_applied: offsets.length,
        offsets,
        ...(notes.length === 0 ? {} : { notes: [...notes] }),
        created,
        size,
        hash,
      },
    };
  },
});

function noFile(path: string): PaddockError {
  return new PaddockError("NOT_FOUND", `file not found: ${quote(path)}, and the patch changes lines of it`);
}

/** With the lines of the file that the hunk may mean. */
async function withNearest(error: PatchConflict, text: string, pace: Pace): Promise<PaddockError> {
  if (error.oldText === "") return error;
  const { matches } = await inSteps(
    nearestMatchesSteps(fold(text).text, error.oldText, MOST_NEAREST),
    pace,
  );
  const places = nearestText(matches, error.oldText);
  const { message, data = {}, forLog } = error;
  if (places === undefined) {
    const next = "nothing in the file is like it, and nothing was changed: look with read_file or grep";
    return new PaddockError("CONFLICT", `${message}; ${next}`, { data, forLog });
  }
  const what = "Nothing was changed. Write the old lines of the hunk exactly as one of these.";
  return new PaddockError("CONFLICT", `${message}. ${places}\n${what}`, { data, forLog, lines: true });
}
