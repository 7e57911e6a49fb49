import { assert, assertEquals } from "@std/assert";
import { grep, type GrepOptions, type GrepProgress, SearchPool } from "../../../../src/engine/search/mod.ts";
import type { SearchPoolOptions } from "../../../../src/engine/search/crew/pool.ts";
import { serveSearches } from "../../../../src/engine/search/crew/serve_searches.ts";
import { type EngineFolder, engineFolder, refusal } from "../../../support/engine.ts";
import { afterListing, hardLine, swap } from "../support.ts";
import type { ConfinedPath } from "../../../../src/confine/resolve_path.ts";
import { tempFolder } from "../../../support/temp.ts";

/** A pool whose workers run on this thread: everything but the threads. No search works without it. */
function poolOf(size: number, options: Partial<SearchPoolOptions> = {}) {
  const pool = new SearchPool({
    spawn: (port) => void serveSearches(port),
    size,
    aloneMs: 0,
    ...options,
  });
  return Object.assign(pool, { [Symbol.dispose]: () => pool.close() });
}

/** A tree in which batches, runs of files and folders begin and end in many places. */
function grow(folder: EngineFolder, files = 200): void {
  for (let i = 0; i < files; i++) {
    const path = `${"abc"[i % 3]}/${i % 7}/${i % 11 === 0 ? "deep/er/" : ""}f${i}.${i % 2 ? "ts" : "md"}`;
    const lines = Array.from({ length: i % 5 }, (_, n) => `line ${n} of ${i}${n === 2 ? " TODO" : ""}`);
    folder.write(path, lines.join("\n"));
  }
  folder.write("b/binary", "TODO \0");
  folder.write("z", "todo: last\n".repeat(3));
}

const SEARCHES: GrepOptions[] = [
  { pattern: "TODO", maxResults: 1_000 },
  { pattern: "todo", caseInsensitive: true, contextLines: 1, maxResults: 1_000 },
  { pattern: "TODO", maxResults: 7 },
  { pattern: "line 0", maxResults: 100 },
  { pattern: "^line", maxResults: 61, globFilter: "*.ts", contextLines: 3 },
  { pattern: "nothing" },
  { pattern: "TODO", globFilter: "b/**/*.md" },
  { pattern: "1", maxDepth: 2 },
  { pattern: ".", maxResults: 0 },
];

Deno.test("grep returns exactly the same, counts included, with any number of workers and without any", async () => {
  using folder = engineFolder();
  grow(folder);
  using one = poolOf(1);
  using three = poolOf(3, { cacheBytes: 1 << 20 });
  for (const options of SEARCHES) {
    const expected = await grep(folder.at(""), options);
    assertEquals(await grep(folder.at(""), { ...options, pool: one }), expected, options.pattern);
    assertEquals(await grep(folder.at(""), { ...options, pool: three }), expected, options.pattern);
  }
  for (const path of ["z", "b/binary"]) {
    const expected = await grep(folder.at(path), { pattern: "TODO|todo" });
    assertEquals(await grep(folder.at(path), { pattern: "TODO|todo", pool: three }), expected);
  }
  assertEquals([one.size, three.size], [1, 3]);
});

Deno.test("grep returns the same in ten searches at once", async () => {
  using folder = engineFolder();
  grow(folder);
  using pool = poolOf(2);
  const ten = [...SEARCHES, { pattern: "of 1.", maxResults: 30 }];
  const expected = await Promise.all(ten.map((options) => grep(folder.at(""), options)));
  assertEquals(await Promise.all(ten.map((options) => grep(folder.at(""), { ...options, pool }))), expected);
});

const HARD = "(a|b)*a(a|b){999}$";

Deno.test("a search that never ends in any worker does not delay another, and ends when cancelled", async () => {
  using folder = engineFolder();
  grow(folder);
  for (let i = 0; i < 20; i++) folder.write(`hard/${i}`, hardLine(300_000));
  using pool = poolOf(2);
  const controller = new AbortController();
  let hasEnded = false;
  const long = refusal(grep(folder.at("hard"), { pattern: HARD, pool, signal: controller.signal }))
    .finally(() => hasEnded = true);
  const short = await grep(folder.at(""), { pattern: "of 17", globFilter: "*.ts", pool });
  assertEquals([short.total_matches > 0, hasEnded], [true, false]);
  controller.abort();
  assertEquals(await long, "TIMEOUT: the call was cancelled");
});

