import * as s from "../../../tools/schema/mod.ts";
import { sha256 } from "../../../engine/hash.ts";
import { expectedHashArgument, hashResult, pathArgument, rootArgument } from "../../../tools/schemas.ts";
import { compactFields } from "../../../tools/compact_fields.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { RootsContext } from "../context.ts";
import { editsArgument, stringEditsOf } from "../edits_argument.ts";
import { withNearbyNames } from "../nearby_names.ts";

export const editFile = defineTool({
  name: "edit_file",
  title: "Edit file",
  description:
    "Replace texts in a file, all edits or none; returns the diff. Each `old_text` must occur once, after the edits " +
    "before it, or say which: `near_line`, `replace_all`. Line endings are kept.",
  details:
    "Replace parts of a text file. Each edit replaces an exact occurrence of `old_text` by `new_text`; each " +
    "sees the result of those before it; all of them or none. If `old_text` occurs several times, `near_line` says which " +
    "is meant (a line number of the current file), or `replace_all` that all are. Line endings are kept. If a text " +
    "is not found, the error shows the nearest lines of the file and says how they differ. " +
    'Example: {"root":"src","path":"main.ts","edits":[{"old_text":"let a = 1","new_text":"const a = 1"}]}.',
  access: "write",
  input: s.strictObject({
    root: rootArgument,
    path: pathArgument,
    edits: editsArgument,
    dry_run: s.boolean().default(false).describe("only show the diff"),
    expected_hash: expectedHashArgument,
  }),
  output: s.object({
    path: s.string(),
    diff: s.string().describe("Unified diff from the file as it was; empty if nothing changed."),
    replaced: s.int().describe("How many places were replaced."),
    ranges: s.array(s.object({
      edit_index: s.int().describe("Which edit, from 0."),
      start: s.int().describe("First line it made, in the new file, from 1."),
      end: s.int(),
    })).describe("The lines of each edit in the new file; for an edit with very many places the first 100."),
    hash: hashResult,
    previous_hash: s.string().describe("sha256 of the file as it was."),
    dry_run: s.literal(true).optional().describe("Set if nothing was written."),
  }),
  compact: (value) => {
    const fields = compactFields(value, { leaveOut: ["path", "previous_hash", "ranges", "replaced"] });
    return value.diff === "" ? `nothing changed: old_text and new_text are the same; ${fields}` : fields;
  },
  run: async ({ root, path, edits, dry_run, expected_hash }, context: RootsContext) => {
    const [{ multiEdit }, { editInWords }] = await Promise.all([ // not always needed
      import("../../../engine/multi_edit.ts"),
      import("../edits_in_words.ts"),
    ]);
    const made = await withNearbyNames(context, { root, path }, () =>
      multiEdit(context.resolve(root, path), {
        edits: stringEditsOf(edits),
        dryRun: dry_run,
        expectedHash: expected_hash,
        maxBytes: context.maxSize,
        changing: context.changing,
      }).catch((error) => {
        throw editInWords(error, { argument: "edits", path, edits });
      }));
    return {
      value: {
        path,
        diff: made.diff,
        replaced: made.replaced,
        ranges: made.newRanges.map(({ editIndex, start, end }) => ({ edit_index: editIndex, start, end })),
        hash: made.hash,
        previous_hash: await sha256(made.before),
        ...(dry_run ? { dry_run } : {}),
      },
    };
  },
});
