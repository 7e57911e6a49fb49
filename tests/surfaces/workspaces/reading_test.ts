import { assertEquals, assertMatch } from "@std/assert";
import { onLinux } from "../../support/needs.ts";
import { tempFolder } from "../../support/temp.ts";
import { type Calling, workspacesSurface } from "./setup.ts";

/** A workspace with files that nobody has committed: reading does not require that. */
async function withFiles(
  files: Record<string, string | Uint8Array>,
  use: (calling: Calling, workspaceId: string, path: string) => Promise<void>,
  maxSize = 1_000,
): Promise<void> {
  using folder = tempFolder();
  const calling = workspacesSurface(folder.path, { maxSize });
  const { workspaceId, path } = await calling.value("workspace_create", { name: "w" });
  for (const [name, content] of Object.entries(files)) folder.write(`w/${name}`, content);
  await use(calling, workspaceId, path);
}

Deno.test("fs_read_text_file returns the first or last lines, whatever the file's size", () =>
  withFiles(
    { "log.txt": "line\n".repeat(1_000), "no_end": "a\nb\r\nc", "empty": "" },
    async ({ value }, workspaceId) => {
      const read = (path: string, args: Record<string, number>) =>
        value("fs_read_text_file", { workspaceId, path, ...args });
      assertEquals(await read("log.txt", { tail: 2 }), {
        content: "line\nline\n",
        tail: 2,
        totalLines: 1_000,
      });
      assertEquals((await read("no_end", { head: 2 })).content, "a\nb\r\n");
      assertEquals((await read("no_end", { tail: 1 })).content, "c");
      assertEquals((await read("no_end", { tail: 99 })).content, "a\nb\r\nc");
      assertEquals(await read("empty", { tail: 5 }), { content: "", tail: 5, totalLines: 0 });
    },
  ));

Deno.test("fs_read_text_file understands an absolute path of the workspace, and a path that begins with its name", () =>
  withFiles({ "docs/a.txt": "a" }, async ({ value }, workspaceId, path) => {
    for (const given of [`${path}/docs/a.txt`, "w/docs/a.txt", "docs/a.txt"]) {
      assertEquals((await value("fs_read_text_file", { workspaceId, path: given })).content, "a", given);
    }
  }));

Deno.test("fs_read_text_file does not count a lone CR as the end of a line", () =>
  withFiles({ "cr": "a\rb\r\nc\rd" }, async ({ value }, workspaceId) => {
    const read = (args: Record<string, number>) =>
      value("fs_read_text_file", { workspaceId, path: "cr", ...args });
    assertEquals((await read({ head: 1 })).content, "a\rb\r\n");
    assertEquals((await read({ tail: 1 })).content, "c\rd");
    assertEquals((await read({})).totalLines, 2);
  }));

Deno.test("fs_read_text_file returns a line that is too long for one answer piece by piece, in whole characters", () =>
  withFiles({ "one_line": "é€😀".repeat(300) }, async ({ value }, workspaceId) => {
    let text = "";
    let next: number | undefined = 0;
    let rounds = 0;
    for (; next !== undefined && rounds < 100; rounds++) {
      const read: Record<string, never> = await value("fs_read_text_file", {
        workspaceId,
        path: "one_line",
        offsetBytes: next,
      });
      assertEquals([read.size, read.startByte], [2_700, next]);
      text += read.content;
      next = read.nextOffsetBytes;
    }
    assertEquals([text === "é€😀".repeat(300), rounds], [true, 3]);
  }));

