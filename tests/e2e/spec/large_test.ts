/** Large files and long searches, by the numbers of the specification. */
import { assert, assertEquals } from "@std/assert";
import { memoryOf } from "../../support/run_log.ts";
import { suite } from "./suite.ts";

const e2e = suite({ settings: "timeout_seconds: 120" });

const MB = 1024 * 1024;

e2e("E2E-078: hash_file reads a large file as a stream", async ({ at, write, ok, server }) => {
  Deno.truncateSync(write("large.bin", ""), 200 * MB);
  write("small.bin", "x".repeat(MB));
  await ok("hash_file", at("small.bin", { algorithm: "sha256" }));
  const before = memoryOf(server.server.pid, "VmRSS");
  let most = before;
  const watch = setInterval(() => most = Math.max(most, memoryOf(server.server.pid, "VmRSS")), 10);
  try {
    const { hash, size } = await ok("hash_file", at("large.bin", { algorithm: "sha256" }));
    assertEquals([hash, size], [
      "72abf2ca8f36943ebe2e49ca3a51d409ca5f0bfcffab6c9d25643c17c32889da",
      200 * MB,
    ]);
  } finally {
    clearInterval(watch);
  }
  assert(most - before < 20 * MB, `from ${before} to ${most} bytes`);
}, { needs: ["Linux"] });

e2e("E2E-079: grep returns what it has found when the time is up", async ({ write, mkdir, root, ok }) => {
  // One file under 2,000 names: 64 GB to search, and 32 MB on disk.
  const page = "nothing to be found in this line\n".repeat(1_000);
  const file = write("tree/0/0", "common\n" + page.repeat(Math.ceil(32 * MB / page.length)) + "common\n");
  for (let folder = 0; folder < 20; folder++) {
    mkdir(`tree/${folder}`);
    for (let name = folder === 0 ? 1 : 0; name < 100; name++) {
      Deno.linkSync(file, `${file.slice(0, -"0/0".length)}${folder}/${name}`);
    }
  }
  const search = (timeout_seconds: number) =>
    ok("grep", { root, pattern: "com+on", path: "tree", max_results: 1_000_000, timeout_seconds });
  let found = await search(1);
  // On a busy machine it may take longer to find the first.
  for (let seconds = 4; found.matches.length === 0 && seconds < 100; seconds *= 4) {
    found = await search(seconds);
  }
  const { matches, total_matches, timed_out, truncated } = found;
  assertEquals([timed_out, truncated], [true, false]);
  assert(matches.length > 0 && matches.length < 4_000, `${matches.length} matches`);
  assertEquals(total_matches, matches.length);
  assertEquals([matches[0].file, matches[0].line_number], ["tree/0/0", 1]);
});
