import { assertEquals } from "@std/assert";
import { merge } from "../../../src/engine/undo/merge.ts";

const LINES = 150_000;

/** A file of many short lines, of which some are others. */
function manyLines(changed: Record<number, string> = {}): Uint8Array {
  return new TextEncoder().encode(
    Array.from({ length: LINES }, (_, i) => `${changed[i] ?? i.toString(36)}\n`).join(""),
  );
}

const PLACES: [what: string, ours: number, theirs: number][] = [
  ["in the last lines", LINES - 4, LINES - 1],
  ["in the first lines", 0, 3],
];

for (const [what, mine, other] of PLACES) {
  Deno.test(`merge takes a file of ${LINES} lines that two have changed ${what}`, async () => {
    const merged = await merge({
      base: manyLines(),
      ours: manyLines({ [mine]: "ours" }),
      theirs: manyLines({ [other]: "theirs" }),
    });
    assertEquals("bytes" in merged && merged.bytes, manyLines({ [mine]: "ours", [other]: "theirs" }));
  });
}
