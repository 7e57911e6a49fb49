import * as s from "../../../tools/schema/mod.ts";
import { PaddockError } from "../../../base/errors.ts";
import type { ConfinedPath } from "../../../engine/fence.ts";
import { hashFile, sha256 } from "../../../engine/hash.ts";
import {
  type ByteRange,
  firstOfLastLines,
  type LineRange,
  readBytes,
  readLines,
  readWhole,
} from "../../../engine/read.ts";
import { sizeAndLimit } from "../../../text/human_size.ts";
import { countLfLines, numberLines } from "../../../text/lf_lines.ts";
import { decodeUtf8 } from "../../../text/utf8.ts";
import { hashArgument, hashResult, pathArgument, rootArgument } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { RootsContext } from "../context.ts";
import { withNearbyNames } from "../nearby_names.ts";
import { readNote } from "../../read_note.ts";

const input = s.strictObject({
  root: rootArgument,
  path: pathArgument,
  offset_lines: s.int().min(1).optional().describe("first line, from 1"),
  limit_lines: s.int().min(1).optional(),
  tail_lines: s.int().min(1).optional().describe("only the last lines"),
  offset_bytes: s.int().min(0).optional().describe("from 0"),
  limit_bytes: s.int().min(1).optional(),
  line_numbers: s.boolean().default(false),
  if_hash: hashArgument("if_hash").optional().describe("known `hash`: answers `unchanged` if still the same"),
});

type Args = s.Output<typeof input>;

export const readFile = defineTool({
  name: "read_file",
  title: "Read file",
  description:
    "Read a text file: whole, by lines or by bytes. Large files only in parts; the answer says where to continue. Non-UTF-8 comes as base64; for images and sound use read_media_file.",
  details:
    "Read a file as text: whole, or a range by lines (`offset_lines` from 1, `limit_lines`) or by bytes " +
    "(`offset_bytes` from 0, `limit_bytes`), but not both kinds. A large file must be read by ranges; `truncated` " +
    "says that there is more after the part returned, and `next_offset_lines` or `next_offset_bytes` where to " +
    "continue (a very long line: by bytes). A range of bytes is moved to whole characters: see `start_byte`, `end_byte`. " +
    "What is not valid UTF-8 comes as base64 (`encoding`). " +
    'Example: {"root":"src","path":"main.ts","offset_lines":100,"limit_lines":50}.',
  access: "read",
  input,
  output: s.object({
    content: s.string(),
    unchanged: s.literal(true).optional().describe("The file still has the hash given; `content` is empty."),
    encoding: s.choice(["utf-8", "base64"]),
    size: s.int().describe("Bytes in the whole file."),
    binary: s.boolean().describe("Whether there is a NUL byte in the first 8 KB."),
    truncated: s.boolean().describe("Whether the file continues after this part."),
    start_line: s.int().optional(),
    end_line: s.int().optional(),
    lines_total: s.int().optional(),
    start_byte: s.int().optional().describe("Where a range of bytes really begins, from 0."),
    end_byte: s.int().optional().describe("Where it really ends: the first byte after it."),
    next_offset_lines: s.int().optional(),
    next_offset_bytes: s.int().optional().describe(
      "Where to continue by bytes: after a range of bytes, or where too long lines were cut.",
    ),
    hash: hashResult.optional().describe("sha256 of the file, for `expected_hash`; whole files only."),
  }),
  run: async (args, context: RootsContext) => {
    const byBytes = args.offset_bytes !== undefined || args.limit_bytes !== undefined;
    const byTail = args.tail_lines !== undefined;
    const byLines = byTail || args.offset_lines !== undefined || args.limit_lines !== undefined;
    if (byTail && (args.offset_lines ?? args.limit_lines) !== undefined) {
      throw new PaddockError(
        "INVALID_INPUT",
        "give tail_lines, or offset_lines and limit_lines, but not both",
      );
    }
    if (byBytes && byLines) {
      throw new PaddockError(
        "INVALID_INPUT",
        "byte and line parameters are mutually exclusive: give offset_bytes/limit_bytes or offset_lines/limit_lines",
      );
    }
    return await withNearbyNames(context, args, async () => {
      const path = context.resolve(args.root, args.path);
      if (args.if_hash !== undefined) {
        const { hash, size } = await hashFile(path, { algorithm: "sha256", signal: context.call.signal });
        if (hash === args.if_hash.toLowerCase()) return unchanged(hash, size);
      }
      if (byBytes) return await readByteRange(path, args, context);
      if (byLines) return await readLineRange(path, args, context);
      return await readFull(path, args, context);
    });
  },
});

