import * as s from "../../../tools/schema/mod.ts";
import { PaddockError } from "../../../base/errors.ts";
import { quote } from "../../../engine/fence.ts";
import { sha256 } from "../../../engine/hash.ts";
import { hashResult } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { OpenWorkspace, WorkspacesContext } from "../context.ts";
import { readWholeText } from "../read_text.ts";
import { pathArgument, workspaceArgument } from "../schemas.ts";

/** How many files are read at the same time. */
const AT_ONCE = 8;
const MOST_FILES = 1_000;

export const readMultipleFiles = defineTool({
  name: "fs_read_multiple_files",
  title: "Read multiple files",
  description: "Read several text files at once; one that fails does not fail the others.",
  details:
    "Read several text files at once. A file that cannot be read does not fail the others: its result has `ok` " +
    "false and an `error`. Results come in the order of the paths. All files together are limited like one; those " +
    "that no longer fit say so, and can be read with another call. " +
    'Example: {"workspaceId":"my-first-workspace","paths":["README.md","src/main.ts"]}.',
  access: "read",
  input: s.strictObject({
    workspaceId: workspaceArgument,
    paths: s.array(pathArgument).min(1).max(MOST_FILES),
  }),
  output: s.object({
    results: s.array(s.object({
      path: s.string(),
      ok: s.boolean(),
      content: s.string().optional(),
      hash: hashResult.optional(),
      error: s.string().optional().describe("Code and message."),
    })),
  }),
  compact: ({ results }) =>
    results.map(({ path, content = "", error }) =>
      `==> ${path}${error === undefined ? "" : ` (${error})`}\n${content.replace(/\n$/, "")}`
    ).join("\n"),
  run: async ({ workspaceId, paths }, context: WorkspacesContext) => {
    const workspace = await context.open(workspaceId);
    const results: Result[] = [];
    let room = context.maxSize;
    for (let start = 0; start < paths.length; start += AT_ONCE) {
      const batch = paths.slice(start, start + AT_ONCE);
      for (const read of await Promise.all(batch.map((path) => readOne(path, { workspace, context })))) {
        const result = fitted(read, { room, limit: context.maxSize });
        if (result.ok) room -= read.size;
        results.push(result);
      }
    }
    return { value: { results } };
  },
});

interface Result {
  path: string;
  ok: boolean;
  content?: string;
  hash?: string;
  error?: string;
}

interface Read {
  result: Result;
  size: number;
}

interface Reading {
  workspace: OpenWorkspace;
  context: WorkspacesContext;
}

async function readOne(path: string, { workspace, context }: Reading): Promise<Read> {
  const { maxSize: maxBytes, call: { signal, room } } = context;
  try {
    const { text, bytes } = await readWholeText(workspace.resolve(path), { maxBytes, signal, room });
    return { result: { path, ok: true, content: text, hash: await sha256(bytes) }, size: bytes.length };
  } catch (error) {
    if (!(error instanceof PaddockError) || signal.aborted) throw error;
    context.call.refused?.(error);
    return { result: { path, ok: false, error: `${error.code}: ${error.message}` }, size: 0 };
  }
}

function fitted({ result, size }: Read, { room, limit }: { room: number; limit: number }): Result {
  if (size <= room) return result;
  const { path } = result;
  const error =
    `TOO_LARGE: the files of a call are limited to ${limit} bytes in total, and ${quote(path)} no ` +
    "longer fits; read it with another call";
  return { path, ok: false, error };
}
