import * as s from "../../../tools/schema/mod.ts";
import { PaddockError } from "../../../base/errors.ts";
import { type ConfinedPath, quote } from "../../../engine/fence.ts";
import { sha256 } from "../../../engine/hash.ts";
import { firstOfLastLines, readBytes, readLines } from "../../../engine/read.ts";
import { countLfLines } from "../../../text/lf_lines.ts";
import { decodeUtf8 } from "../../../text/utf8.ts";
import { hashResult } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import { readNote } from "../../read_note.ts";
import type { WorkspacesContext } from "../context.ts";
import { withNearbyNames } from "../nearby_names.ts";
import { notText, readWholeText } from "../read_text.ts";
import { pathArgument, workspaceArgument } from "../schemas.ts";

const lines = s.int().min(1).max(1_000_000_000).optional();

export const readTextFile = defineTool({
  name: "fs_read_text_file",
  title: "Read text file",
  description:
    "Read a UTF-8 file: whole, its first (`head`) or last (`tail`) lines, lines or bytes from an offset. Images and sound: fs_read_media_file.",
  details:
    "Read a file as UTF-8 text: whole, only its first (`head`) or last (`tail`) lines, a range of lines (`offsetLines` " +
    "from 1, `limitLines`; `nextOffsetLines` says where to continue), or a range of its bytes (`offsetBytes` from 0, " +
    "`limitBytes`), which is moved to whole characters: `startByte` and `endByte` say where it is, `nextOffsetBytes` " +
    "where to continue. A file that is too large to read whole can be read that way. For images, " +
    'sound and other binary files use fs_read_media_file. Example: {"workspaceId":"my-first-workspace","path":"notes/todo.md","head":20}.',
  access: "read",
  input: s.strictObject({
    workspaceId: workspaceArgument,
    path: pathArgument,
    head: lines,
    tail: lines,
    offsetLines: lines.describe("from 1"),
    limitLines: lines,
    offsetBytes: s.int().min(0).optional().describe("from 0"),
    limitBytes: s.int().min(1).optional(),
  }),
  output: s.object({
    content: s.string(),
    head: s.int().optional(),
    tail: s.int().optional(),
    startLine: s.int().optional().describe("First line of a range of lines, from 1."),
    endLine: s.int().optional(),
    totalLines: s.int().optional().describe("Lines in the whole file; not for a range of bytes."),
    nextOffsetLines: s.int().optional().describe("Where to continue by lines, if there is more."),
    size: s.int().optional().describe("Bytes in the whole file, for a range."),
    startByte: s.int().optional().describe("Where a range of bytes really begins, from 0."),
    endByte: s.int().optional().describe("Where it really ends: the first byte after it."),
    nextOffsetBytes: s.int().optional().describe("Where to continue by bytes, if there is more."),
    hash: hashResult.optional(),
  }),
  run: async ({ workspaceId, path, ...range }, context: WorkspacesContext) => {
    const kind = kindOf(range);
    const workspace = await context.open(workspaceId);
    const file = workspace.resolve(path);
    const value = await withNearbyNames(
      context,
      { workspaceId, path },
      async () =>
        kind === "bytes"
          ? await readRange(file, range, context)
          : kind === "lines"
          ? await readPart(file, range, context)
          : await readFull(file, context),
    );
    if (value.content === "" && "startLine" in value) {
      return { value, text: `(no lines here: the file has ${value.totalLines})` };
    }
    const note = noteOf(value);
    return { value, text: value.content, ...(note === undefined ? {} : { note }) };
  },
});

interface Range extends Part, Bytes {}

/** What a read is by: bytes, lines or the whole; throws if two kinds were given. */
function kindOf({ head, tail, offsetLines, limitLines, offsetBytes, limitBytes }: Range) {
  if (head !== undefined && tail !== undefined) {
    throw new PaddockError("INVALID_INPUT", "head and tail were both given; give one of them, or neither");
  }
  const byEnd = (head ?? tail) !== undefined;
  const byLines = (offsetLines ?? limitLines) !== undefined;
  const byBytes = (offsetBytes ?? limitBytes) !== undefined;
  if (byEnd && byLines) {
    throw new PaddockError(
      "INVALID_INPUT",
      "give head or tail, or offsetLines and limitLines, but not both kinds",
    );
  }
  if (byBytes && (byEnd || byLines)) {
    throw new PaddockError(
      "INVALID_INPUT",
      "give head or tail, or offsetLines and limitLines, or offsetBytes and limitBytes, but not two kinds",
    );
  }
  return byBytes ? "bytes" : byEnd || byLines ? "lines" : "whole";
}

