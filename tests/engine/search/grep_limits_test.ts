import { assert, assertEquals } from "@std/assert";
import { grep, type GrepProgress } from "../../../src/engine/search/mod.ts";
import { abortedAfter, engineFolder, refusal } from "../../support/engine.ts";
import { patient } from "../../support/patience.ts";
import { hardLine, withClock } from "./support.ts";

Deno.test("grep stops at max_results, with the first ones in the order of paths", async () => {
  using folder = engineFolder();
  for (let i = 0; i < 30; i++) folder.write(`f${String(i).padStart(2, "0")}`, "match\nmatch\n");
  const result = await grep(folder.at(""), { pattern: "match", maxResults: 5 });
  assertEquals(result.matches.map((m) => `${m.file}:${m.line_number}`), [
    "f00:1",
    "f00:2",
    "f01:1",
    "f01:2",
    "f02:1",
  ]);
  assertEquals([result.total_matches, result.truncated, result.files_searched], [5, true, 3]);
  const none = await grep(folder.at(""), { pattern: "match", maxResults: 0 });
  assertEquals([none.matches, none.truncated, none.files_searched], [[], true, 0]);
});

Deno.test("grep returns a hundred matches unless told otherwise", async () => {
  using folder = engineFolder();
  folder.write("f", "x\n".repeat(150));
  const result = await grep(folder.at(""), { pattern: "x" });
  assertEquals([result.total_matches, result.truncated], [100, true]);
});

Deno.test("grep returns what it has when the time is up, in a tree that takes much longer", async () => {
  using folder = engineFolder();
  for (let i = 0; i < 200; i++) folder.write(`${i % 20}/${i}`, "a quite ordinary line of text\n");
  const options = { pattern: "ordinary", maxResults: Infinity, timeoutMs: 300 };
  const result = await withClock(5, () => grep(folder.at(""), options));
  assertEquals([result.timed_out, result.truncated], [true, false]);
  const { total_matches, files_searched } = result;
  assert(total_matches > 0 && files_searched < 200, `${total_matches} in ${files_searched} files`);
  assertEquals(
    result.matches,
    (await grep(folder.at(""), { ...options, timeoutMs: Infinity })).matches.slice(0, total_matches),
  );
});

Deno.test("grep ends in time within one hard line, and lets others have their turns meanwhile", async () => {
  using folder = engineFolder();
  folder.write("longer than the buffer", hardLine(400_000));
  folder.write("not as long", hardLine(200_000));
  for (const path of ["longer than the buffer", "not as long"]) {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const options = { pattern: "(a|b)*a(a|b){999}$", timeoutMs: patient(100) };
    const result = await grep(folder.at(path), options).finally(() => clearInterval(timer));
    assertEquals([result.timed_out, result.matches], [true, []]);
    assert(turns > 0);
  }
});

Deno.test("grep throws when it is cancelled: before, between files, and within one hard line", async () => {
  using folder = engineFolder();
  for (let i = 0; i < 30; i++) folder.write(`f${i}`, "x\n");
  folder.write("hard", hardLine(200_000));
  const cancelled = "TIMEOUT: the call was cancelled";
  for (const signal of [AbortSignal.abort(), abortedAfter(1), abortedAfter(4)]) {
    assertEquals(await refusal(grep(folder.at(""), { pattern: "x", signal })), cancelled);
  }
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  const hard = grep(folder.at("hard"), { pattern: "(a|b)*a(a|b){999}$", signal: controller.signal });
  assertEquals(await refusal(hard), cancelled);
});

Deno.test("grep reports progress in a search that takes a while", async () => {
  using folder = engineFolder();
  for (let i = 0; i < 10; i++) folder.write(`${i}`, "x\n");
  const seen: number[] = [];
  const onProgress = (progress: GrepProgress) => seen.push(progress.files_searched);
  await withClock(50, () => grep(folder.at(""), { pattern: "x", onProgress }));
  assert(seen.length > 0 && seen.length <= 10, `${seen.length} reports`);
  assertEquals(seen, seen.toSorted((a, b) => a - b));
});
