import { defineTextTool } from "../../../tools/tool.ts";
import { checkRead } from "../checks.ts";
import type { FlatContext } from "../context.ts";
import { readInput } from "../schemas.ts";

export const readFile = defineTextTool({
  name: "read_file",
  title: "Read file",
  description: "Read a text file, whole or from `start_line` to `end_line` (counted from 0, inclusive).",
  details:
    "Read a text file, whole or the lines from `start_line` to `end_line` (both counted from 0, both included). " +
    'Example: {"name":"notes.txt","start_line":0,"end_line":9} reads the first ten lines.',
  access: "read",
  input: readInput(0),
  check: (given) => checkRead(given, 0),
  run: async ({ name, range }, { folder, call }: FlatContext) => {
    const read = await folder.read(name, range, call);
    const which = read.range === undefined
      ? `${read.totalLines} lines`
      : `lines ${read.range.start}-${read.range.end} of ${read.totalLines} total`;
    return { text: `File: ${name} (${which})\n\n${read.content}` };
  },
});
