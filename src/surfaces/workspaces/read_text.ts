/**
 * Reads files as text: strictly UTF-8, because invalid bytes that were replaced would be lost at the next write.
 */
import { PaddockError } from "../../base/errors.ts";
import { type ConfinedPath, quote } from "../../engine/fence.ts";
import { type ReadOptions, readWhole } from "../../engine/read.ts";
import { sizeAndLimit } from "../../text/human_size.ts";
import { decodeUtf8 } from "../../text/utf8.ts";

export async function readWholeText(
  path: ConfinedPath,
  options: ReadOptions,
): Promise<{ text: string; bytes: Uint8Array }> {
  const { maxBytes } = options;
  const { bytes } = await readWhole(path, {
    ...options,
    tooLarge: (size) =>
      new PaddockError(
        "TOO_LARGE",
        `file too large to read whole (${sizeAndLimit(size, maxBytes)}); ` +
          `use fs_grep, or fs_read_text_file with offsetLines and limitLines: ${quote(path.given)}`,
        { data: { size, limit: maxBytes } },
      ),
  });
  const text = decodeUtf8(bytes);
  if (text === undefined) throw notText(path);
  return { text, bytes };
}

export function notText(path: ConfinedPath): PaddockError {
  return new PaddockError(
    "UNSUPPORTED",
    `not a UTF-8 text file: ${quote(path.given)}; use fs_read_media_file for its bytes`,
  );
}
