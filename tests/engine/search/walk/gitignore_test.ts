import { assertEquals } from "@std/assert";
import { find, grep } from "../../../../src/engine/search/mod.ts";
import { Gitignore } from "../../../../src/engine/search/walk/gitignore.ts";
import { engineFolder } from "../../../support/engine.ts";

const step = () => Promise.resolve(true);

/** The file, a path from its folder (with a slash at the end for a folder), and whether git ignores it. */
const CASES: [text: string, path: string, ignored: boolean | undefined][] = [
  ["*.log", "a.log", true],
  ["*.log", "deep/er/a.log", true],
  ["*.log", "a.log.txt", undefined],
  ["/a.log", "a.log", true],
  ["/a.log", "b/a.log", undefined],
  ["b/a.log", "b/a.log", true],
  ["b/a.log", "c/b/a.log", undefined],
  ["build/", "build/", true],
  ["build/", "build", undefined],
  ["build/", "x/build/", true],
  ["*.log\n!keep.log", "keep.log", false],
  ["!keep.log\n*.log", "keep.log", true],
  ["# a comment\n\n\\#file", "#file", true],
  ["\\!file", "!file", true],
  ["trailing   ", "trailing", true],
  ["kept\\ ", "kept ", true],
  ["dos\r\nlines\r\n", "dos", true],
  ["\ufefffirst", "first", true],
  ["**/a", "x/y/a", true],
  ["a/**", "a/b/c", true],
  ["a/**", "a/", undefined],
  ["a/**/b", "a/b", true],
  ["a/**/b", "a/x/y/b", true],
  ["a?c", "abc", true],
  ["a?c", "a/c", undefined],
  ["[a-c]x", "bx", true],
  ["[!a-c]x", "bx", undefined],
  ["[[:digit:]]x", "7x", true],
  ["{a,b}", "a", undefined],
  ["{a,b}", "{a,b}", true],
  ["[open\n*.o", "x.o", true],
  ["[open", "[open", undefined],
  ["*", "anything", true],
  ["/", "a", undefined],
];

for (const [text, path, ignored] of CASES) {
  Deno.test(`Gitignore treats ${JSON.stringify(text)} as git does for ${path}`, async () => {
    const isDirectory = path.endsWith("/");
    const verdict = await new Gitignore(text).ignores(path.replace(/\/$/, ""), { isDirectory, step });
    assertEquals(verdict, ignored);
  });
}

Deno.test("Gitignore takes time in proportion to its size, and skips what is too much for it", async () => {
  const lines = [
    `${" ".repeat(200_000)}x`,
    `${"/".repeat(200_000)}x`,
    "[".repeat(10_000),
    "[!a]".repeat(400),
  ];
  const rules = new Gitignore([...lines, ...lines, "*.log"].join("\n"));
  assertEquals(await rules.ignores("a.log", { isDirectory: false, step }), true);
  assertEquals(await rules.ignores("a.txt", { isDirectory: false, step }), undefined);
});

Deno.test("grep and find leave out what git ignores if asked to, by all files from the root down", async () => {
  using folder = engineFolder();
  folder.write(".gitignore", "*.log\nbuild/\n/src/gen\n");
  folder.write("src/.gitignore", "!keep.log\n*.tmp\n");
  folder.write("src/deep/.gitignore", "/only-here\n");
  for (
    const name of [
      ".git/config",
      "a.log",
      "build/out",
      "src/a.ts",
      "src/keep.log",
      "src/x.tmp",
      "src/gen/x",
      "src/deep/only-here",
      "src/deep/er/only-here",
      "src/deep/b.log",
    ]
  ) folder.write(name, "x\n");
  const searched = async (path: string) => {
    const options = { pattern: "^x$", respectGitignore: true };
    return (await grep(folder.at(path), options)).matches.map(({ file }) => file);
  };
  assertEquals(await searched(""), ["src/a.ts", "src/deep/er/only-here", "src/keep.log"]);
  assertEquals(await searched("src/deep"), ["src/deep/er/only-here"]);
  assertEquals(await searched("build"), ["build/out"]); // named explicitly
  const { matches } = await find(folder.at(""), {
    glob: "**",
    typeFilter: "directory",
    respectGitignore: true,
  });
  assertEquals(matches.map(({ path }) => path), ["src", "src/deep", "src/deep/er"]);
});
