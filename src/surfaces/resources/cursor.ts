/**
 * Where a page of resources ended, as clients pass it from page to page. It is no secret and no proof: one that a
 * client makes up only starts the list at another place, and whatever is listed is checked as always.
 */
import { PaddockError } from "../../base/errors.ts";
import type { ResourcePlace } from "../../text/resource_uri.ts";

const OPTIONS = { alphabet: "base64url", omitPadding: true } as const;

export function cursorAfter({ root, path }: ResourcePlace): string {
  return new TextEncoder().encode(JSON.stringify([root, path])).toBase64(OPTIONS);
}

export function placeOfCursor(cursor: string): ResourcePlace {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.fromBase64(cursor, OPTIONS));
    const [root, path, ...more]: unknown[] = JSON.parse(text);
    if (typeof root === "string" && typeof path === "string" && more.length === 0) return { root, path };
  } catch { /* reported below */ }
  throw unknownCursor();
}

export function unknownCursor(): PaddockError {
  return new PaddockError(
    "INVALID_INPUT",
    "unknown cursor: pass nextCursor exactly as it came with the previous page, or none to start over",
  );
}
