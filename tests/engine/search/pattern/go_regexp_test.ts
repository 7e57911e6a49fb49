// Compared with Go itself: patterns and lines with the results of Go's regexp package (see the fixture's maker).
import { assert, assertEquals } from "@std/assert";
import { PaddockError } from "../../../../src/base/errors.ts";
import { shown } from "../../../../src/base/shown.ts";
import { compilePattern } from "../../../../src/engine/search/mod.ts";
import fixture from "../../../fixtures/go_regexp.json" with { type: "json" };

interface Verdict {
  p: string;
  /** One digit per line. */
  m?: string;
  e?: string;
  /** Its own lines; otherwise the common ones. */
  l?: string[];
}

const verdicts: readonly Verdict[] = fixture.verdicts;
const commonLines = fixture.lines.map(bytesOf);

function bytesOf(line: string): Uint8Array {
  return line.startsWith("hex:") ? Uint8Array.fromHex(line.slice(4)) : new TextEncoder().encode(line);
}

/** The matcher's results, in the form of the fixture. */
function judge({ p, l }: Verdict): string {
  try {
    const matcher = compilePattern(p);
    const lines = l?.map(bytesOf) ?? commonLines;
    return lines.map((line) => matcher.matchesLine(line, 0, line.length) ? "1" : "0").join("");
  } catch (error) {
    if (!(error instanceof PaddockError)) throw error;
    return `${error.code} ${error.message}`;
  }
}

Deno.test("compilePattern matches the lines that Go matches", () => {
  const accepted = verdicts.filter(({ m }) => m !== undefined);
  assert(accepted.length > 300, `only ${accepted.length} patterns`);
  const different = accepted.filter((verdict) => judge(verdict) !== verdict.m);
  assertEquals(different.map((verdict) => ({ ...verdict, ours: judge(verdict) })), []);
});

Deno.test("compilePattern refuses what Go refuses, in Go's words", () => {
  const refused = verdicts.filter(({ e }) => e !== undefined);
  assert(refused.length > 200, `only ${refused.length} patterns`);
  const different = refused.filter((verdict) =>
    judge(verdict) !== shown(`INVALID_INPUT invalid pattern: ${verdict.e}`)
  );
  assertEquals(different.map((verdict) => ({ ...verdict, ours: judge(verdict) })), []);
});
