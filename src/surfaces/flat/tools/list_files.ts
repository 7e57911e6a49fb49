import { defineTextTool } from "../../../tools/tool.ts";
import { checkList } from "../checks.ts";
import type { FlatContext } from "../context.ts";
import { NAME_MAX } from "../names.ts";
import { listInput } from "../schemas.ts";

const WHY =
  `whose names cannot be used here (letters, digits, ".", "_" and "-" can, at most ${NAME_MAX} of them)`;

export const listFiles = defineTextTool({
  name: "list_files",
  title: "List files",
  description:
    "List the folder's files with time of last change and number of lines (-1: too large or not text).",
  details:
    "List the files of the folder with the time of their last change and their number of lines (-1 for what is " +
    "too large or not text). Folders and hidden files are left out; files whose names cannot be used here are only " +
    "counted. Example: {}.",
  access: "read",
  input: listInput,
  check: checkList,
  run: async (_args, { folder, call }: FlatContext) => {
    const { files, unlisted } = await folder.list(call.signal);
    const rows = files.map(({ name, modified, lines }) =>
      `name: ${name}, modified: ${modified}, lines: ${lines}\n`
    );
    const total = `Total files: ${files.length + unlisted}`;
    const note = unlisted === 0 ? "" : `\nNot listed: ${unlisted} ${WHY}`;
    return { text: `Files in directory:\n\n${rows.join("")}\n${total}${note}` };
  },
});