Deno.test("fs_read_text_file refuses files that are too large or not text, folders and missing files", () =>
  withFiles({
    "large": "x".repeat(1_001),
    "late": "1\n" + "x".repeat(1_001),
    "latin": new Uint8Array([0xe9, 0x0a]),
    "sub/a": "",
  }, async ({ failure }, workspaceId) => {
    const refusals: [args: Record<string, unknown>, code: string, message: RegExp][] = [
      [
        { path: "large" },
        "TOO_LARGE",
        /file too large to read whole .* use fs_grep, or fs_read_text_file with offsetLines and limitLines: "large"$/,
      ],
      [
        { path: "large", head: 1 },
        "TOO_LARGE",
        /longer than 1000 bytes; ask for fewer, or read by bytes from offsetBytes 0 on/,
      ],
      [{ path: "late", tail: 1 }, "TOO_LARGE", /from offsetBytes 2 on: "late"$/],
      [{ path: "latin", offsetBytes: 0 }, "UNSUPPORTED", /^not a UTF-8 text file/],
      [{ path: "large", head: 1, limitBytes: 1 }, "INVALID_INPUT", /^give head or tail, .* or offsetBytes/],
      [{ path: "latin" }, "UNSUPPORTED", /^not a UTF-8 text file: "latin"; use fs_read_media_file/],
      [{ path: "latin", head: 1 }, "UNSUPPORTED", /^not a UTF-8 text file/],
      [{ path: "sub" }, "INVALID_INPUT", /^path is a directory, not a file: "sub"$/],
      [{ path: "nope" }, "NOT_FOUND", /^file not found: nope$/],
      [{ path: "sub/a", head: 0 }, "INVALID_INPUT", /^head must be at least 1; 0 was given$/],
    ];
    for (const [args, code, message] of refusals) {
      const refused = await failure("fs_read_text_file", { workspaceId, ...args });
      assertEquals(refused.code, code, JSON.stringify(args));
      assertMatch(refused.message, message);
    }
  }));

Deno.test("fs_read_multiple_files returns what fits, and says what no longer does", () =>
  withFiles(
    { "a": "a".repeat(600), "b": "b".repeat(600), "c": "c".repeat(300) },
    async ({ value }, workspaceId) => {
      const { results } = await value("fs_read_multiple_files", { workspaceId, paths: ["a", "b", "c"] });
      assertEquals(results.map(({ ok }: { ok: boolean }) => ok), [true, false, true]);
      assertMatch(results[1].error, /^TOO_LARGE: the files of a call are limited to 1000 bytes/);
    },
  ));