async function readFull(path: ConfinedPath, args: Args, context: RootsContext) {
  const { maxFullReadSize, call } = context;
  const range = await readWhole(path, {
    maxBytes: maxFullReadSize,
    signal: call.signal,
    room: call.room,
    tooLarge: (size) =>
      new PaddockError(
        "TOO_LARGE",
        `file too large for full read (${sizeAndLimit(size, maxFullReadSize)}); ` +
          `use offset/limit parameters (offset_lines and limit_lines, or tail_lines), or grep: ${args.path}`,
        { data: { size, limit: maxFullReadSize } },
      ),
  });
  const hash = sha256(range.bytes); // of a long one on another thread, meanwhile
  const text = decodeUtf8(range.bytes);
  if (text === undefined) return await present(range, undefined, { args, truncated: false, hash });
  const lines = countLfLines(text);
  return await present(range, text, {
    args,
    truncated: false,
    hash,
    place: { start_line: lines === 0 ? 0 : 1, end_line: lines, lines_total: lines },
  });
}

function unchanged(hash: string, size: number) {
  const value = { content: "", unchanged: true as const, encoding: "utf-8" as const, size, binary: false };
  return { value: { ...value, truncated: false, hash }, text: "unchanged" };
}

async function readLineRange(path: ConfinedPath, args: Args, context: RootsContext) {
  const { signal } = context.call;
  const { tail_lines: tail } = args;
  const offset = tail === undefined ? args.offset_lines : await firstOfLastLines(path, tail, signal);
  const range: LineRange = await readLines(path, {
    offset: offset ?? 1,
    limit: args.limit_lines ?? tail,
    maxBytes: context.maxSize,
    signal,
    room: context.call.room,
  });
  const truncated = range.cut || range.endLine < range.linesTotal && range.bytes.length > 0;
  return await present(range, decodeUtf8(range.bytes), {
    args,
    truncated,
    place: {
      start_line: range.startLine,
      end_line: range.endLine,
      lines_total: range.linesTotal,
      ...(truncated && !cutsLine(range) ? { next_offset_lines: range.endLine + 1 } : {}),
      ...(range.cut ? { next_offset_bytes: range.startByte + range.bytes.length } : {}),
    },
    nothing: `(no lines here: the file has ${range.linesTotal})`,
  });
}

/** A single line that is too long for one answer ends in the middle; the rest can be read by bytes. */
function cutsLine({ cut, bytes }: LineRange): boolean {
  return cut && bytes.at(-1) !== 0x0a;
}

async function readByteRange(path: ConfinedPath, args: Args, context: RootsContext) {
  const range = await readBytes(path, {
    offset: args.offset_bytes ?? 0,
    limit: args.limit_bytes,
    maxBytes: context.maxSize,
    signal: context.call.signal,
    room: context.call.room,
  });
  const end = range.startByte + range.bytes.length;
  const truncated = end < range.size;
  return await present(range, decodeUtf8(range.bytes), {
    args,
    truncated,
    place: {
      start_byte: range.startByte,
      end_byte: end,
      ...(truncated ? { next_offset_bytes: end } : {}),
    },
    nothing: `(no bytes here: the file has ${range.size})`,
  });
}

interface Presentation {
  args: Args;
  truncated: boolean;
  /** Which lines or bytes of the file it is, and where to continue. */
  place?: Record<string, number>;
  /** Shown instead of nothing. */
  nothing?: string;
  /** That of the whole file, if it was asked for early. */
  hash?: Promise<string>;
}

async function present(
  range: ByteRange,
  decoded: string | undefined,
  { args, truncated, place, nothing, hash }: Presentation,
) {
  const content = decoded ?? range.bytes.toBase64();
  const value = {
    content,
    encoding: decoded === undefined ? "base64" as const : "utf-8" as const,
    size: range.size,
    binary: range.binary,
    truncated,
    ...place,
    ...(range.bytes.length === range.size ? { hash: await (hash ?? sha256(range.bytes)) } : {}),
  };
  if (content === "" && nothing !== undefined) return { value, text: nothing };
  const note = readNote({ ...value, ...place }, decoded);
  const noted = note === undefined ? {} : { note };
  const numbered = args.line_numbers && decoded !== undefined && place?.start_line !== undefined;
  return { value, ...noted, text: numbered ? numberLines(decoded, place.start_line ?? 1) : content };
}
