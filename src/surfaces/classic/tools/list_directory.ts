import * as s from "../../../tools/schema/mod.ts";
import { namesIn } from "../../../engine/folder_names.ts";
import { defineTextAnswer } from "../define_tool.ts";
import { kindOf, unnamedNote } from "../entry_words.ts";
import { inSystemWords } from "../system_words.ts";

export const listDirectory = defineTextAnswer({
  name: "list_directory",
  title: "List Directory",
  description: "Get a detailed listing of all files and directories in a specified path. " +
    "Results clearly distinguish between files and directories with [FILE] and [DIR] " +
    "prefixes. This tool is essential for understanding directory structure and " +
    "finding specific files within a directory. Only works within allowed directories.",
  access: "read",
  input: s.object({ path: s.string() }),
  run: async ({ path }, { resolve }) => {
    const folder = resolve(path);
    const tried = { call: "scandir", path: folder.absolute };
    const { entries, unnamed } = await inSystemWords(tried, () => namesIn(folder));
    return {
      text: entries.map((entry) => `${kindOf(entry)} ${entry.name}`).join("\n"),
      note: unnamedNote(unnamed),
    };
  },
});
