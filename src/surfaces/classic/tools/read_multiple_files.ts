import * as s from "../../../tools/schema/mod.ts";
import { PaddockError } from "../../../base/errors.ts";
import { sizeAndLimit } from "../../../text/human_size.ts";
import type { ClassicContext } from "../context.ts";
import { defineTextAnswer } from "../define_tool.ts";
import { readText } from "../read_text.ts";

export const readMultipleFiles = defineTextAnswer({
  name: "read_multiple_files",
  title: "Read Multiple Files",
  description: "Read the contents of multiple files simultaneously. This is more " +
    "efficient than reading files one by one when you need to analyze " +
    "or compare multiple files. Each file's content is returned with its " +
    "path as a reference. Failed reads for individual files won't stop " +
    "the entire operation. Only works within allowed directories.",
  access: "read",
  input: s.object({
    paths: s.array(s.string()).min(1).describe(
      "Array of file paths to read. Each path must be a string pointing to a valid file within allowed directories.",
    ),
  }),
  run: async ({ paths }, context) => {
    const parts: string[] = [];
    const notes: string[] = [];
    let left = context.maxSize;
    for (const path of paths) {
      const { part, note } = await partOf(path, { context, left });
      left -= part.length;
      parts.push(part);
      if (note !== undefined) notes.push(`${path}: ${note}`);
    }
    return { text: parts.join("\n---\n"), note: notes.length === 0 ? undefined : notes.join("\n") };
  },
});

interface Reading {
  context: ClassicContext;
  /** How much larger the answer may still get. */
  left: number;
}

async function partOf(
  path: string,
  { context, left }: Reading,
): Promise<{ part: string; note?: string | undefined }> {
  try {
    const { text, note } = await readText(context.resolve(path), context);
    if (text.length > left) throw together(context.maxSize);
    return { part: `${path}:\n${text}\n`, note };
  } catch (error) {
    if (!(error instanceof PaddockError) || error.code === "TIMEOUT") throw error;
    context.call.refused?.(error);
    return { part: `${path}: Error - ${error.message}` };
  }
}

function together(limit: number): PaddockError {
  return new PaddockError(
    "TOO_LARGE",
    `too large together with the files before it (${
      sizeAndLimit(limit + 1, limit)
    }, set by the server's --max-size); ` +
      "read it by itself",
  );
}
