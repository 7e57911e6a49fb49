import { z } from "zod";
import { PaddockError } from "../../../base/errors.ts";
import { editText } from "../../../engine/edit.ts";
import { inSteps, Pace } from "../../../engine/yield.ts";
import {
  expectedHashArgument,
  hashResult,
  pathArgument,
  rootArgument,
  textArgument,
} from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import { type RootsContext } from "../context.ts";

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
    hunks_applied: z.int(),
    offsets: z.array(z.int()).describe("For each hunk, how many lines away from its place it was found."),
    notes: z.array(z.string()).optional().describe(
      "What was not as it should be in the patch, or was not carried out; left out where there is nothing.",
    ),
    created: z.boolean(),
    size: z.int().describe("Bytes in the file afterwards."),
    hash: hashResult,
  }),
  run: async ({ root, path, patch, expected_hash }, context: RootsContext) => {
    const { applyPatchSteps } = await import("../../../text/patch.ts"); // not always used
    let offsets: number[] = [];
    let notes: string[] = [];
    const edited = await editText(context.resolve(root, path), async (text) => {
      const patched = await inSteps(applyPatchSteps(text, patch), new Pace(context.call.signal));
      if (patched.deletes) {
        throw new PaddockError("INVALID_INPUT", "the patch deletes the file; use remove_file for that");
      }
      offsets = patched.hunks.map((hunk) => hunk.offset);
      notes = [...patched.notes];
      return patched.text;
    }, { maxBytes: context.maxSize, changing: context.changing, expectedHash: expected_hash });
    const { size, created, hash } = edited;
    return {
      value: {
        path,
        hunks_applied: offsets.length,
        offsets,
        ...(notes.length === 0 ? {} : { notes }),
        created,
        size,
        hash,
      },
    };
  },
});
