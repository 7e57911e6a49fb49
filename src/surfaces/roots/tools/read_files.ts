import * as s from "../../../tools/schema/mod.ts";
import { PaddockError } from "../../../base/errors.ts";
import { sha256 } from "../../../engine/hash.ts";
import { quote } from "../../../engine/fence.ts";
import { readWhole } from "../../../engine/read.ts";
import { sizeAndLimit } from "../../../text/human_size.ts";
import { countLfLines } from "../../../text/lf_lines.ts";
import { decodeUtf8, looksBinary } from "../../../text/utf8.ts";
import { hashResult, rootArgument } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import { readNote } from "../../read_note.ts";
import type { RootsContext } from "../context.ts";

const MOST_FILES = 1_000;
const USUAL_BYTES = 256 * 1024;
/** How many failures are listed when no file could be read. */
const MOST_LISTED = 20;

export const readFiles = defineTool({
  name: "read_files",
  title: "Read files",
  description:
    "Read several whole text files at once. One that fails does not fail the rest. If `max_bytes` ended it, the " +
    "answer has the `from` to continue with.",
  details:
    "Read several whole text files at once, in the order given. One that cannot be read does not fail the others: its " +
    "result has an `error`. If the files together exceed `max_bytes`, the answer ends before the one that no " +
    "longer fits, and `next` is the `from` of the next call; a file that is larger by itself is an " +
    'error. Example: {"root":"src","paths":["README.md","src/main.ts"]}.',
  access: "read",
  input: s.strictObject({
    root: rootArgument,
    paths: s.array(s.string().max(4_096)).min(1).max(MOST_FILES).describe("relative to the root"),
    max_bytes: s.int().min(1).default(USUAL_BYTES),
    from: s.int().min(0).default(0).describe("index in paths"),
  }),
  output: s.object({
    files: s.array(s.object({
      path: s.string(),
      content: s.string().optional(),
      lines_total: s.int().optional(),
      hash: hashResult.optional(),
      note: s.string().optional().describe("What is unusual about the text, such as CRLF."),
      error: s.string().optional(),
    })),
    next: s.int().optional().describe("`from` for the next call, if there are more."),
  }),
  compact: ({ files, next }) =>
    [
      ...files.map(({ path, content = "", note, error }) => {
        const about = error === undefined ? note : `error: ${error}`;
        return `==> ${path}${about === undefined ? "" : ` (${about})`}\n${content.replace(/\n$/, "")}`;
      }),
      ...(next === undefined ? [] : [`==> more with from=${next}`]),
    ].join("\n"),
  run: async ({ root, paths, max_bytes, from }, context: RootsContext) => {
    if (from >= paths.length) {
      throw new PaddockError("INVALID_INPUT", `from is ${from}, but paths has only ${paths.length}, from 0`);
    }
    const files: ReadFile[] = [];
    const failures: PaddockError[] = [];
    const limit = Math.min(max_bytes, context.maxSize);
    let left = limit;
    let next: number | undefined;
    for (const [i, path] of paths.entries()) {
      if (i < from) continue;
      const { file, size, failure } = await readOne({ root, path, limit }, context);
      if (size > left) {
        next = i;
        break;
      }
      left -= size;
      files.push(file);
      if (failure !== undefined) failures.push(failure);
    }
    const [first, ...others] = failures;
    const isFailed = first !== undefined && next === undefined && failures.length === files.length; // nothing else to return
    for (const failure of isFailed ? others : failures) context.call.refused?.(failure);
    if (isFailed) throw noneRead(first, files);
    return { value: { files, ...(next === undefined ? {} : { next }) } };
  },
});

interface ReadFile {
  path: string;
  content?: string;
  lines_total?: number;
  hash?: string;
  note?: string;
  error?: string;
}

/** The first failure, if it is the only one; otherwise with the failure of each file. */
function noneRead(first: PaddockError, files: readonly ReadFile[]): PaddockError {
  if (files.length === 1) return first;
  const { code, audit, forLog } = first;
  const listed = files.slice(0, MOST_LISTED).map(({ path, error }) => `${quote(path)}: ${error}`);
  const more = files.length > MOST_LISTED ? [`and ${files.length - MOST_LISTED} more`] : [];
  return new PaddockError(code, ["none of the files could be read", ...listed, ...more].join("\n"), {
    lines: true,
    forLog,
    cause: first,
    ...(audit === undefined ? {} : { audit }),
  });
}

interface Wanted {
  root: string;
  path: string;
  /** For one file. */
  limit: number;
}

async function readOne(
  { root, path, limit }: Wanted,
  context: RootsContext,
): Promise<{ file: ReadFile; size: number; failure?: PaddockError }> {
  const { signal, room } = context.call;
  try {
    const { bytes } = await readWhole(context.resolve(root, path), {
      maxBytes: limit,
      signal,
      room,
      tooLarge: (size) =>
        new PaddockError(
          "TOO_LARGE",
          `too large (${
            sizeAndLimit(size, limit)
          }); use read_file with offset_lines and limit_lines, or grep`,
        ),
    });
    const text = looksBinary(bytes) ? undefined : decodeUtf8(bytes);
    if (text === undefined) {
      throw new PaddockError("UNSUPPORTED", "not UTF-8 text; use read_file or read_media_file");
    }
    const note = readNote({}, text);
    const file: ReadFile = {
      path,
      content: text,
      lines_total: countLfLines(text),
      hash: await sha256(bytes),
    };
    return { file: note === undefined ? file : { ...file, note }, size: bytes.length };
  } catch (error) {
    if (!(error instanceof PaddockError) || signal.aborted) throw error;
    return { file: { path, error: error.message }, size: 0, failure: error };
  }
}
