import * as s from "../../../tools/schema/mod.ts";
import { ensureFolder } from "../../../engine/folders.ts";
import { statEntry } from "../../../engine/metadata.ts";
import { defineTextAnswer } from "../define_tool.ts";
import { inSystemWords, systemError } from "../system_words.ts";

export const createDirectory = defineTextAnswer({
  name: "create_directory",
  title: "Create Directory",
  description: "Create a new directory or ensure a directory exists. Can create multiple " +
    "nested directories in one operation. If the directory already exists, " +
    "this operation will succeed silently. Perfect for setting up directory " +
    "structures for projects or ensuring required paths exist. Only works within allowed directories.",
  access: "write",
  hints: { idempotentHint: true, destructiveHint: false },
  input: s.object({ path: s.string() }),
  run: async ({ path }, { resolve, changing }) => {
    const resolved = resolve(path);
    const tried = { call: "mkdir", path: resolved.absolute };
    await inSystemWords(tried, () => {
      const there = statEntry(resolved)?.type;
      if (there !== undefined && there !== "directory") throw systemError("EEXIST", tried);
      return ensureFolder(resolved, changing);
    });
    return `Successfully created directory ${path}`;
  },
});
