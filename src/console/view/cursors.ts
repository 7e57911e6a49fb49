/** Where a page ended, as a text that the next question brings back. Whoever makes one up gets an error, or another page. */
import { z } from "zod";
import { PaddockError } from "../../base/errors.ts";

export function toCursor(place: unknown): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(place))))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export function fromCursor<T>(cursor: string, schema: z.ZodType<T>): T {
  try {
    const bytes = atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
    const text = new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
    return schema.parse(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new PaddockError(
      "INVALID_INPUT",
      "cursor is not one that an answer gave: leave it out to begin anew",
    );
  }
}

/** In the merged order: by time, the newest first; then by source; then as the source has them. */
export const TIMELINE_PLACE = z.strictObject({
  t: z.number(),
  s: z.string().max(4_096),
  k: z.string().max(64),
});

export const VERSION_PLACE = z.union([
  z.int().min(0),
  z.strictObject({ seq: z.int().min(0), n: z.int().min(-1), path: z.string().max(4_096) }),
]);
