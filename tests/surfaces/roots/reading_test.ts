/** read_file's notes, if_hash and tail_lines; read_files; read_media_file; stat_file of text. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { ToolResult } from "../../../src/tools/tool.ts";
import { hexOf } from "../../support/sha256.ts";
import { tempFolder } from "../../support/temp.ts";
import { withNames } from "../../support/with_names.ts";
import { root, rootsSurface } from "./setup.ts";

function field(files: Record<string, string | Uint8Array>, tools: string[] = ["*"]) {
  const folder = tempFolder();
  for (const [name, content] of Object.entries(files)) folder.write(name, content);
  const { call } = rootsSurface([root("r", folder.path, tools)]);
  return {
    ...folder,
    call: (tool: string, args: Record<string, unknown>) => call(tool, { root: "r", ...args }),
  };
}

const textsOf = ({ content }: ToolResult) =>
  content.map((block) => block.type === "text" ? block.text : block.type);

const NOTES: [content: string | Uint8Array, args: Record<string, unknown>, texts: string[]][] = [
  ["a\nb\n", {}, ["a\nb\n"]],
  ["a\nb\n", { offset_lines: 1 }, ["a\nb\n"]],
  ["a\nb\nc\n", { limit_lines: 2 }, ["a\nb\n", "lines 1-2 of 3; continue with offset_lines=3"]],
  ["a\nb\nc\n", { tail_lines: 1 }, ["c\n", "line 3 of 3"]],
  ["a\nb\nc", { tail_lines: 2 }, ["b\nc", "lines 2-3 of 3"]],
  ["a\nb\n", { tail_lines: 9 }, ["a\nb\n"]],
  ["a\r\nb\r\n", {}, ["a\r\nb\r\n", "CRLF"]],
  ["a\r\nb\n", {}, ["a\r\nb\n", "CRLF and LF mixed"]],
  ["\uFEFFa\n", {}, ["\uFEFFa\n", "byte order mark"]],
  ["a\r\nb\r\nc\r\n", { offset_lines: 2, limit_lines: 1 }, [
    "b\r\n",
    "line 2 of 3, CRLF; continue with offset_lines=3",
  ]],
  ["abcdef", { offset_bytes: 1, limit_bytes: 2 }, ["bc", "bytes 1-3 of 6; continue with offset_bytes=3"]],
  ["abcdef", { limit_bytes: 6 }, ["abcdef"]],
  [Uint8Array.of(0xff, 0x00), {}, ["/wA=", "base64: the bytes are not UTF-8 text"]],
  ["a\n", { offset_lines: 5 }, ["(no lines here: the file has 1)"]],
];

for (const [content, args, texts] of NOTES) {
  Deno.test(`read_file ${JSON.stringify(args)} of ${JSON.stringify(content)} notes ${texts[1] ?? "nothing"}`, async () => {
    using folder = field({ "f": content });
    assertEquals(textsOf(await folder.call("read_file", { path: "f", ...args })), texts);
  });
}

Deno.test("read_file with if_hash says in one word that nothing has changed", async () => {
  using folder = field({ "f": "a\n" });
  const hash = await hexOf("a\n");
  const same = await folder.call("read_file", { path: "f", if_hash: hash.toUpperCase() });
  assertEquals([textsOf(same), same.structuredContent?.unchanged, same.structuredContent?.content], [
    ["unchanged"],
    true,
    "",
  ]);
  folder.write("f", "b\n");
  assertEquals(textsOf(await folder.call("read_file", { path: "f", if_hash: hash })), ["b\n"]);
  assertMatch(
    textsOf(await folder.call("read_file", { path: "f", if_hash: "1" }))[0] ?? "",
    /^if_hash must be a sha256/,
  );
});

Deno.test("read_file refuses tail_lines together with other ranges", async () => {
  using folder = field({ "f": "a\n" });
  for (const other of ["offset_lines", "limit_lines", "limit_bytes"]) {
    assertEquals(
      (await folder.call("read_file", { path: "f", tail_lines: 1, [other]: 1 })).isError,
      true,
      other,
    );
  }
});

Deno.test("read_files reads what it can, and says what it cannot", async () => {
  using folder = field({ "a": "1\n", "b": "2\r\n", "bin": Uint8Array.of(0, 1) });
  const { structuredContent, isError } = await folder.call("read_files", {
    paths: ["a", "no", "b", "bin", "../x"],
  });
  const files = (structuredContent as { files: Record<string, unknown>[] }).files;
  assertEquals(isError ?? false, false);
  assertEquals(files.map(({ content, note }) => [content, note]), [
    ["1\n", undefined],
    [undefined, undefined],
    ["2\r\n", "CRLF"],
    [undefined, undefined],
    [undefined, undefined],
  ]);
  assertMatch(
    files.map(({ error }) => error ?? "").join("|"),
    /^\|file not found: no\|\|not UTF-8 text.*\|path resolves outside/,
  );
  assertEquals(files[0]?.hash, await hexOf("1\n"));
});

Deno.test("read_files ends before what does not fit, and continues from there", async () => {
  using folder = field({ "a": "1234", "b": "5678", "c": "9", "d": "0123456789" });
  const paths = ["a", "b", "c", "d"];
  const read = async (from: number) => {
    const { structuredContent } = await folder.call("read_files", { paths, max_bytes: 8, from });
    const { files, next } = structuredContent as { files: { path: string; error?: string }[]; next?: number };
    return [files.map(({ path, error }) => error === undefined ? path : `${path}!`).join(""), next];
  };
  assertEquals(await read(0), ["ab", 2]);
  assertEquals(await read(2), ["cd!", undefined]);
});

Deno.test("read_files fails if it can return nothing", async () => {
  using folder = field({});
  const { isError, content } = await folder.call("read_files", { paths: ["../x", "no"] });
  assertEquals(isError, true);
  assertMatch(
    content[0].text,
    /^none of the files could be read\n"\.\.\/x": path resolves outside root boundary.*\n"no": file not found: no/,
  );
  const one = await folder.call("read_files", { paths: ["no"] });
  assertMatch(one.content[0].text, /^file not found: no/);
});

Deno.test("read_files refuses a start beyond the last path", async () => {
  using folder = field({ "a": "1" });
  const { isError, content } = await folder.call("read_files", { paths: ["a"], from: 1 });
  assertEquals([isError, content[0].text], [true, "from is 1, but paths has only 1, from 0 (root: r)"]);
});

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0);

Deno.test("read_media_file returns an image as an image, whatever its name, and nothing else", async () => {
  using folder = field({ "logo.dat": PNG, "a.svg": "<svg/>", "a.png": "text\n" });
  const { content, structuredContent } = await folder.call("read_media_file", { path: "logo.dat" });
  assertEquals(structuredContent, undefined);
  assertEquals<unknown[]>(content, [
    { type: "text", text: "image/png, 12 bytes" },
    { type: "image", data: PNG.toBase64(), mimeType: "image/png" },
  ]);
  for (const path of ["a.svg", "a.png"]) {
    const refused = await folder.call("read_media_file", { path });
    assertEquals(refused.isError, true);
    assertMatch(refused.content[0].text, /can be neither seen nor heard; use read_file/);
  }
});

Deno.test("stat_file returns encoding, line endings and lines of a text file", async () => {
  using folder = field({
    "a": "1\r\n2\r\n",
    "b": "\uFEFF1\n2",
    "c": Uint8Array.of(0xff, 0xfe),
    "d/e": "",
    "f": "",
  });
  const told = async (path: string) => {
    const { encoding, line_endings, lines } = (await folder.call("stat_file", { path })).structuredContent ??
      {};
    return [encoding, line_endings, lines];
  };
  assertEquals(await told("a"), ["utf-8", "CRLF", 2]);
  assertEquals(await told("b"), ["utf-8-bom", "LF", 2]);
  assertEquals(await told("c"), ["binary", undefined, undefined]);
  assertEquals(await told("d"), [undefined, undefined, undefined]);
  assertEquals(await told("f"), ["utf-8", "none", 0]);
});

Deno.test("an error names the path that was meant only if the root allows listing names", async () => {
  using open = field({ "src/main.ts": "x" });
  using closed = field({ "src/main.ts": "x" }, ["read_file"]);
  const said = await withNames(async () =>
    (await open.call("read_file", { path: "main.ts" })).content[0].text
  );
  assertMatch(said, /did you mean src\/main\.ts\?/);
  const { content } = await closed.call("read_file", { path: "main.ts" });
  assert(!content[0].text.includes("did you mean"), content[0].text);
});
