import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { grep, SearchPool } from "../../../../src/engine/search/mod.ts";
import { type Division, endOfRange } from "../../../../src/engine/search/crew/file_ranges.ts";
import { SearchTime } from "../../../../src/engine/search/search_time.ts";
import { UnitScanner } from "../../../../src/engine/search/crew/unit_scanner.ts";
import { serveSearches } from "../../../../src/engine/search/crew/serve_searches.ts";
import { engineFolder, refusal } from "../../../support/engine.ts";
import { tempFolder } from "../../../support/temp.ts";
import { hardLine, swap, withClock } from "../support.ts";

/** A pool on this thread whose files are divided as soon as they are larger than one buffer. */
function dividing(rangeBytes: number, options = { aloneMs: 0 } as { aloneMs?: number }) {
  const pool = new SearchPool({
    spawn: (port) => void serveSearches(port),
    size: 2,
    ...options,
    division: { above: 1, leastBytes: rangeBytes, mostBytes: 2 * rangeBytes },
  });
  return Object.assign(pool, { [Symbol.dispose]: () => pool.close() });
}

/** More than one buffer of lines, some of which match. */
const text = fc.array(
  fc.tuple(
    fc.constantFrom(0, 3, 80, 2_001, 70_000),
    fc.constantFrom("", "x", "y", "é"),
    fc.constantFrom("\n", "\r\n"),
  ),
  { minLength: 5, maxLength: 12 },
).map((lines) => {
  const once = lines.map(([length, tail, ending]) => "a".repeat(length) + tail + ending).join("");
  return once.repeat(Math.ceil(300_000 / once.length));
});

Deno.test("grep returns the same for files divided among workers as for whole ones", async () => {
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.record({
        pattern: fc.constantFrom("x$", "é|^$", "^a{3}y?$", "nothing"),
        contextLines: fc.nat(3),
        maxResults: fc.constantFrom(1, 7, 10_000),
      }),
      fc.integer({ min: 50_000, max: 400_000 }),
      async (content, options, rangeBytes) => {
        using folder = engineFolder();
        for (const name of ["a", "b/1", "b/2", "z"]) folder.write(name, `${name} x\n`);
        for (const name of ["b/large", "c"]) folder.write(name, content);
        folder.write("b/binary", `x\0${content}`);
        using pool = dividing(rangeBytes);
        for (const path of ["", "c", "b/binary"]) {
          const expected = await grep(folder.at(path), options);
          assertEquals(await grep(folder.at(path), { ...options, pool }), expected);
        }
      },
    ),
    { numRuns: 12 },
  );
});

Deno.test("ranges of a file are large at first, small at its end, and within their bounds", () => {
  const lengths = (size: number, division: Division, workers: number) => {
    const found: number[] = [];
    for (let from = 0; from < size;) {
      const to = endOfRange({ from, size }, division, workers);
      found.push(to - from);
      from = to;
    }
    return found;
  };
  const division = { above: 16, leastBytes: 8, mostBytes: 32 };
  assertEquals(lengths(200, division, 2), [32, 32, 32, 26, 20, 15, 11, 8, 8, 8, 8]);
  assertEquals(lengths(200, division, 100), Array.from({ length: 25 }, () => 8));
  assertEquals(lengths(17, division, 1), [9, 8]);
});

const HARD = "(a|b)*a(a|b){999}$";

Deno.test("grep of a divided file ends when the time is up, with what comes first, or when cancelled", async () => {
  using folder = engineFolder();
  const hard = new TextDecoder().decode(hardLine(300_000));
  const easy = "aab\ncccccccccccccccc\n".repeat(15_000);
  folder.write("large", `${easy}${hard}\n${easy}`);
  using pool = dividing(100_000);
  const pattern = `^aab$|${HARD}`;
  const options = { pattern, maxResults: 1_000_000, pool };
  const result = await grep(folder.at(""), { ...options, timeoutMs: 500 });
  assertEquals(result.timed_out, true);
  assert(result.matches.length <= 15_000);
  assertEquals(result.matches.every((match, i) => match.line_number === 2 * i + 1), true);
  const controller = new AbortController();
  const call = refusal(grep(folder.at(""), { ...options, signal: controller.signal }));
  setTimeout(() => controller.abort(), 20);
  assertEquals(await call, "TIMEOUT: the call was cancelled");
});

Deno.test("a large file that this thread could not finish alone is searched once, by the workers", async () => {
  using folder = engineFolder();
  folder.write("large", "some x\n".repeat(100_000));
  using pool = dividing(100_000, {});
  const options = { pattern: "x", maxResults: 1_000_000 };
  const expected = await grep(folder.at(""), options);
  await withClock(1, async () => { // this thread's time ends in the middle of a range
    for (let round = 0; round < 3; round++) {
      assertEquals(await grep(folder.at(""), { ...options, pool }), expected);
    }
  });
});

Deno.test("UnitScanner reports nothing about a range of a file that was replaced, or that is outside", async () => {
  using folder = engineFolder();
  using outside = tempFolder();
  for (const one of [folder, outside]) one.write("in/file", "x\n");
  const path = folder.at("");
  const sought = { pattern: "x", caseInsensitive: false, contextLines: 0, maxResults: 10 };
  const identity = (at: string) => {
    const { dev, ino } = Deno.statSync(`${at}/in/file`);
    return { dev, ino: ino ?? 0, size: 2 };
  };
  const look = async (file: ReturnType<typeof identity>) => {
    const scanner = new UnitScanner(path, { sought, time: new SearchTime({}) });
    const range = { file, from: 0, to: 2 };
    const { parts: [part] } = await scanner.run({ kind: "range", prefix: "in/", name: "file", range });
    assert(part && "found" in part);
    const { files, searched, skipped, part: { lines } = {} } = part.found;
    return [files.length, searched, skipped, lines];
  };
  const [mine, others] = [identity(folder.path), identity(outside.path)];
  assertEquals(await look(mine), [1, 1, 0, 1]);
  assertEquals(await look(others), [0, 0, 1, undefined]);
  swap(`${folder.path}/in`, `${outside.path}/in`);
  assertEquals(await look(mine), [0, 0, 1, undefined]);
  assertEquals(await look(others), [0, 0, 1, undefined]);
});
