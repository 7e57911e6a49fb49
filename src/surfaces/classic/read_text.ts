/** Reads text as the official server does: invalid UTF-8 is shown as U+FFFD, and here a note says so. */
import { PaddockError } from "../../base/errors.ts";
import type { ConfinedPath } from "../../engine/fence.ts";
import { statEntry } from "../../engine/metadata.ts";
import { readWhole } from "../../engine/read.ts";
import { sizeAndLimit } from "../../text/human_size.ts";
import { decodeUtf8, showUtf8 } from "../../text/utf8.ts";
import type { ClassicContext } from "./context.ts";
import type { TextAnswer } from "./define_tool.ts";
import { inSystemWords, systemError } from "./system_words.ts";

const NOT_UTF8 =
  "not valid UTF-8: invalid bytes are shown as U+FFFD. Do not write this text back: it would destroy the " +
  "file; read_media_file returns the bytes";

export async function readText(path: ConfinedPath, context: ClassicContext): Promise<TextAnswer> {
  return shownText(await readBytes(path, context));
}

export async function readBytes(path: ConfinedPath, { call, maxSize }: ClassicContext): Promise<Uint8Array> {
  const { bytes } = await opened(path, () =>
    readWhole(path, {
      maxBytes: maxSize,
      signal: call.signal,
      room: call.room,
      tooLarge: (size) => tooLarge(path, sizeAndLimit(size, maxSize)),
    }));
  return bytes;
}

/** A folder can be opened, but not read. */
export async function opened<T>(path: ConfinedPath, read: () => Promise<T>): Promise<T> {
  return await inSystemWords({ call: "open", path: path.absolute }, () => {
    if (statEntry(path)?.type === "directory") throw systemError("EISDIR", { call: "read" });
    return read();
  });
}

export function tooLarge({ absolute }: ConfinedPath, size: string): PaddockError {
  return new PaddockError(
    "TOO_LARGE",
    `File too large (${size}, set by the server's --max-size): ${absolute}; read_text_file with head or tail reads a part`,
  );
}

export function shownText(bytes: Uint8Array): TextAnswer {
  const text = decodeUtf8(bytes);
  return text === undefined ? { text: showUtf8(bytes), note: NOT_UTF8 } : { text };
}
