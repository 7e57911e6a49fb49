import { assert, assertEquals } from "@std/assert";
import { type Found, nothingFound } from "../../../../src/engine/search/crew/unit.ts";
import { UnitScanner } from "../../../../src/engine/search/crew/unit_scanner.ts";
import { SearchCache } from "../../../../src/engine/search/cache/search_cache.ts";
import { SearchTime } from "../../../../src/engine/search/search_time.ts";
import {
  addTrigrams,
  filterOf,
  mayHold,
  newFilter,
  trigramsOf,
} from "../../../../src/engine/search/cache/trigrams.ts";
import { type EngineFolder, engineFolder } from "../../../support/engine.ts";

/** What a search finds in all files of the folder itself, and how the cache contributes. */
async function search(folder: EngineFolder, pattern: string, cache?: SearchCache) {
  const names = [...Deno.readDirSync(folder.path)].map(({ name }) => name).sort();
  const sought = { pattern, caseInsensitive: false, contextLines: 0, maxResults: Infinity };
  const scanner = new UnitScanner(folder.at(""), { sought, time: new SearchTime({}), cache });
  const all = { found: nothingFound(), cacheLookups: 0, cacheHits: 0 };
  const left = [names];
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    const { parts, cacheLookups, cacheHits } = await scanner.run({ kind: "files", prefix: "", names: next });
    all.cacheLookups += cacheLookups;
    all.cacheHits += cacheHits;
    for (const part of parts) {
      if ("names" in part) left.push([...part.names]); // on a slow machine it returns some files unsearched
      else if ("found" in part) add(all.found, part.found);
      else throw new Error(`unexpected: ${JSON.stringify(part)}`);
    }
  }
  return all;
}

function add(all: Found, { searched, skipped, files }: Found): void {
  const before = { searched: all.searched, skipped: all.skipped };
  all.searched += searched;
  all.skipped += skipped;
  const counted = files.map((file) => ({
    ...file,
    searched: before.searched + file.searched,
    skipped: before.skipped + file.skipped,
  }));
  Object.assign(all, { files: [...all.files, ...counted] });
}

async function learnAll(cache: SearchCache): Promise<void> {
  while (cache.isDue) await cache.learn();
}

/** Runs the body at a time when everything written so far is old enough. */
async function later<T>(body: () => Promise<T>): Promise<T> {
  const { now } = Date;
  Date.now = () => now() + 10_000;
  try {
    return await body();
  } finally {
    Date.now = now;
  }
}

Deno.test("SearchCache saves opening files that cannot match, from the third search on, and counts them as before", async () => {
  using folder = engineFolder();
  for (let i = 0; i < 20; i++) folder.write(`f${i}`, `some words about number ${i}\n`);
  folder.write("binary", "words\0");
  folder.write("empty", "");
  const cache = new SearchCache(1 << 20);
  const plain = await search(folder, "number 17");
  const hits: number[] = [];
  await later(async () => {
    for (let round = 0; round < 4; round++) {
      const { found, cacheHits, cacheLookups } = await search(folder, "number 17", cache);
      assertEquals([found, cacheLookups], [plain.found, 22]);
      hits.push(cacheHits);
      await learnAll(cache);
    }
  });
  assertEquals(hits, [0, 0, 21, 21]);
});

Deno.test("SearchCache does not learn a file that was changed a moment ago", async () => {
  using folder = engineFolder();
  folder.write("f", "some words\n");
  const cache = new SearchCache(1 << 20);
  for (let round = 0; round < 4; round++) {
    assertEquals((await search(folder, "nothing", cache)).cacheHits, 0);
    await learnAll(cache);
  }
});

Deno.test("SearchCache stays within its memory limit", async () => {
  using folder = engineFolder();
  for (let i = 0; i < 30; i++) folder.write(`f${i}`, "word\n".repeat(1_000));
  const cache = new SearchCache(10_000);
  const hits = await later(async () => {
    for (let round = 0; round < 3; round++) {
      await search(folder, "nothing", cache);
      await learnAll(cache);
    }
    return (await search(folder, "nothing", cache)).cacheHits;
  });
  assert(hits > 0 && hits < 12, `${hits} files of 1.4 kB each`);
});

