import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type BatchResult, BatchScanner } from "../../../../src/engine/search/crew/batch.ts";
import { type FileRange, lookInRanges } from "../../../../src/engine/search/crew/file_ranges.ts";
import { grep, SearchPool } from "../../../../src/engine/search/mod.ts";
import { SearchTime } from "../../../../src/engine/search/search_time.ts";
import { serveSearches } from "../../../../src/engine/search/crew/serve_searches.ts";
import { engineFolder, refusal } from "../../../support/engine.ts";
import { tempFolder } from "../../../support/temp.ts";
import { hardLine, swap } from "../support.ts";

/** A pool on this thread whose files are divided as soon as they are larger than one buffer. */
function dividing(rangeBytes: number) {
  const pool = new SearchPool({
    spawn: (port) => void serveSearches(port),
    size: 2,
    aloneMs: 0,
    division: { above: 1, rangeBytes },
  });
  return Object.assign(pool, { [Symbol.dispose]: () => pool.close() });
}

/** More than one buffer of lines, of which some match. */
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

Deno.test("grep gives the same of files that are divided among workers as of whole ones", async () => {
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

const HARD = "(a|b)*a(a|b){999}$";

Deno.test("grep of a file that is divided ends when the time is up, with what comes first, or when cancelled", async () => {
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

function resultOf(lines: number | undefined, lineNumber: number): BatchResult {
  const match = {
    file: "f",
    line_number: lineNumber,
    line_content: "",
    context_before: [],
    context_after: [],
  };
  const counts = { searched: 0, skipped: 0 };
  return {
    ...counts,
    files: [{ ...counts, matches: [match] }],
    timedOut: false,
    cacheLookups: 0,
    cacheHits: 0,
    lines,
  };
}

const FILE = { dev: 1, ino: 2, size: 100 };

Deno.test("lookInRanges gives results on in the order of the file, and begins no more at once than it may", async () => {
  const asked: FileRange[] = [];
  const got: number[] = [];
  let [underWay, most] = [0, 0];
  await lookInRanges(FILE, {
    async look(range) {
      asked.push(range);
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setTimeout(resolve, range.from % 3));
      underWay--;
      return resultOf(10, 1);
    },
    put: ({ files }) =>
      got.push(...files.flatMap(({ matches }) => matches.map((match) => match.line_number))),
    mayGoOn: () => Promise.resolve(true),
    atOnce: 2,
    rangeBytes: 30,
  });
  assertEquals(asked.map(({ from, to }) => [from, to]), [[0, 30], [30, 60], [60, 90], [90, Infinity]]);
  assertEquals(got, [1, 11, 21, 31]);
  assertEquals(most, 2);
});

Deno.test("lookInRanges ends at the first range of a file that is another by now, and when nobody wants more", async () => {
  let [put, begun] = [0, 0];
  const options = { put: () => put++, atOnce: 1, rangeBytes: 10 };
  const look = () => Promise.resolve(resultOf(++begun < 3 ? 1 : undefined, 1));
  await lookInRanges(FILE, { ...options, look, mayGoOn: () => Promise.resolve(true) });
  assertEquals([put, begun], [3, 3]);
  await lookInRanges(FILE, { ...options, look, mayGoOn: () => Promise.resolve(begun < 3) });
  assertEquals([put, begun], [3, 3]);
});

Deno.test("BatchScanner tells nothing of a range of a file that is another by now, or lies outside", async () => {
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
    const scanner = new BatchScanner(path, { sought, time: new SearchTime({}) });
    const folders = [{ prefix: "in/", names: ["file"] }];
    const result = await scanner.run({ folders, skipped: 0, range: { file, from: 0, to: 2 } });
    return [result.files.length, result.searched, result.skipped, result.lines];
  };
  const [mine, others] = [identity(folder.path), identity(outside.path)];
  assertEquals(await look(mine), [1, 1, 0, 1]);
  assertEquals(await look(others), [0, 0, 1, undefined]);
  swap(`${folder.path}/in`, `${outside.path}/in`);
  assertEquals(await look(mine), [0, 0, 1, undefined]);
  assertEquals(await look(others), [0, 0, 1, undefined]);
});
