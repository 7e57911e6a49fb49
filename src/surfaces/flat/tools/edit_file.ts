import { defineTextTool } from "../../../tools/tool.ts";
import { checkEdit } from "../checks.ts";
import type { FlatContext } from "../context.ts";
import { editInput } from "../schemas.ts";

export const editFile = defineTextTool({
  name: "edit_file",
  title: "Edit file",
  description:
    "Change a text file by lines, all or none: replace, insert (before a line) or delete; lines count from 0 in the current file; `append` adds to its end. Creates a missing file. Line endings are kept.",
  details:
    "Change a text file by lines, all or nothing: `replace`, `insert` (before a line) or `delete` lines, counted " +
    "from 0 in the file as it is now, and `append` text to its end. A file that does not exist is created, unless " +
    "`create_if_missing` is false. Line endings are kept. " +
    'Example: {"name":"notes.txt","edits":[{"line":2,"operation":"replace","content":"third line"}]}.',
  access: "write",
  input: editInput(0, true),
  check: (given) => checkEdit(given, 0),
  run: async ({ name, edits, append, createIfMissing }, { folder, changing }: FlatContext) => {
    const request = { name, edits, append, createIfMissing: createIfMissing ?? true, base: 0 as const };
    const { linesModified, totalLines, created } = await folder.edit(request, changing);
    return {
      text:
        `File edited successfully: ${name}\nLines modified: ${linesModified}\nTotal lines: ${totalLines}\n` +
        `File created: ${created}`,
    };
  },
});
