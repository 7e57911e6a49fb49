import { assertEquals } from "@std/assert";
import { merge } from "../../../src/engine/undo/merge.ts";

const MANY = 150_000;

/** A file of many short lines, some of which differ. */
function fileOf(lines: number, changed: Record<number, string> = {}): Uint8Array {
  return new TextEncoder().encode(
    Array.from({ length: lines }, (_, i) => `${changed[i] ?? i.toString(36)}\n`).join(""),
  );
}

const PLACES: [what: string, lines: number, ours: number, theirs: number][] = [
  ["in the last lines", MANY, MANY - 4, MANY - 1],
  ["in the first lines", MANY, 0, 3],
  ["far apart", 5_000, 0, 4_999],
];

for (const [what, lines, mine, other] of PLACES) {
  Deno.test(`merge handles a file of ${lines} lines that two have changed ${what}`, async () => {
    const merged = await merge({
      base: fileOf(lines),
      ours: fileOf(lines, { [mine]: "ours" }),
      theirs: fileOf(lines, { [other]: "theirs" }),
    });
    assertEquals("bytes" in merged && merged.bytes, fileOf(lines, { [mine]: "ours", [other]: "theirs" }));
  });
}

Deno.test("merge refuses what would block the server for a minute", async () => {
  const merged = await merge({
    base: fileOf(MANY),
    ours: fileOf(MANY, { 0: "ours" }),
    theirs: fileOf(MANY, { [MANY - 1]: "theirs" }),
  });
  assertEquals(merged, { refused: "it has too many lines between the changes to be merged" });
});
