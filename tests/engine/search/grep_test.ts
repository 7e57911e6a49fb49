import { assertEquals } from "@std/assert";
import { grep, type GrepOptions, type GrepResult } from "../../../src/engine/search/mod.ts";
import { type EngineFolder, engineFolder, refusal } from "../../support/engine.ts";
import { withMkfifo } from "../../support/needs.ts";
import type { ConfinedPath } from "../../../src/confine/resolve_path.ts";
import { tempFolder } from "../../support/temp.ts";
import { afterListing, swap } from "./support.ts";

/** The matches as `file:line:content`. */
async function hits(folder: EngineFolder, options: GrepOptions & { path?: string }): Promise<string[]> {
  return hitsOf(await grep(folder.at(options.path ?? ""), options));
}

function hitsOf({ matches }: GrepResult): string[] {
  return matches.map((match) => `${match.file}:${match.line_number}:${match.line_content}`);
}

Deno.test("grep finds lines in all files, in the order of paths, and counts", async () => {
  using folder = engineFolder();
  folder.write("b.txt", "one\ntwo\n");
  folder.write("a/z.txt", "no\ntwo two\n");
  folder.write("a.txt", "two");
  folder.write("empty", "");
  const result = await grep(folder.at(""), { pattern: "two" });
  assertEquals(result, {
    matches: [
      { file: "a.txt", line_number: 1, line_content: "two", context_before: [], context_after: [] },
      { file: "a/z.txt", line_number: 2, line_content: "two two", context_before: [], context_after: [] },
      { file: "b.txt", line_number: 2, line_content: "two", context_before: [], context_after: [] },
    ],
    total_matches: 3,
    truncated: false,
    timed_out: false,
    files_searched: 4,
    skipped: 0,
  });
});

Deno.test("grep names files relative to the root, wherever it searches", async () => {
  using folder = engineFolder();
  folder.write("a/b/c.txt", "x");
  folder.write("d.txt", "x");
  Deno.symlinkSync("a", `${folder.path}/link`);
  assertEquals(await hits(folder, { pattern: "x", path: "a" }), ["a/b/c.txt:1:x"]);
  assertEquals(await hits(folder, { pattern: "x", path: "link/b" }), ["a/b/c.txt:1:x"]);
});

Deno.test("grep searches one file if the path is one, whatever the filter says", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "x");
  folder.write("b.txt", "x");
  assertEquals(await hits(folder, { pattern: "x", path: "a.txt", globFilter: "*.go" }), ["a.txt:1:x"]);
});

Deno.test("grep accepts a filter by name or by path, and does not enter folders that cannot match", async () => {
  using folder = engineFolder();
  for (const name of ["a.go", "a.py", "src/b.go", "src/deep/c.go", "lib/d.go"]) folder.write(name, "x");
  const files = async (globFilter: string) =>
    (await hits(folder, { pattern: "x", globFilter })).map((hit) => hit.slice(0, -4));
  assertEquals(await files("*.go"), ["a.go", "lib/d.go", "src/b.go", "src/deep/c.go"]);
  assertEquals(await files("src/*.go"), ["src/b.go"]);
  assertEquals(await files("{src,lib}/**/*.go"), ["lib/d.go", "src/b.go", "src/deep/c.go"]);
  const result = await grep(folder.at(""), { pattern: "x", globFilter: "nope/*" });
  assertEquals([result.total_matches, result.files_searched], [0, 0]);
});

Deno.test("grep counts depth from 1", async () => {
  using folder = engineFolder();
  for (const name of ["1", "a/2", "a/b/3"]) folder.write(name, "x");
  assertEquals(await hits(folder, { pattern: "x", maxDepth: 1 }), ["1:1:x"]);
  assertEquals(await hits(folder, { pattern: "x", maxDepth: 2 }), ["1:1:x", "a/2:1:x"]);
});

Deno.test("grep is case-sensitive unless told otherwise", async () => {
  using folder = engineFolder();
  folder.write("a", "Error\nerror\nERROR\n");
  assertEquals(await hits(folder, { pattern: "error" }), ["a:2:error"]);
  assertEquals((await hits(folder, { pattern: "error", caseInsensitive: true })).length, 3);
});

const CONTENTS: [what: string, content: string, pattern: string, expected: string[]][] = [
  ["the \\r of CRLF is no part of a line", "ab\r\nb\r\n", "b$", ["1:ab", "2:b"]],
  ["a \\r elsewhere is", "a\rb\nc\r", "\\r", ["1:a\rb", "3:c\r".replace("3", "2")]],
  ["the \\r of CRLF is one to a pattern that names it", "a\r\r\n", "a\r\r$", ["1:a\r"]],
  ["a byte order mark is not part of the first line", "\ufefffoo\n", "^foo$", ["1:foo"]],
  ["a byte order mark elsewhere is", "foo\n\ufefffoo\n", "^foo$", ["1:foo"]],
  ["empty lines are lines", "\n\na\n\n", "^$", ["1:", "2:", "4:"]],
  ["a line without an ending is one", "a\nb", "b", ["2:b"]],
  ["no line holds \\n", "a\nb\n", "a\\nb", []],
  ["^ and $ are about the line", "ab\nb\n", "^b$", ["2:b"]],
  ["NUL after the first 8 KB is text", `${"a\n".repeat(5000)}\0x\n`, "x", ["5001:\0x"]],
  ["an empty file has no lines", "", "", []],
  ["a file of one newline has one", "\n", "", ["1:"]],
];

