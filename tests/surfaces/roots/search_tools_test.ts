/** The arguments of grep and glob, and which values are refused. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { onUnix } from "../../support/needs.ts";
import { type TempFolder, tempFolder } from "../../support/temp.ts";
import { root, rootsSurface } from "./setup.ts";

function field(): TempFolder & {
  call(tool: string, args: Record<string, unknown>): Promise<{ text: string; isError: boolean }>;
} {
  const folder = tempFolder();
  const { call } = rootsSurface([root("r", folder.path)]);
  return {
    ...folder,
    call: async (tool, args) => {
      const { content, isError = false } = await call(tool, { root: "r", ...args });
      return { text: content[0]?.text ?? "", isError };
    },
  };
}

const both = (
  message: RegExp,
  rest: Record<string, unknown>,
): [string, Record<string, unknown>, RegExp][] => [
  ["grep", { pattern: "a", ...rest }, message],
  ["glob", { pattern: "a", ...rest }, message],
];

const REFUSED: [tool: string, args: Record<string, unknown>, message: RegExp][] = [
  ["grep", {}, /^pattern is required \(a string\)/],
  ["grep", { pattern: "" }, /^pattern must be a string with a length of at least 1/],
  ["grep", { pattern: "(" }, /^invalid pattern: error parsing regexp: missing closing \): `\(`/],
  ["grep", { pattern: "a**" }, /^invalid pattern: .*invalid nested repetition operator: `\*\*`/],
  ["grep", { pattern: "a{1001}" }, /^invalid pattern: .*invalid repeat count/],
  ["grep", { pattern: "(a)\\1" }, /^invalid pattern: .*invalid escape sequence: `\\1`/],
  ["grep", { pattern: "\\pX" }, /^invalid pattern: .*invalid character class range: `\\pX`/],
  ["grep", { pattern: "a".repeat(100_000) + "(" }, /^invalid pattern: .{0,1100}$/s],
  ["grep", { pattern: "a", glob_filter: "[" }, /^invalid glob: missing closing \]: "\["/],
  ["grep", { pattern: "a", context_lines: -1 }, /^context_lines must be at least 0; -1 was given/],
  ["grep", { pattern: "a", context_lines: 101 }, /^context_lines must be at most 100/],
  ["grep", { pattern: "a", case_insensitive: "yes" }, /^case_insensitive must be true or false/],
  ["grep", { pattern: "a", path: "missing/deep" }, /^path not found: missing\/deep/],
  ["glob", { pattern: "a", path: "missing" }, /^directory not found: missing/],
  ["glob", { pattern: "a", path: "f.txt" }, /^path is not a directory: "f\.txt"/],
  ["glob", { pattern: "" }, /^pattern must be a string with a length of at least 1/],
  ["glob", { pattern: "{a" }, /^invalid glob: missing closing \}: "\{a"/],
  ["glob", { pattern: "a\\" }, /^invalid glob: nothing follows the \\/],
  ["glob", { pattern: "a".repeat(100_000) }, /^invalid glob: longer than .{0,300}$/s],
  ["glob", { regex: "[z-a]" }, /^invalid pattern: .*invalid character class range: `z-a`/],
  [
    "glob",
    { pattern: "a", type_filter: "socket" },
    /^type_filter must be one of: file, directory, symlink, all/,
  ],
  ...both(/^max_results must be at least 1; 0 was given/, { max_results: 0 }),
  ...both(/^max_results must be a whole number; 1\.5 was given/, { max_results: 1.5 }),
  ...both(/^timeout_seconds must be at least 1/, { timeout_seconds: 0 }),
  ...both(/^timeout_seconds must be at most 3600/, { timeout_seconds: 3_601 }),
  ...both(/^max_depth must be at least 1/, { max_depth: 0 }),
  ...both(/^path must be a string with a length of at most 4096/, { path: "a".repeat(5_000) }),
  ...both(/^unknown argument "depth"; known arguments: root, /, { depth: 1 }),
];

for (const [tool, args, message] of REFUSED) {
  Deno.test(`${tool} refuses ${JSON.stringify(args).slice(0, 80)}`, async () => {
    using folder = field();
    folder.write("f.txt", "a\n");
    const { text, isError } = await folder.call(tool, args);
    assert(isError, text);
    assertMatch(text, message);
    assertMatch(text, / \(root: r[,)]/);
  });
}

Deno.test("grep searches one file if it is given one, whatever the filter", async () => {
  using folder = field();
  folder.write("sub/f.txt", "a\n");
  folder.write("sub/g.txt", "a\n");
  const { text } = await folder.call("grep", { pattern: "a", path: "sub/f.txt", glob_filter: "*.go" });
  assertEquals(JSON.parse(text).matches.map(({ file }: { file: string }) => file), ["sub/f.txt"]);
});

Deno.test("grep and glob go no deeper than max_depth, and search only below path", async () => {
  using folder = field();
  for (const path of ["a.txt", "d/a.txt", "d/d/a.txt", "other/a.txt"]) folder.write(path, "a\n");
  const found = async (args: Record<string, unknown>) => {
    const grep = JSON.parse((await folder.call("grep", { pattern: "a", ...args })).text);
    const glob = JSON.parse((await folder.call("glob", { pattern: "**/*.txt", ...args })).text);
    const files = grep.matches.map(({ file }: { file: string }) => file);
    assertEquals(glob.matches.map(({ path }: { path: string }) => path), files);
    return files;
  };
  assertEquals(await found({}), ["a.txt", "d/a.txt", "d/d/a.txt", "other/a.txt"]);
  assertEquals(await found({ max_depth: 1 }), ["a.txt"]);
  assertEquals(await found({ max_depth: 2 }), ["a.txt", "d/a.txt", "other/a.txt"]);
  assertEquals(await found({ path: "d" }), ["d/a.txt", "d/d/a.txt"]);
  assertEquals(await found({ path: "d", max_depth: 1 }), ["d/a.txt"]);
});

