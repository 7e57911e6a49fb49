import * as s from "../../../tools/schema/mod.ts";
import { statEntry } from "../../../engine/metadata.ts";
import { defineTextAnswer } from "../define_tool.ts";
import { inSystemWords, systemError } from "../system_words.ts";

export const getFileInfo = defineTextAnswer({
  name: "get_file_info",
  title: "Get File Info",
  description: "Retrieve detailed metadata about a file or directory. Returns comprehensive " +
    "information including size, creation time, last modified time, permissions, " +
    "and type. This tool is perfect for understanding file characteristics " +
    "without reading the actual content. Only works within allowed directories.",
  access: "read",
  input: s.object({ path: s.string() }),
  run: async ({ path }, { resolve }) => {
    const resolved = resolve(path);
    const tried = { call: "stat", path: resolved.absolute };
    const stat = await inSystemWords(tried, () => statEntry(resolved));
    if (stat === undefined) throw systemError("ENOENT", tried);
    const { size, created, modified, accessed, type, mode } = stat;
    const facts = {
      size,
      created,
      modified,
      accessed,
      isDirectory: type === "directory",
      isFile: type === "file",
      permissions: mode.toString(8).slice(-3),
    };
    return Object.entries(facts).map(([name, value]) => `${name}: ${value}`).join("\n");
  },
});
