/** Images and audio, on every surface: read whole, and typed by their content. */
import { PaddockError } from "../base/errors.ts";
import { type ConfinedPath, quote } from "../engine/fence.ts";
import { mediaTypeOf } from "../engine/media.ts";
import { readWhole } from "../engine/read.ts";
import { sizeAndLimit } from "../text/human_size.ts";
import type { MediaContent, ToolCall } from "../tools/tool.ts";

export interface Media {
  mimeType: string;
  base64: string;
  size: number;
  /** What a model can be shown; undefined for what can be neither seen nor heard. */
  content: MediaContent | undefined;
}

export async function readMedia(
  path: ConfinedPath,
  { maxSize, call }: { maxSize: number; call: ToolCall },
): Promise<Media> {
  const { bytes, size } = await readWhole(path, {
    maxBytes: maxSize,
    signal: call.signal,
    room: call.room,
    tooLarge: (size) =>
      new PaddockError(
        "TOO_LARGE",
        `file too large to send (${sizeAndLimit(size, maxSize)}, set by the ` +
          `server's --max-size): ${quote(path.given)}`,
        { data: { size, limit: maxSize } },
      ),
  });
  const { type: mimeType, isProven } = mediaTypeOf(path.given, bytes);
  const base64 = bytes.toBase64();
  const kind = isProven ? mediaKind(mimeType) : undefined;
  return {
    mimeType,
    base64,
    size,
    content: kind === undefined ? undefined : { type: kind, data: base64, mimeType },
  };
}

/** Images that models accept; the APIs refuse others, such as SVG, and with them the whole conversation. */
const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

function mediaKind(mimeType: string): MediaContent["type"] | undefined {
  if (mimeType.startsWith("audio/")) return "audio";
  return IMAGES.has(mimeType) ? "image" : undefined;
}