Deno.test("fs_read_media_file determines the type by content or else by name, sends what models accept as media, and refuses the rest over the limit", () =>
  withFiles({
    "a.gif": "GIF89a\x01\0\x01\0",
    "drawing.png": "<svg></svg>",
    "data.mp3": new Uint8Array([1, 2, 3, 0]),
    "data": new Uint8Array([1, 2, 3, 0]),
    "broken.PNG": new Uint8Array([1, 2, 3, 0]),
    "large.png": new Uint8Array(1_001),
  }, async ({ call, value, failure }, workspaceId) => {
    const read = (path: string) => call("fs_read_media_file", { workspaceId, path });
    const { content: [, image] } = await read("a.gif");
    assertEquals(image?.type === "image" && image.mimeType, "image/gif");
    const { content: drawing } = await read("drawing.png");
    assertEquals([drawing.length, JSON.parse(drawing[0].text).mimeType], [1, "image/svg+xml"]);
    const typeOf = async (path: string) =>
      (await value("fs_read_media_file", { workspaceId, path })).mimeType as string;
    assertEquals([await typeOf("data.mp3"), await typeOf("data")], [
      "audio/mpeg",
      "application/octet-stream",
    ]);
    for (const name of ["data.mp3", "broken.PNG"]) {
      assertEquals(
        (await read(name)).content.length,
        1,
        "what only its name says is not sent as an image or a sound",
      );
    }
    assertEquals(await typeOf("broken.PNG"), "image/png");
    const refused = await failure("fs_read_media_file", { workspaceId, path: "large.png" });
    assertEquals(refused.code, "TOO_LARGE");
    assertMatch(
      refused.message,
      /^file too large to send \(size: .*, limit: .*, set by the server's --max-size\)/,
    );
  }));

Deno.test("listings follow links inside by one step, and show links outside as files of size 0", () =>
  withFiles({ "sub/a.txt": "abc" }, async ({ value }, workspaceId, path) => {
    Deno.symlinkSync("sub", `${path}/to_sub`);
    Deno.symlinkSync("sub/a.txt", `${path}/to_file`);
    Deno.symlinkSync("/etc", `${path}/to_etc`);
    Deno.symlinkSync("nowhere", `${path}/to_nothing`);
    const { entries } = await value("fs_list_directory_with_sizes", { workspaceId });
    assertEquals(entries.map(({ name, type, size }: Record<string, unknown>) => `${name} ${type} ${size}`), [
      "sub directory 0",
      "to_etc file 0",
      "to_file file 3",
      "to_nothing file 0",
      "to_sub directory 0",
    ]);
    const { tree } = await value("fs_directory_tree", { workspaceId });
    assertEquals(tree.at(-1), { name: "to_sub", type: "directory", children: [] });
    assertEquals(tree[1], { name: "to_etc", type: "file" });
  }));

Deno.test("fs_directory_tree cuts the deepest levels first, and says where", () =>
  withFiles({ "a/1": "", "a/2": "", "b/c/d/e": "" }, async ({ value }, workspaceId) => {
    const { tree, entries, truncated } = await value("fs_directory_tree", { workspaceId, limit: 4 });
    assertEquals([entries, truncated], [4, true]);
    assertEquals(tree, [
      { name: "a", type: "directory", children: [{ name: "1", type: "file" }, { name: "2", type: "file" }] },
      { name: "b", type: "directory", children: [], truncated: true },
    ]);
  }));

Deno.test("excludePatterns leave out names at any depth, or paths from the folder, with everything below", () =>
  withFiles(
    { "a/x.log": "", "a/b/x.log": "", "a/b/y.txt": "", "c/b/z": "" },
    async ({ value, failure }, workspaceId) => {
      const search = async (args: Record<string, unknown>) =>
        (await value("fs_search_files", { workspaceId, pattern: "**", ...args })).matches;
      assertEquals(await search({ excludePatterns: ["*.log", "c"] }), ["a", "a/b", "a/b/y.txt"]);
      assertEquals(await search({ excludePatterns: ["a/b", "c/**"] }), ["a", "a/x.log"]);
      assertEquals(await search({ excludePatterns: ["b/"], path: "a" }), ["a/x.log"]);
      assertEquals(await search({ excludePatterns: ["./b/*.log", "/b/y.txt"], path: "a" }), [
        "a/b",
        "a/x.log",
      ]);
      const bad = await failure("fs_search_files", { workspaceId, pattern: "*", excludePatterns: ["[z-a]"] });
      assertEquals([bad.code, bad.message.includes("**/")], ["INVALID_INPUT", false], bad.message);
    },
  ));

Deno.test({
  ...onLinux("fs_list_directory and fs_list_directory_with_sizes count names that are not valid UTF-8"),
  fn: () =>
    withFiles({ "a.txt": "x" }, async ({ value }, workspaceId, path) => {
      const tools = ["fs_list_directory", "fs_list_directory_with_sizes"];
      const counts = () =>
        Promise.all(tools.map(async (tool) => {
          const { entries, unnamed } = await value(tool, { workspaceId, path: "." });
          return [entries.length, unnamed];
        }));
      assertEquals(await counts(), [[1, undefined], [1, undefined]]);
      new Deno.Command("sh", { args: ["-c", `echo x > "$(printf '\\377')"`], cwd: path }).outputSync();
      assertEquals(await counts(), [[1, 1], [1, 1]]);
    }),
});
Deno.test("fs_search_files finds only folders, at any depth, if its pattern ends in a slash", () =>
  withFiles({ "docs/a": "", "src/docs/b": "", "x/docs": "" }, async ({ value }, workspaceId) => {
    const found = async (pattern: string) =>
      (await value("fs_search_files", { workspaceId, pattern })).matches;
    assertEquals(await found("docs/"), ["docs", "src/docs"]);
    assertEquals(await found("src/docs/"), ["src/docs"]);
    assertEquals(await found("docs"), ["docs", "src/docs", "x/docs"]);
  }));
