import * as s from "../../../tools/schema/mod.ts";
import { PaddockError } from "../../../base/errors.ts";
import { moveToNew } from "../../../engine/move.ts";
import { defineTextAnswer } from "../define_tool.ts";
import { inSystemWords } from "../system_words.ts";

export const moveFile = defineTextAnswer({
  name: "move_file",
  title: "Move File",
  description: "Move or rename files and directories. Can move files between directories " +
    "and rename them in a single operation. If the destination exists, the " +
    "operation will fail. Works across different directories and can be used " +
    "for simple renaming within the same directory. Both source and destination must be within allowed directories.",
  access: "write",
  hints: { idempotentHint: false, destructiveHint: true },
  input: s.object({ source: s.string(), destination: s.string() }),
  run: async ({ source, destination }, { resolve, changing }) => {
    const from = resolve(source, { follow: false });
    const to = resolve(destination, { follow: false });
    try {
      await inSystemWords(
        { call: "rename", path: from.absolute, to: to.absolute },
        () => moveToNew(from, to, changing),
      );
    } catch (error) {
      if (!(error instanceof PaddockError) || error.code !== "ALREADY_EXISTS") throw error;
      throw new PaddockError("ALREADY_EXISTS", `Destination already exists: ${to.absolute}`, {
        cause: error,
      });
    }
    return `Successfully moved ${source} to ${destination}`;
  },
});