Deno.test("glob finds nothing by a pattern that climbs out or begins at the host's root", async () => {
  using folder = field();
  folder.write("a.txt", "");
  for (const pattern of ["../*", "/etc/*", `${folder.path}/*`, "../**/*", "**/../*"]) {
    const { text, isError } = await folder.call("glob", { pattern });
    assertEquals([isError, JSON.parse(text).matches], [false, []], pattern);
  }
});

Deno.test({
  ...onUnix("glob finds links by their names and follows none; grep searches none"),
  fn: async () => {
    using folder = field();
    using outside = tempFolder();
    outside.write("secret.txt", "a\n");
    folder.write("sub/f.txt", "a\n");
    Deno.symlinkSync(outside.path, `${folder.path}/out`);
    Deno.symlinkSync("sub", `${folder.path}/way`);
    Deno.symlinkSync(`${outside.path}/secret.txt`, `${folder.path}/secret.txt`);
    Deno.symlinkSync(".", `${folder.path}/loop`);
    const glob = JSON.parse((await folder.call("glob", { pattern: "**" })).text);
    assertEquals(glob.matches.map(({ path, type }: Record<string, string>) => [path, type]), [
      ["loop", "symlink"],
      ["out", "symlink"],
      ["secret.txt", "symlink"],
      ["sub", "directory"],
      ["sub/f.txt", "file"],
      ["way", "symlink"],
    ]);
    const grep = JSON.parse((await folder.call("grep", { pattern: "a" })).text);
    assertEquals(grep.matches.map(({ file }: { file: string }) => file), ["sub/f.txt"]);
  },
});

