import { z } from "zod";
import { PaddockError } from "../../../base/errors.ts";
import { type ConfinedPath, quote } from "../../../engine/fence.ts";
import { sha256 } from "../../../engine/hash.ts";
import { readLines } from "../../../engine/read.ts";
import { countLfLines } from "../../../text/lf_lines.ts";
import { decodeUtf8 } from "../../../text/utf8.ts";
import { hashResult } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import { type WorkspacesContext } from "../context.ts";
import { notText, readWholeText } from "../read_text.ts";
import { pathArgument, workspaceArgument } from "../schemas.ts";

const lines = z.int().min(1).max(1_000_000_000).optional();

export const readTextFile = defineTool({
  name: "fs_read_text_file",
  title: "Read text file",
  description:
    "Read a file as UTF-8 text: whole, or only its first (`head`) or last (`tail`) lines, but not both. A file that " +
    "is too large to be read whole can be read that way. For images, sound and other binary files use " +
    'fs_read_media_file. Example: {"workspaceId":"my-first-workspace","path":"notes/todo.md","head":20}.',
  access: "read",
  input: z.strictObject({
    workspaceId: workspaceArgument,
    path: pathArgument,
    head: lines.describe("Return only so many lines from the beginning."),
    tail: lines.describe("Return only so many lines from the end."),
  }),
  output: z.object({
    content: z.string(),
    head: z.int().optional(),
    tail: z.int().optional(),
    totalLines: z.int().describe("Lines in the whole file."),
    hash: hashResult.optional(),
  }),
  run: async ({ workspaceId, path, head, tail }, context: WorkspacesContext) => {
    if (head !== undefined && tail !== undefined) {
      throw new PaddockError("INVALID_INPUT", "head and tail were both given; give one of them, or neither");
    }
    const workspace = await context.open(workspaceId);
    const file = workspace.resolve(path);
    const value = head === undefined && tail === undefined
      ? await readFull(file, context)
      : await readPart(file, { head, tail }, context);
    return { value, text: value.content };
  },
});

async function readFull(file: ConfinedPath, { maxSize, call }: WorkspacesContext) {
  const { text, bytes } = await readWholeText(file, { maxBytes: maxSize, signal: call.signal });
  return { content: text, totalLines: countLfLines(text), hash: await sha256(bytes) };
}

interface Part {
  head: number | undefined;
  tail: number | undefined;
}

async function readPart(file: ConfinedPath, { head, tail }: Part, { maxSize, call }: WorkspacesContext) {
  const options = { maxBytes: maxSize, signal: call.signal };
  const offset = tail === undefined ? 1 : await firstOfLast(file, tail, options);
  const range = await readLines(file, { ...options, offset, limit: head ?? tail });
  if (range.cut) {
    throw new PaddockError(
      "TOO_LARGE",
      `the lines asked for are longer than ${maxSize} bytes; ask for fewer: ${quote(file.given)}`,
      { data: { limit: maxSize } },
    );
  }
  const content = decodeUtf8(range.bytes);
  if (content === undefined) throw notText(file);
  return {
    content,
    ...(head === undefined ? { tail } : { head }),
    totalLines: range.linesTotal,
  };
}

/** The number of the first of the last so many lines. */
async function firstOfLast(
  file: ConfinedPath,
  tail: number,
  options: { maxBytes: number; signal: AbortSignal },
) {
  const { linesTotal } = await readLines(file, { ...options, offset: Number.MAX_SAFE_INTEGER, limit: 1 });
  return Math.max(1, linesTotal - tail + 1);
}
