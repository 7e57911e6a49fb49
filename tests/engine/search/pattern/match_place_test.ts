import { assert, assertEquals } from "@std/assert";
import { compilePattern } from "../../../../src/engine/search/pattern/matcher.ts";
import { encodeUtf8 } from "../../../../src/text/utf8.ts";

const FILLER = "x y ".repeat(5_000);

/** Where a pattern first matches in a line, and how many bytes were read to find out. */
async function find(pattern: string, line: string) {
  let looks = 0;
  const bytes = new Proxy(encodeUtf8(line), {
    get(target, key) {
      looks++;
      return Reflect.get(target, key, target);
    },
  });
  const piece = { bytes, from: 0, to: encodeUtf8(line).length, isEnd: true };
  const place = await compilePattern(pattern).place.find(piece, () => Promise.resolve(true));
  return { start: place?.start, looks };
}

const CASES: [pattern: string, line: string, start: number][] = [
  ["return.*needle", `return ${FILLER}needle`, 0],
  ["return.*needle", `${FILLER}return${FILLER}needle`, 20_000],
  ["return.*needle", `${FILLER}${FILLER}return needle`, 40_000],
  ["[xy ]*needle$", `${FILLER}r${FILLER}needle`, 20_001],
  ["[xy ]*needle$", `r${FILLER}${FILLER}needle`, 1],
  ["rx.*n|x q", `${FILLER}rx q${FILLER}n`, 20_000], // the match that begins first ends last
  ["r.*never|needle", `r${FILLER}r${FILLER}needle`, 40_002], // what begins first does not match
  ["é+.*n$", `${FILLER}ééé${FILLER}n`, 20_000],
];

for (const [pattern, line, start] of CASES) {
  const name = `${pattern} at ${start} of ${line.length}`;
  Deno.test(`MatchPlace finds the first match, and reads the line only a few times: ${name}`, async () => {
    const found = await find(pattern, line);
    assertEquals(found.start, start);
    assert(found.looks < 4 * line.length, `${found.looks} looks at ${line.length} characters`);
  });
}