Deno.test("grep returns what workers have found when the time is up: the first in the order of paths", async () => {
  using folder = engineFolder();
  for (let i = 0; i < 8; i++) folder.write(`a${i}`, "aab\n"); // the first batch
  folder.write("b", hardLine(300_000));
  for (let i = 0; i < 200; i++) folder.write(`c${i}`, "aac\n");
  using pool = poolOf(2);
  const first = Array.from({ length: 8 }, (_, i) => `a${i}`);
  let found: string[] = [];
  // A slow machine takes longer for the first batch; the hard line takes much longer on any.
  for (let timeoutMs = 300; found.length < first.length && timeoutMs < 100_000; timeoutMs *= 4) {
    const result = await grep(folder.at(""), { pattern: `^aab$|${HARD}`, timeoutMs, pool });
    assertEquals(result.timed_out, true);
    found = result.matches.map(({ file }) => file);
    assertEquals(found, first.slice(0, found.length));
  }
  assertEquals(found, first);
});

Deno.test("grep continues by itself when workers are lost, or there are none", async () => {
  using folder = engineFolder();
  grow(folder, 40);
  for (let i = 0; i < 200; i++) folder.write(`d/${i}/file`, "line\n");
  const options = { pattern: "line", maxResults: 1_000 };
  const expected = await grep(folder.at(""), options);
  using none = poolOf(2, { spawn: (_, lost) => lost() });
  assertEquals(await grep(folder.at(""), { ...options, pool: none }), expected);
  assertEquals(none.size, 0);
  const losses: (() => void)[] = [];
  using some = poolOf(2, {
    spawn(port, lost) {
      losses.push(lost);
      serveSearches(port);
    },
  });
  let reports = 0;
  const onProgress = () => {
    reports++;
    losses.shift()?.();
  };
  const { now } = performance;
  let ahead = 0;
  performance.now = () => now.call(performance) + (ahead += 50); // so that there is progress to report
  try {
    assertEquals(await grep(folder.at(""), { ...options, pool: some, onProgress }), expected);
  } finally {
    performance.now = now;
  }
  assert(reports > 1);
  assertEquals(some.size, 0);
});

Deno.test("workers return nothing from outside when what was found is swapped for links", async () => {
  using folder = engineFolder();
  using outside = tempFolder();
  for (const name of ["file", "secret"]) outside.write(name, "x outside");
  for (const name of ["a/file", "b", "c", "z/0/file", "z/1"]) folder.write(name, "x inside");
  using pool = poolOf(2);
  const actions = {
    [`${folder.path}/a`]: () => swap(`${folder.path}/a`, outside.path),
    [folder.path]: () => swap(`${folder.path}/b`, `${outside.path}/secret`),
  };
  const mayEnter = ({ relative, absolute }: ConfinedPath) => {
    if (relative === "z/0") swap(absolute, outside.path); // before it is listed
    return true;
  };
  const result = await afterListing(actions, () => grep(folder.at(""), { pattern: "x", pool, mayEnter }));
  assertEquals([result.matches.map(({ file }) => file), result.skipped], [["c", "z/1"], 3]);
});

Deno.test("grep refuses a bad pattern before it requests workers", async () => {
  using folder = engineFolder();
  folder.write("a", "x");
  using pool = poolOf(2);
  assertEquals(
    (await refusal(grep(folder.at(""), { pattern: "[a", pool }))).slice(0, 30),
    "INVALID_INPUT: invalid pattern",
  );
  assertEquals(pool.size, 0);
});

Deno.test("grep reports progress while workers search", async () => {
  using folder = engineFolder();
  grow(folder, 40);
  using pool = poolOf(1);
  const seen: GrepProgress[] = [];
  const { now } = performance;
  let ahead = 0;
  performance.now = () => now.call(performance) + (ahead += 20);
  try {
    await grep(folder.at(""), {
      pattern: "line",
      maxResults: 1_000,
      pool,
      onProgress: (done) => seen.push(done),
    });
  } finally {
    performance.now = now;
  }
  const files = seen.map((done) => done.files_searched);
  assert(files.length > 0);
  assertEquals(files, files.toSorted((a, b) => a - b));
});

Deno.test("SearchPool starts its workers when a search first needs them, and stops them after a rest", async () => {
  using folder = engineFolder();
  folder.write("a", "x");
  const served: Promise<void>[] = [];
  using pool = poolOf(2, { restMs: 20, spawn: (port) => void served.push(serveSearches(port)) });
  assertEquals(pool.size, 0);
  for (let round = 1; round <= 2; round++) {
    assertEquals((await grep(folder.at(""), { pattern: "x", pool })).total_matches, 1);
    assertEquals([pool.size, served.length], [2, 2 * round]);
    await Promise.all(served);
    assertEquals(pool.size, 0);
  }
});
