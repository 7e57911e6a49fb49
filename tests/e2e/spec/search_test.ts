/** grep and glob, by the numbers of the specification. */
import { assertEquals, assertMatch } from "@std/assert";
import { type Given, suite } from "./suite.ts";

const e2e = suite();

interface Match {
  file: string;
  line_number: number;
}

const places = (matches: Match[]) => matches.map(({ file, line_number }) => `${file}:${line_number}`);

async function paths({ ok, root }: Given, args: Record<string, unknown>): Promise<string[]> {
  const { matches, total_matches, truncated, timed_out } = await ok("glob", { root, ...args });
  assertEquals([total_matches, truncated, timed_out], [matches.length, false, false]);
  return matches.map(({ path }: { path: string }) => path);
}

e2e("E2E-048: grep returns matching lines with their context", async ({ write, root, ok }) => {
  const lines = Array.from({ length: 20 }, (_, i) => `line ${i + 1}`);
  write("code.go", [...lines.slice(0, 9), "// TODO: fix this", ...lines.slice(10)].join("\n"));
  assertEquals(await ok("grep", { root, pattern: "TODO", context_lines: 2 }), {
    matches: [{
      file: "code.go",
      line_number: 10,
      line_content: "// TODO: fix this",
      context_before: ["line 8", "line 9"],
      context_after: ["line 11", "line 12"],
    }],
    total_matches: 1,
    truncated: false,
    timed_out: false,
    files_searched: 1,
    skipped: 0,
  });
  const { matches: [edge] } = await ok("grep", { root, pattern: "^line 1$", context_lines: 2 });
  assertEquals([edge.context_before, edge.context_after], [[], ["line 2", "line 3"]]);
});

e2e("E2E-049: grep ignores letter case when told to", async ({ write, root, ok }) => {
  write("a.txt", "Error\n");
  write("b.txt", "an error\n");
  write("c.txt", "ERROR!\n");
  const { matches } = await ok("grep", { root, pattern: "error", case_insensitive: true });
  assertEquals(places(matches), ["a.txt:1", "b.txt:1", "c.txt:1"]);
  assertEquals(places((await ok("grep", { root, pattern: "error" })).matches), ["b.txt:1"]);
});

e2e("E2E-050: grep searches only files that match a filter", async ({ write, root, ok }) => {
  write("file.go", "TODO\n");
  write("deep/er/file.go", "TODO\n");
  write("file.py", "TODO\n");
  const { matches, files_searched } = await ok("grep", { root, pattern: "TODO", glob_filter: "*.go" });
  assertEquals(places(matches), ["deep/er/file.go:1", "file.go:1"]);
  assertEquals(files_searched, 2);
});

e2e("E2E-051: grep returns no matches when there are none", async ({ write, root, ok }) => {
  write("a.txt", "nothing\n");
  const { matches, total_matches, truncated } = await ok("grep", { root, pattern: "ZZZZUNIQUEZZZZZ" });
  assertEquals([matches, total_matches, truncated], [[], 0, false]);
});

e2e("E2E-052: grep says what is wrong with a pattern", async ({ root, refused }) => {
  assertEquals(
    await refused("grep", { root, pattern: "[invalid" }),
    "invalid pattern: error parsing regexp: missing closing ]: `[invalid` (root: " + root + ")",
  );
  assertMatch(await refused("grep", { root, pattern: "a(?=b)" }), /^invalid pattern: .*\(\?=/);
});

e2e("E2E-053: grep stops at max_results and says so", async ({ write, root, ok }) => {
  for (let i = 0; i < 210; i++) write(`f${String(i).padStart(3, "0")}.txt`, "a match\n");
  const five = await ok("grep", { root, pattern: "match", max_results: 5 });
  assertEquals([five.matches.length, five.total_matches, five.truncated], [5, 5, true]);
  assertEquals(places(five.matches), ["f000.txt:1", "f001.txt:1", "f002.txt:1", "f003.txt:1", "f004.txt:1"]);
  const hundred = await ok("grep", { root, pattern: "match" });
  assertEquals([hundred.matches.length, hundred.truncated], [100, true], "100 is the default");
  const all = await ok("grep", { root, pattern: "match", max_results: 1000 });
  assertEquals([all.matches.length, all.truncated], [210, false]);
});

e2e("E2E-054: grep leaves out binary files", async ({ write, root, ok }) => {
  write("text.txt", "the needle\n");
  write("data.bin", "the needle\n\0\n");
  const { matches, files_searched } = await ok("grep", { root, pattern: "needle" });
  assertEquals([places(matches), files_searched], [["text.txt:1"], 1]);
});

e2e("E2E-055: glob finds files by a glob pattern", async (given) => {
  for (const name of ["a.go", "b.go", "c.txt", "sub/d.go"]) given.write(name, "12");
  assertEquals(await paths(given, { pattern: "*.go" }), ["a.go", "b.go"]);
  const { matches: [{ modified_at, ...first }] } = await given.ok("glob", {
    root: given.root,
    pattern: "a.*",
  });
  assertEquals(first, { path: "a.go", type: "file", size: 2 });
  assertEquals(modified_at, new Date(modified_at).toISOString());
});

e2e("E2E-056: glob finds files by a regular expression", async (given) => {
  for (const name of ["test_1.go", "test_2.go", "main.go", "test_x.go"]) given.write(name, "");
  assertEquals(await paths(given, { regex: "test_\\d+\\.go" }), ["test_1.go", "test_2.go"]);
});

e2e("E2E-057: glob goes down any number of folders with **", async (given) => {
  for (const name of ["src/a.go", "src/pkg/b.go", "src/pkg/sub/c.go", "src/x.txt"]) given.write(name, "");
  assertEquals(await paths(given, { pattern: "**/*.go" }), ["src/a.go", "src/pkg/b.go", "src/pkg/sub/c.go"]);
  assertEquals(await paths(given, { pattern: "*.go", path: "src/pkg" }), ["src/pkg/b.go"]);
  assertEquals(await paths(given, { pattern: "**/*.go", max_depth: 2 }), ["src/a.go"]);
});

e2e("E2E-058: glob returns only files when told to", async (given) => {
  given.write("a.txt", "");
  given.mkdir("folder");
  assertEquals(await paths(given, { pattern: "*", type_filter: "file" }), ["a.txt"]);
  assertEquals(await paths(given, { pattern: "*", type_filter: "directory" }), ["folder"]);
  assertEquals(await paths(given, { pattern: "*" }), ["a.txt", "folder"]);
});

e2e("E2E-059: glob returns no matches when there are none", async (given) => {
  given.write("a.txt", "");
  assertEquals(await paths(given, { pattern: "*.xyz" }), []);
});

e2e("E2E-060: glob refuses both pattern and regex, or neither", async ({ root, refused }) => {
  const message = `exactly one of pattern or regex must be provided (root: ${root})`;
  assertEquals(await refused("glob", { root, pattern: "*.go", regex: ".*\\.go" }), message);
  assertEquals(await refused("glob", { root }), message);
});

e2e("E2E-076: glob says what is wrong with a pattern", async ({ root, refused }) => {
  assertEquals(
    await refused("glob", { root, regex: "[unclosed" }),
    "invalid pattern: error parsing regexp: missing closing ]: `[unclosed` (root: " + root + ")",
  );
  assertMatch(await refused("glob", { root, pattern: "[unclosed" }), /^invalid glob: .*\[/);
});