/** Pseudo-random numbers that are the same each time. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const WORDS = [
  "alpha",
  "Beta",
  "gamma ",
  "DELTA",
  "\n",
  "x",
  "äöü",
  "\u212a",
  "ſ",
  "\xff",
  "0x1f",
  "\r\n",
  " ",
];
const PATTERNS = [
  "alpha",
  "(?i)beta",
  "delta|gamma",
  "(?i)ask|\u212a",
  "ph.Be",
  "^gamma",
  "ö+",
  "[0-9]x",
  "(?i)DELTA\\s*alpha",
  "",
];

Deno.test("SearchCache never hides a match, whatever happens to files between searches", async () => {
  const pick = chance(7);
  using folder = engineFolder();
  const text = () => Array.from({ length: pick(12) }, () => WORDS[pick(WORDS.length)]).join("");
  for (let i = 0; i < 12; i++) folder.write(`f${i}`, text());
  const cache = new SearchCache(1 << 20);
  let spared = 0;
  await later(async () => {
    for (let round = 0; round < 120; round++) {
      const path = `${folder.path}/f${pick(12)}`;
      const kind = pick(8);
      if (kind === 0) Deno.writeTextFileSync(path, text()); // in place
      if (kind === 1) { // replaced
        Deno.writeTextFileSync(`${path}~`, text());
        Deno.renameSync(`${path}~`, path);
      }
      if (kind === 2) Deno.writeTextFileSync(path, text(), { append: true });
      if (kind === 3) { // of the same size
        const bytes = Deno.readFileSync(path);
        bytes.fill(0x61 + pick(3));
        Deno.writeFileSync(path, bytes);
        Deno.utimeSync(path, new Date(), new Date(Date.now() + 1000 * round)); // a clock that ticks between rounds
      }
      const pattern = PATTERNS[pick(PATTERNS.length)] ?? "";
      const { found, cacheHits } = await search(folder, pattern, cache);
      assertEquals(found, (await search(folder, pattern)).found, `round ${round}: ${pattern}`);
      spared += cacheHits;
      await learnAll(cache);
    }
  });
  assert(spared > 100, `only ${spared} files were spared`);
});

Deno.test("SearchCache notices a change of the same size whose modification time was set back", async () => {
  using folder = engineFolder();
  folder.write("f", "old words\n");
  const path = `${folder.path}/f`;
  const { mtime, ctime } = Deno.lstatSync(path);
  const cache = new SearchCache(1 << 20);
  await later(async () => {
    for (let round = 0; round < 3; round++) {
      await search(folder, "newer", cache);
      await learnAll(cache);
    }
    assertEquals((await search(folder, "newer", cache)).cacheHits, 1);
    do {
      await new Promise((resolve) => setTimeout(resolve, 50));
      Deno.writeTextFileSync(path, "newerword\n");
      Deno.utimeSync(path, new Date(), mtime ?? 0);
    } while (Deno.lstatSync(path).ctime?.getTime() === ctime?.getTime());
    assertEquals((await search(folder, "newer", cache)).found.files.length, 1);
  });
});

Deno.test("trigramsOf returns what a match must contain, or nothing if there is no such thing", () => {
  const cases: [pattern: string, text: string, may: boolean | undefined][] = [
    ["needle", "a needle", true],
    ["needle", "a Needle", true], // case is not kept
    ["needle", "a nedle", false],
    ["needle|thread", "thread", true],
    ["needle|thread", "head", false],
    ["(?i)ask", "a\u017fK", true],
    ["needle.*thread", "thread, needle", true], // the order is not kept
    ["needle.*thread", "needle", false],
    ["ab", "", undefined],
    ["needle|ab", "", undefined],
    ["x*", "", undefined],
    ["[", "", undefined],
  ];
  for (const [pattern, text, may] of cases) {
    const sought = trigramsOf(pattern, false);
    const held = sought && mayHold(filterOf(new TextEncoder().encode(text)), sought);
    assertEquals(held, may, `${pattern} in ${text}`);
  }
});

Deno.test("a filter is the same when a file is read in pieces", () => {
  const bytes = new TextEncoder().encode("Some words, and some more of them\n".repeat(20));
  for (const length of [1, 2, 3, 7, 100]) {
    const filter = newFilter(bytes.length);
    let group = 0;
    for (let from = 0; from < bytes.length; from += length) {
      group = addTrigrams(filter, bytes.subarray(from, from + length), { group, from });
    }
    assertEquals(filter, filterOf(bytes));
  }
});
