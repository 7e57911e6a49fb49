import { assert, assertEquals } from "@std/assert";
import { find, type FindOptions } from "../../../src/engine/search/mod.ts";
import { abortedAfter, type EngineFolder, engineFolder, refusal } from "../../support/engine.ts";
import { tempFolder } from "../../support/temp.ts";
import { swap } from "./support.ts";

async function paths(folder: EngineFolder, options: FindOptions & { path?: string }): Promise<string[]> {
  return (await find(folder.at(options.path ?? ""), options)).matches.map(({ path }) => path);
}

function sources(): EngineFolder {
  const folder = engineFolder();
  for (const name of ["a.go", "b.go", "c.txt", "src/a.go", "src/pkg/b.go", "src/pkg/sub/c.go", "test_1.go"]) {
    folder.write(name, "x");
  }
  return folder;
}

Deno.test("find matches a glob against the whole path below the searched folder", async () => {
  using folder = sources();
  assertEquals(await paths(folder, { glob: "*.go" }), ["a.go", "b.go", "test_1.go"]);
  assertEquals(await paths(folder, { glob: "src/**/*.go" }), [
    "src/a.go",
    "src/pkg/b.go",
    "src/pkg/sub/c.go",
  ]);
  assertEquals(await paths(folder, { glob: "*.go", path: "src" }), ["src/a.go"]);
  assertEquals(await paths(folder, { glob: "**/c.*" }), ["c.txt", "src/pkg/sub/c.go"]);
  assertEquals(await paths(folder, { glob: "*.xyz" }), []);
});

Deno.test("find matches a regular expression against any part of the path", async () => {
  using folder = sources();
  assertEquals(await paths(folder, { regex: "test_\\d+\\.go" }), ["test_1.go"]);
  assertEquals(await paths(folder, { regex: "^src/[^/]*$" }), ["src/a.go", "src/pkg"]);
  assertEquals(await paths(folder, { regex: "^b", path: "src/pkg" }), ["src/pkg/b.go"]);
});

Deno.test("find sorts by full path, folders before their contents", async () => {
  using folder = engineFolder();
  for (const name of ["a/x", "a.txt", "a0", "a-b/y"]) folder.write(name, "");
  assertEquals(await paths(folder, { glob: "**" }), ["a", "a-b", "a-b/y", "a.txt", "a/x", "a0"]);
});

Deno.test("find returns type, size and time, and filters by type; a link counts under its own name", async () => {
  using folder = engineFolder();
  using outside = tempFolder();
  folder.write("file", "12345");
  folder.write("folder/inner", "");
  Deno.utimeSync(`${folder.path}/file`, new Date(0), new Date("2024-02-29T12:00:00.000Z"));
  Deno.symlinkSync(outside.path, `${folder.path}/link`);
  const { matches } = await find(folder.at(""), { glob: "file" });
  assertEquals(matches, [{ path: "file", type: "file", size: 5, modified_at: "2024-02-29T12:00:00.000Z" }]);
  const types = async (typeFilter: FindOptions["typeFilter"]) =>
    await paths(folder, { glob: "*", typeFilter });
  assertEquals(await types("file"), ["file"]);
  assertEquals(await types("directory"), ["folder"]);
  assertEquals(await types("symlink"), ["link"]);
  assertEquals(await types("all"), ["file", "folder", "link"]);
});

Deno.test("find does not enter folders where nothing can match", async () => {
  using folder = sources();
  const entered = async (options: FindOptions) => {
    const folders: string[] = [];
    await find(folder.at(""), { ...options, mayEnter: ({ relative }) => folders.push(relative) > 0 });
    return folders;
  };
  assertEquals(await entered({ glob: "*.go" }), []);
  assertEquals(await entered({ glob: "src/*/b.go" }), ["src", "src/pkg"]);
  assertEquals(await entered({ regex: "^a" }), []);
  assertEquals(await entered({ regex: "a" }), ["src", "src/pkg", "src/pkg/sub"]);
});

