import { defineTextTool } from "../../../tools/tool.ts";
import { checkList } from "../checks.ts";
import { type FlatContext } from "../context.ts";
import { listInput } from "../schemas.ts";

export const listFiles = defineTextTool({
  name: "list_files",
  title: "List files",
  description:
    "List the files of the folder with the time of their last change and their number of lines (-1 for what is " +
    "too large or not text). Folders and hidden files are left out. Example: {}.",
  access: "read",
  input: listInput,
  check: checkList,
  run: async (_args, { folder, call }: FlatContext) => {
    const files = await folder.list(call.signal);
    const rows = files.map(({ name, modified, lines }) =>
      `name: ${name}, modified: ${modified}, lines: ${lines}\n`
    );
    return { text: `Files in directory:\n\n${rows.join("")}\nTotal files: ${files.length}` };
  },
});
