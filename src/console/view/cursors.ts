/**
 * Where a page ended, as a text that the next request sends back. An invented one gets an error, or a different page.
 */
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
      "this cursor is not from an answer; leave it out to start at the beginning",
    );
  }
}

/** In the merged order: by time, newest first; then by source; then in the order of the source. */
export const TIMELINE_PLACE = z.strictObject({
  t: z.number(),
  s: z.string().max(4_096),
  k: z.string().max(64),
});

export const VERSION_PLACE = z.union([
  z.int().min(0),
  z.strictObject({ seq: z.int().min(0), n: z.int().min(-1), path: z.string().max(4_096) }),
]);