async function readFull(file: ConfinedPath, { maxSize, call }: WorkspacesContext) {
  const { text, bytes } = await readWholeText(file, {
    maxBytes: maxSize,
    signal: call.signal,
    room: call.room,
  });
  return { content: text, totalLines: countLfLines(text), hash: await sha256(bytes) };
}

/** Every kind of read has some of these. */
interface ReadValue {
  content: string;
  tail?: number | undefined;
  startLine?: number;
  endLine?: number;
  totalLines?: number;
  nextOffsetLines?: number;
  size?: number;
  startByte?: number;
  endByte?: number;
  nextOffsetBytes?: number;
}

function noteOf(value: ReadValue): string | undefined {
  const { content, totalLines, tail, size, startByte, endByte } = value;
  const lines = countLfLines(content);
  const first = value.startLine ??
    (tail === undefined || totalLines === undefined ? 1 : totalLines - lines + 1);
  const note = readNote({
    ...(totalLines === undefined
      ? {}
      : { start_line: first, end_line: value.endLine ?? first + lines - 1, lines_total: totalLines }),
    ...(startByte === undefined ? {} : { start_byte: startByte }),
    ...(endByte === undefined ? {} : { end_byte: endByte }),
    ...(size === undefined ? {} : { size }),
  }, content);
  const next = value.nextOffsetLines !== undefined
    ? `continue with offsetLines=${value.nextOffsetLines}`
    : value.nextOffsetBytes === undefined
    ? undefined
    : `continue with offsetBytes=${value.nextOffsetBytes}`;
  return note === undefined || next === undefined ? note ?? next : `${note}; ${next}`;
}

interface Bytes {
  offsetBytes?: number | undefined;
  limitBytes?: number | undefined;
}

async function readRange(file: ConfinedPath, given: Bytes, { maxSize, call }: WorkspacesContext) {
  const { bytes, startByte, size } = await readBytes(file, {
    offset: given.offsetBytes ?? 0,
    limit: given.limitBytes,
    maxBytes: maxSize,
    signal: call.signal,
    room: call.room,
  });
  const content = decodeUtf8(bytes);
  if (content === undefined) throw notText(file);
  const endByte = startByte + bytes.length;
  return { content, size, startByte, endByte, ...(endByte < size ? { nextOffsetBytes: endByte } : {}) };
}

interface Part {
  head?: number | undefined;
  tail?: number | undefined;
  offsetLines?: number | undefined;
  limitLines?: number | undefined;
}

async function readPart(file: ConfinedPath, part: Part, { maxSize, call }: WorkspacesContext) {
  const { head, tail, offsetLines = 1, limitLines } = part;
  const options = { maxBytes: maxSize, signal: call.signal };
  const offset = tail === undefined ? offsetLines : await firstOfLastLines(file, tail, call.signal);
  const range = await readLines(file, {
    ...options,
    offset,
    limit: head ?? tail ?? limitLines,
    room: call.room,
  });
  if (range.cut) {
    throw new PaddockError(
      "TOO_LARGE",
      `the requested lines are longer than ${maxSize} bytes; ask for fewer, or read by bytes from offsetBytes ` +
        `${range.startByte} on: ${quote(file.given)}`,
      { data: { limit: maxSize, offsetBytes: range.startByte } },
    );
  }
  const content = decodeUtf8(range.bytes);
  if (content === undefined) throw notText(file);
  const { startLine, endLine, linesTotal: totalLines } = range;
  if (head !== undefined) return { content, head, totalLines };
  if (tail !== undefined) return { content, tail, totalLines };
  const isMore = endLine < totalLines && content !== "";
  return {
    content,
    startLine,
    endLine,
    totalLines,
    size: range.size,
    ...(isMore ? { nextOffsetLines: endLine + 1 } : {}),
    ...(range.bytes.length === range.size ? { hash: await sha256(range.bytes) } : {}),
  };
}
