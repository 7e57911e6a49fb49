import * as s from "../../../tools/schema/mod.ts";
import { PaddockError } from "../../../base/errors.ts";
import { childOf, type ConfinedPath } from "../../../engine/fence.ts";
import { type EntryInfo, listFolderCounted, statEntry } from "../../../engine/metadata.ts";
import type { ClassicContext } from "../context.ts";
import { defineTextAnswer } from "../define_tool.ts";
import { kindOf, sizeText, unnamedNote } from "../entry_words.ts";
import { inSystemWords } from "../system_words.ts";

export const listDirectoryWithSizes = defineTextAnswer({
  name: "list_directory_with_sizes",
  title: "List Directory with Sizes",
  description: "Get a detailed listing of all files and directories in a specified path, including sizes. " +
    "Results clearly distinguish between files and directories with [FILE] and [DIR] " +
    "prefixes. This tool is useful for understanding directory structure and " +
    "finding specific files within a directory. Only works within allowed directories.",
  access: "read",
  input: s.object({
    path: s.string(),
    sortBy: s.choice(["name", "size"]).optional().default("name").describe("Sort entries by name or size"),
  }),
  run: async ({ path, sortBy }, context) => {
    const folder = context.resolve(path);
    const { signal } = context.call;
    const { entries: found, unnamed } = await inSystemWords(
      { call: "scandir", path: folder.absolute },
      () => listFolderCounted(folder, signal),
    );
    const entries = found.map((entry) => ({
      name: entry.name,
      isDirectory: entry.type === "directory",
      size: sizeOf(entry, { folder, context }),
    }));
    const files = entries.filter(({ isDirectory }) => !isDirectory);
    const order = sortBy === "size"
      ? (a: Sized, b: Sized) => b.size - a.size
      : (a: Sized, b: Sized) => a.name.localeCompare(b.name);
    const lines = entries.toSorted(order).map((entry) =>
      `${kindOf(entry)} ${entry.name.padEnd(30)} ${
        entry.isDirectory ? "" : sizeText(entry.size).padStart(10)
      }`
    );
    const text = [
      ...lines,
      "",
      `Total: ${files.length} files, ${entries.length - files.length} directories`,
      `Combined size: ${sizeText(files.reduce((sum, { size }) => sum + size, 0))}`,
    ].join("\n");
    return { text, note: unnamedNote(unnamed) };
  },
});

interface Sized {
  name: string;
  size: number;
}

interface Place {
  folder: ConfinedPath;
  context: ClassicContext;
}

/** For a link, the size of its target; 0 if that is elsewhere. */
function sizeOf({ name, type, size }: EntryInfo, { folder, context }: Place): number {
  if (type !== "symlink") return size;
  try {
    return statEntry(context.resolve(childOf(folder, name).absolute))?.size ?? 0;
  } catch (error) {
    if (error instanceof PaddockError) return 0;
    throw error;
  }
}
