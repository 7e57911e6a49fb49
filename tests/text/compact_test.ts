import { assertEquals } from "@std/assert";
import { compactMatches, type MatchedLine } from "../../src/text/compact_matches.ts";
import { compactPaths, type TreeEntry } from "../../src/text/compact_tree.ts";
import { lineEndingsOf } from "../../src/text/line_endings.ts";
import { runAll } from "../../src/text/steps.ts";
import { compactFields } from "../../src/tools/compact_fields.ts";

const matchesText = (matches: readonly MatchedLine[]) => runAll(compactMatches(matches));
const pathsText = (entries: readonly TreeEntry[]) => runAll(compactPaths(entries));

const match = (
  file: string,
  line_number: number,
  context: [before: string[], after: string[]] = [[], []],
) => ({
  file,
  line_number,
  line_content: `match ${line_number}`,
  context_before: context[0],
  context_after: context[1],
});

Deno.test("compactMatches lists each file once, and its lines with their numbers", () => {
  assertEquals(
    matchesText([match("a.ts", 3), match("a.ts", 9), match("b/c.ts", 1)]),
    "a.ts\n3:match 3\n9:match 9\nb/c.ts\n1:match 1",
  );
});

Deno.test("compactMatches shows contexts that overlap or touch once, and separates the others", () => {
  const matches = [
    match("a", 3, [["1", "2"], ["match 4", "5"]]),
    match("a", 4, [["2", "match 3"], ["5", "6"]]),
    match("a", 8, [["6", "7"], ["9"]]),
    match("a", 20, [["18", "19"], []]),
  ];
  assertEquals(
    matchesText(matches),
    "a\n1-1\n2-2\n3:match 3\n4:match 4\n5-5\n6-6\n7-7\n8:match 8\n9-9\n--\n18-18\n19-19\n20:match 20",
  );
});

Deno.test("compactMatches says where in a cut line the match is, and quotes names that would break the format", () => {
  const cut = { ...match("a\nb", 1), cut: true, column: 5_000 };
  assertEquals(matchesText([cut]), '"a\\nb"\n1:match 1… [column 5000]');
});

Deno.test("compactPaths returns a list or a tree, whichever is shorter", () => {
  const file = (path: string, size = 1) => ({ path, type: "file", size });
  assertEquals(pathsText([file("a.ts"), file("b.ts", 20)]), "a.ts 1\nb.ts 20");
  const deep = ["a", "b", "c", "d"].map((name) => file(`packages/core/src/${name}.ts`));
  assertEquals(
    pathsText([...deep, file("z")]),
    "packages/core/src/\n a.ts 1\n b.ts 1\n c.ts 1\n d.ts 1\nz 1",
  );
  const folders = [
    { path: "source", type: "directory", size: 4096 },
    { path: "source/link", type: "symlink", size: 3 },
    { path: "source/pipe", type: "other", size: 0 },
    { path: "source/empty", type: "directory", size: 4096 },
  ];
  assertEquals(pathsText(folders), "source/\n link@\n pipe=\n empty/");
});

Deno.test("compactFields leaves out what says nothing, and returns multi-line texts as they are", () => {
  const value = {
    path: "a",
    diff: "-a\n+b\n",
    truncated: false,
    notes: [],
    count: 0,
    ranges: [{ start: 1 }],
    x: "",
  };
  assertEquals(compactFields(value), 'path: a, count: 0\nranges: [{"start":1}]\n-a\n+b\n');
  assertEquals(compactFields(value, { leaveOut: ["path", "ranges", "diff"] }), "count: 0");
});

Deno.test("lineEndingsOf returns how lines end", () => {
  const table = [["", "none"], ["a", "none"], ["a\rb", "none"], ["a\n", "LF"], ["a\r\nb", "CRLF"], [
    "a\r\nb\n",
    "mixed",
  ]];
  for (const [text = "", endings] of table) assertEquals<string>(lineEndingsOf(text), endings ?? "", text);
});