for (const [what, content, pattern, expected] of CONTENTS) {
  Deno.test(`grep: ${what}`, async () => {
    using folder = engineFolder();
    folder.write("f", content);
    assertEquals(await hits(folder, { pattern }), expected.map((hit) => `f:${hit}`));
  });
}

Deno.test("grep skips binary files, and shows invalid UTF-8 as U+FFFD", async () => {
  using folder = engineFolder();
  folder.write("bin", "x\0x");
  folder.write("late", `${"x".repeat(8191)}\0`);
  folder.write("latin", Uint8Array.from([0x78, 0xe9, 0x0a]));
  const result = await grep(folder.at(""), { pattern: "x" });
  assertEquals(hitsOf(result), ["latin:1:x\ufffd"]);
  assertEquals([result.files_searched, result.skipped], [1, 0]);
  assertEquals(await hits(folder, { pattern: "^x\\x{fffd}$" }), ["latin:1:x\ufffd"]);
});

Deno.test(withMkfifo("grep does not search links, pipes or anything outside"), async () => {
  using folder = engineFolder();
  using outside = tempFolder();
  outside.write("secret", "x");
  folder.write("a/file", "x");
  for (
    const [name, target] of [["f", "file"], ["up", ".."], ["o", outside.path], [
      "s",
      `${outside.path}/secret`,
    ]]
  ) {
    Deno.symlinkSync(target ?? "", `${folder.path}/a/${name}`);
  }
  new Deno.Command("mkfifo", { args: [`${folder.path}/pipe`] }).outputSync();
  const result = await grep(folder.at(""), { pattern: "x" });
  assertEquals([hitsOf(result), result.skipped], [["a/file:1:x"], 0]);
});

Deno.test("grep returns nothing from outside when what it found is swapped for links", async () => {
  using folder = engineFolder();
  using outside = tempFolder();
  for (const name of ["file", "secret"]) outside.write(name, "x outside");
  for (const name of ["a/file", "b", "c", "z/0/file", "z/1"]) folder.write(name, "x inside");
  const actions = {
    [`${folder.path}/a`]: () => swap(`${folder.path}/a`, outside.path),
    [folder.path]: () => swap(`${folder.path}/b`, `${outside.path}/secret`),
  };
  const mayEnter = ({ relative, absolute }: ConfinedPath) => {
    if (relative === "z/0") swap(absolute, outside.path); // before it is listed
    return true;
  };
  const result = await afterListing(actions, () => grep(folder.at(""), { pattern: "x", mayEnter }));
  assertEquals([hitsOf(result), result.skipped], [["c:1:x inside", "z/1:1:x inside"], 3]);
});

Deno.test(
  withMkfifo("grep skips files that have disappeared or changed their type by then, and counts them"),
  async () => {
    using folder = engineFolder();
    for (const name of ["0/file", "a", "b", "c", "d"]) folder.write(name, "x");
    const remove = () => {
      for (const name of ["a", "b", "c"]) Deno.removeSync(`${folder.path}/${name}`);
      Deno.mkdirSync(`${folder.path}/b`);
      new Deno.Command("mkfifo", { args: [`${folder.path}/c`] }).outputSync();
    };
    const result = await afterListing(
      { [folder.path]: remove },
      () => grep(folder.at(""), { pattern: "x" }),
    );
    assertEquals([hitsOf(result), result.skipped], [["0/file:1:x", "d:1:x"], 3]);
  },
);

Deno.test("grep does not search a hidden .git, or a folder that the caller may not enter", async () => {
  using folder = engineFolder("hidden");
  for (const name of [".git/config", "a/f", "b/f"]) folder.write(name, "x");
  const mayEnter = (path: { relative: string }) => path.relative !== "b";
  assertEquals(await hits(folder, { pattern: "x", mayEnter }), ["a/f:1:x"]);
});

Deno.test("grep refuses bad patterns, bad filters and missing paths", async () => {
  using folder = engineFolder();
  const refused = async (options: GrepOptions, path = "") => await refusal(grep(folder.at(path), options));
  assertEquals(
    await refused({ pattern: "[invalid" }),
    "INVALID_INPUT: invalid pattern: error parsing regexp: missing closing ]: `[invalid`",
  );
  assertEquals(
    await refused({ pattern: "a", globFilter: "{a" }),
    'INVALID_INPUT: invalid glob: missing closing }: "{a"',
  );
  assertEquals(await refused({ pattern: "a" }, "no"), "NOT_FOUND: path not found: no");
});
