import * as s from "../../../tools/schema/mod.ts";
import { parentOf } from "../../../engine/fence.ts";
import { statEntry } from "../../../engine/metadata.ts";
import { writeText } from "../../../engine/write.ts";
import { textArgument } from "../../../tools/schemas.ts";
import { defineTextAnswer } from "../define_tool.ts";
import { inSystemWords, systemError } from "../system_words.ts";

export const writeFile = defineTextAnswer({
  name: "write_file",
  title: "Write File",
  description: "Create a new file or completely overwrite an existing file with new content. " +
    "Use with caution as it will overwrite existing files without warning. " +
    "Handles text content with proper encoding. Only works within allowed directories.",
  access: "write",
  hints: { idempotentHint: true, destructiveHint: true },
  input: s.object({ path: s.string(), content: textArgument }),
  run: async ({ path, content }, context) => {
    const resolved = context.resolve(path);
    const tried = { call: "open", path: resolved.absolute };
    await inSystemWords(tried, () => {
      if (statEntry(resolved)?.type === "directory") throw systemError("EISDIR", tried);
      if (statEntry(parentOf(resolved)) === undefined) throw systemError("ENOENT", tried);
      return writeText(resolved, content, { mode: "overwrite", changing: context.changing });
    });
    return `Successfully wrote to ${path}`;
  },
});
