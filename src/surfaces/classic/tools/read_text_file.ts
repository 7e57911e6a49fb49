import * as s from "../../../tools/schema/mod.ts";
import { PaddockError } from "../../../base/errors.ts";
import { readFirstLines, readLastLines } from "../../../engine/read_ends.ts";
import { withLf } from "../../../text/flexible_edits.ts";
import { sizeAndLimit } from "../../../text/human_size.ts";
import type { ClassicContext } from "../context.ts";
import { defineTextAnswer, type TextAnswer } from "../define_tool.ts";
import { opened, readText, shownText, tooLarge } from "../read_text.ts";

const input = s.object({
  path: s.string(),
  tail: s.number().optional().describe("If provided, returns only the last N lines of the file"),
  head: s.number().optional().describe("If provided, returns only the first N lines of the file"),
});

async function read(
  { path, head, tail }: s.Output<typeof input>,
  context: ClassicContext,
): Promise<TextAnswer> {
  const resolved = context.resolve(path);
  if (head && tail) {
    throw new PaddockError(
      "INVALID_INPUT",
      "Cannot specify both head and tail parameters simultaneously",
    );
  }
  if (!head && !tail) return await readText(resolved, context);
  const { call: { signal, room }, maxSize } = context;
  const options = {
    maxBytes: maxSize,
    signal,
    room,
    tooLarge: () => tooLarge(resolved, `the requested lines have ${sizeAndLimit(maxSize + 1, maxSize)}`),
  };
  return await opened(resolved, async () => {
    if (!tail) {
      const { text, note } = shownText(await readFirstLines(resolved, Math.ceil(head ?? 0), options));
      return { text: text.replace(/\n$/, ""), note };
    }
    const { text, note } = shownText(await readLastLines(resolved, Math.trunc(tail), options));
    return { text: withLf(text), note };
  });
}

export const readTextFile = defineTextAnswer({
  name: "read_text_file",
  title: "Read Text File",
  description: "Read the complete contents of a file from the file system as text. " +
    "Handles various text encodings and provides detailed error messages " +
    "if the file cannot be read. Use this tool when you need to examine " +
    "the contents of a single file. Use the 'head' parameter to read only " +
    "the first N lines of a file, or the 'tail' parameter to read only " +
    "the last N lines of a file. Operates on the file as text regardless of extension. " +
    "Only works within allowed directories.",
  access: "read",
  input,
  run: read,
});

export const readFile = defineTextAnswer({
  name: "read_file",
  title: "Read File (Deprecated)",
  description: "Read the complete contents of a file as text. DEPRECATED: Use read_text_file instead.",
  access: "read",
  input,
  run: read,
});
