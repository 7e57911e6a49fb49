import { assertEquals, assertMatch } from "@std/assert";
import { hexOf } from "../../support/sha256.ts";
import { tempFolder } from "../../support/temp.ts";
import { root, rootsSurface } from "./setup.ts";

function field(content: string | Uint8Array) {
  const folder = tempFolder();
  folder.write("f.txt", content);
  const { call } = rootsSurface([root("r", folder.path)]);
  return {
    ...folder,
    edit: (edits: Record<string, unknown>[] | string, more: Record<string, unknown> = {}) =>
      call("edit_file", { root: "r", path: "f.txt", edits, ...more }),
  };
}

Deno.test("edit_file changes the file, and returns the diff, the new lines and both hashes", async () => {
  using folder = field("a\nb\nc\n");
  const { structuredContent } = await folder.edit([
    { old_text: "c", new_text: "C" },
    { old_text: "a\n", new_text: "1\n2\n" },
  ]);
  assertEquals(folder.read("f.txt"), "1\n2\nb\nC\n");
  assertEquals(structuredContent, {
    path: "f.txt",
    diff: "--- f.txt\n+++ f.txt\n@@ -1,3 +1,4 @@\n-a\n+1\n+2\n b\n-c\n+C\n",
    replaced: 2,
    ranges: [{ edit_index: 0, start: 4, end: 4 }, { edit_index: 1, start: 1, end: 2 }],
    hash: await hexOf("1\n2\nb\nC\n"),
    previous_hash: await hexOf("a\nb\nc\n"),
  });
});

Deno.test("edit_file with dry_run returns the same and changes nothing", async () => {
  using folder = field("a\n");
  const { structuredContent } = await folder.edit([{ old_text: "a", new_text: "b" }], { dry_run: true });
  assertEquals(folder.read("f.txt"), "a\n");
  const { diff, hash, dry_run } = structuredContent ?? {};
  assertEquals([diff, hash, dry_run], [
    "--- f.txt\n+++ f.txt\n@@ -1 +1 @@\n-a\n+b\n",
    await hexOf("a\n"),
    true,
  ]);
});

Deno.test("edit_file makes all edits or none", async () => {
  using folder = field("a\nb\n");
  const { isError, content } = await folder.edit([
    { old_text: "a", new_text: "1" },
    { old_text: "nowhere", new_text: "2" },
  ]);
  assertEquals([isError, folder.read("f.txt")], [true, "a\nb\n"]);
  assertMatch(content[0].text, /^edits\[1\]\.old_text is not in "f\.txt"; nothing similar was found\./);
});

Deno.test("edit_file does not repeat what it was given, and keeps the answer short", async () => {
  using folder = field("x\n".repeat(5_000));
  const secret = "not to be repeated ".repeat(200);
  const missing = await folder.edit([{ old_text: secret, new_text: "y" }]);
  assertEquals(missing.content[0].text.includes("not to be repeated"), false);
  const several = (await folder.edit([{ old_text: "x", new_text: "y" }])).content[0].text;
  assertMatch(several, /^edits\[0\]\.old_text occurs 5000 times in "f\.txt":\n1:x\n2:x\n/);
  assertMatch(several, /\n10:x\nand 4990 more\nNothing was changed\./);
});

Deno.test("edit_file lists the three nearest places", async () => {
  using folder = field("let one = 1;\n-\nlet two = 2;\n-\nlet three = 3;\n-\nlet four = 4;\n");
  const { content } = await folder.edit([{ old_text: "let onw = 1;", new_text: "" }]);
  assertEquals(content[0].text.match(/```\n/g)?.length, 6);
  assertMatch(
    content[0].text,
    /The nearest match is line 1 \(different words\):\n```\nlet one = 1;\n```\nor line \d/,
  );
});

Deno.test("edit_file accepts edits as JSON text, and numbers and booleans as text", async () => {
  using folder = field("a\nb\na\n");
  assertEquals((await folder.edit('[{"old_text":"b","new_text":"B","near_line":null}]')).isError, undefined);
  await folder.edit([{ old_text: "a", new_text: "A", near_line: "3" }]);
  assertEquals(folder.read("f.txt"), "a\nB\nA\n");
  await folder.edit([{ old_text: "A", new_text: "a" }]);
  await folder.edit([{ old_text: "a", new_text: "x", replace_all: "true" }], { dry_run: "false" });
  assertEquals(folder.read("f.txt"), "x\nB\nx\n");
});

Deno.test("edit_file keeps CRLF and the byte order mark, and refuses files that are not UTF-8", async () => {
  using folder = field("\uFEFFa\r\nb\r\n");
  await folder.edit([{ old_text: "a\nb", new_text: "1\n2\n3" }]);
  assertEquals(folder.read("f.txt"), "\uFEFF1\r\n2\r\n3\r\n");
  using latin = field(Uint8Array.of(0x61, 0xe9, 0x0a));
  const { isError, content } = await latin.edit([{ old_text: "a", new_text: "b" }]);
  assertEquals(isError, true);
  assertMatch(content[0].text, /^not a UTF-8 text file, so it cannot be edited/);
});

Deno.test("edit_file loses none of many edits that are made at once", async () => {
  using folder = field(Array.from({ length: 20 }, (_, i) => `line ${i} old\n`).join(""));
  await Promise.all(
    Array.from(
      { length: 20 },
      (_, i) => folder.edit([{ old_text: `line ${i} old`, new_text: `line ${i} new` }]),
    ),
  );
  assertEquals(folder.read("f.txt").includes("old"), false);
});
