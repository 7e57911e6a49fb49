import * as s from "../../../tools/schema/mod.ts";
import { listFolderCounted as list } from "../../../engine/metadata.ts";
import { shownName } from "../../../text/compact_matches.ts";
import { about } from "../../../text/compact_tree.ts";
import { entryType, folderArgument, rootArgument, timestamp, unnamedResult } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { RootsContext } from "../context.ts";

export const listFolder = defineTool({
  name: "list_folder",
  title: "List folder",
  description: "List one folder, with types and sizes. For a whole tree: glob with `**`.",
  details:
    "List what is directly inside one folder: name, type, size in bytes and time of the last change, sorted " +
    "by name. Not recursive. A symlink has `target_type`: what it leads to, `external` if that is outside the " +
    "root, or `missing`. Hidden files are listed. " +
    'Example: {"root":"src","path":"."} lists the root itself; use stat_file for one entry.',
  access: "read",
  input: s.strictObject({ root: rootArgument, path: folderArgument }),
  output: s.object({
    entries: s.array(s.object({
      name: s.string(),
      type: entryType,
      size: s.int(),
      modified_at: timestamp,
      target_type: s.choice([...entryType.options, "external", "missing"]).optional(),
    })),
    count: s.int(),
    unnamed: unnamedResult,
  }),
  compact: ({ entries, unnamed }) =>
    [
      ...entries.map(({ name, type, size, target_type }) =>
        shownName(name) + about({ type, size }) + (target_type === undefined ? "" : ` -> ${target_type}`)
      ),
      ...(entries.length === 0 ? ["empty"] : []),
      ...(unnamed === undefined ? [] : [`(${unnamed} more with names that are not UTF-8)`]),
    ].join("\n"),
  run: async ({ root, path }, context: RootsContext) => {
    const { entries: infos, unnamed } = await list(context.resolve(root, path), context.call.signal);
    const entries = infos.map(({ name, type, size, modifiedAt, target }) => ({
      name,
      type,
      size,
      modified_at: modifiedAt,
      ...(target === undefined ? {} : { target_type: target.type }),
    }));
    return { value: { entries, count: entries.length, ...(unnamed > 0 && { unnamed }) } };
  },
});
