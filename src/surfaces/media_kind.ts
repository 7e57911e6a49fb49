/** What of a file a model can be shown, on every surface. */
import { type MediaContent } from "../tools/tool.ts";

/** Images that models take; others, such as SVG, are refused by their APIs, and the whole conversation with them. */
const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Undefined for what can be neither seen nor heard. */
export function mediaKind(mimeType: string): MediaContent["type"] | undefined {
  if (mimeType.startsWith("audio/")) return "audio";
  return IMAGES.has(mimeType) ? "image" : undefined;
}