Deno.test("find never enters links, and returns nothing from a folder that was swapped for one", async () => {
  using folder = engineFolder();
  using outside = tempFolder();
  outside.write("secret", "");
  folder.write("a/deep/file", "");
  Deno.symlinkSync(outside.path, `${folder.path}/a/out`);
  Deno.symlinkSync("..", `${folder.path}/a/up`);
  assertEquals(await paths(folder, { glob: "**" }), ["a", "a/deep", "a/deep/file", "a/out", "a/up"]);
  const result = await find(folder.at(""), {
    glob: "**/{secret,file}",
    mayEnter({ relative, absolute }) {
      if (relative === "a/deep") swap(absolute, outside.path);
      return true;
    },
  });
  assertEquals([result.matches, result.skipped], [[], 1]);
});

Deno.test("find leaves out what has disappeared, or changed its type, since the folder was listed", async () => {
  using folder = engineFolder();
  for (const name of ["0/file", "a", "b", "c"]) folder.write(name, "");
  const mayEnter = () => {
    for (const name of ["a", "b"]) Deno.removeSync(`${folder.path}/${name}`);
    Deno.mkdirSync(`${folder.path}/b`);
    return true;
  };
  assertEquals(await paths(folder, { regex: "^[abc]|^0/none", typeFilter: "file", mayEnter }), ["c"]);
});

Deno.test("find stops at max_results, at max_depth and when the time is up", async () => {
  using folder = engineFolder();
  for (let i = 0; i < 150; i++) folder.write(`d/${String(i).padStart(3, "0")}`, "");
  const first = await find(folder.at(""), { glob: "**", maxResults: 3 });
  assertEquals(first.matches.map(({ path }) => path), ["d", "d/000", "d/001"]);
  assertEquals([first.total_matches, first.truncated, first.timed_out], [3, true, false]);
  assertEquals((await find(folder.at(""), { glob: "**" })).total_matches, 100);
  const all = await find(folder.at(""), { glob: "**", maxResults: 1000 });
  assertEquals([all.total_matches, all.truncated], [151, false]);
  assertEquals(await paths(folder, { glob: "**", maxDepth: 1 }), ["d"]);
  const late = await find(folder.at(""), { glob: "**", timeoutMs: 0 });
  assertEquals([late.total_matches, late.timed_out, late.truncated], [0, true, false]);
});

Deno.test("find ends in time, or when cancelled, within one hard path", async () => {
  using folder = engineFolder();
  const name = "ab".repeat(120);
  folder.write(`${name}/${name}/${name}/${name}/${name}`, "");
  const regex = `(?:${
    Array.from({ length: 9000 }, (_, i) => `[^${String.fromCodePoint(0x4e00 + i)}]`).join("")
  })`;
  const result = await find(folder.at(""), { regex, timeoutMs: 50 });
  assertEquals([result.matches, result.timed_out], [[], true]);
  const signal = abortedAfter(20);
  assertEquals(await refusal(find(folder.at(""), { regex, signal })), "TIMEOUT: the call was cancelled");
});

Deno.test("find refuses bad patterns, both kinds at once or none, and a path that is not a folder", async () => {
  using folder = engineFolder();
  folder.write("file", "");
  const refused = async (options: FindOptions, path = "") => await refusal(find(folder.at(path), options));
  const one = "INVALID_INPUT: exactly one of pattern or regex must be provided";
  assertEquals(await refused({ glob: "*.go", regex: ".*\\.go" }), one);
  assertEquals(await refused({}), one);
  assertEquals(
    await refused({ regex: "[unclosed" }),
    "INVALID_INPUT: invalid pattern: error parsing regexp: missing closing ]: `[unclosed`",
  );
  assertEquals(await refused({ glob: "[a" }), 'INVALID_INPUT: invalid glob: missing closing ]: "[a"');
  assertEquals(await refused({ glob: "*" }, "file"), 'INVALID_INPUT: path is not a directory: "file"');
  assert((await refused({ glob: "*" }, "no")).startsWith("NOT_FOUND: directory not found"));
});