Deno.test("glob finds only folders if its pattern ends in a slash", async () => {
  using folder = field();
  for (const path of ["docs/a", "src/docs/b", "src/docs.txt", "x/docs"]) folder.write(path, "");
  const found = async (args: Record<string, unknown>) =>
    JSON.parse((await folder.call("glob", args)).text).matches.map(({ path }: { path: string }) => path);
  assertEquals(await found({ pattern: "**/docs/" }), ["docs", "src/docs"]);
  assertEquals(await found({ pattern: "**/docs" }), ["docs", "src/docs", "x/docs"]);
  assertEquals(await found({ pattern: "docs//" }), ["docs"]);
  assertEquals(await found({ pattern: "*/" }), ["docs", "src", "x"]);
  assertEquals(await found({ pattern: "**/docs/", type_filter: "file" }), []);
});

const HINTS: [tool: string, args: Record<string, unknown>, hint: string | undefined][] = [
  [
    "grep",
    { glob_filter: "*.go,*.ts" },
    '"*.go,*.ts" is one pattern, not a list; for any of several write "*.{go,ts}"',
  ],
  ["grep", { glob_filter: "*.go; *.test.ts" }, "*.{go,test.ts}"],
  ["grep", { glob_filter: "*.go|*.ts" }, "*.{go,ts}"],
  ["grep", { glob_filter: "*.go *.ts" }, "*.{go,ts}"],
  ["grep", { glob_filter: "src/**,*.md" }, "{src/**,*.md}"],
  [
    "grep",
    { glob_filter: "d/" },
    '"d/" is a folder, and only files are searched; for everything below it write "d/**"',
  ],
  ["grep", { glob_filter: "./a/d/" }, '"./a/d/**"'],
  ["grep", { glob_filter: "*.{go,ts}" }, undefined],
  ["grep", { glob_filter: "*.go" }, undefined],
  ["grep", { glob_filter: "two words.txt" }, undefined],
  ["grep", {}, undefined],
  ["glob", { pattern: "*.go,*.ts" }, "*.{go,ts}"],
  ["glob", { pattern: "none/" }, undefined],
];

for (const [tool, args, hint] of HINTS) {
  Deno.test(`${tool} ${hint ? "says how to write" : "has no hint for"} ${JSON.stringify(args)} when nothing is found`, async () => {
    using folder = field();
    folder.write("d/a.txt", "a\n");
    const value = JSON.parse((await folder.call(tool, { pattern: "needle", ...args })).text);
    assertEquals(value.matches, []);
    if (hint === undefined) assertEquals(value.hint, undefined);
    else assert(value.hint.includes(hint), value.hint);
  });
}

Deno.test("grep has no hint if its filter has found files, whatever it looks like", async () => {
  using folder = field();
  folder.write("a,b", "a\n");
  const { hint, files_searched } = JSON.parse(
    (await folder.call("grep", { pattern: "x", glob_filter: "a,b" })).text,
  );
  assertEquals([hint, files_searched], [undefined, 1]);
});

Deno.test("grep and glob count and name the nested roots that do not allow them", async () => {
  using folder = tempFolder();
  for (const path of ["a/f", "a/closed/f", "a/deep/shut/f", "a/open/f"]) folder.write(path, "x\n");
  const { call } = rootsSurface([
    root("r", `${folder.path}/a`),
    root("closed", `${folder.path}/a/closed`, ["read_file"]),
    root("shut", `${folder.path}/a/deep/shut`, ["read_file"]),
    root("open", `${folder.path}/a/open`),
  ]);
  for (const [tool, args] of [["grep", { pattern: "x" }], ["glob", { pattern: "**/f" }]] as const) {
    const all = (await call(tool, { root: "r", ...args })).structuredContent;
    assertEquals([all?.skipped, all?.roots_left_out], [2, ["closed", "shut"]], tool);
    assertEquals(all?.total_matches, 2);
    const below = (await call(tool, { root: "r", path: "open", ...args })).structuredContent;
    assertEquals([below?.skipped, below?.roots_left_out], [0, undefined], tool);
  }
});
