import { assert, assertEquals } from "@std/assert";
import { PaddockError } from "../../../../src/base/errors.ts";
import { compileGlob, compileGlobFilter } from "../../../../src/engine/search/mod.ts";
import { globTail } from "../../../../src/engine/search/walk/glob.ts";

Deno.test("globTail is what every match ends with", () => {
  for (const [glob, matching] of GLOBS) {
    const tail = globTail(glob);
    for (const path of matching) assert(path.endsWith(tail), `${path} for ${glob}`);
  }
  const tails = ["*.json", "**/*.json", "a/b.c", "*", "a{b,c}", "[x].go", "x\\*", "**", "a/"].map(globTail);
  assertEquals(tails, [".json", ".json", "b.c", "", "", ".go", "x*", "", "a"]);
});

const GLOBS: [glob: string, matching: string[], others: string[]][] = [
  ["a.go", ["a.go"], ["b/a.go", "a.go/b", "A.go", "aXgo", ""]],
  ["*.go", ["a.go", ".go", ".x.go", "é日.go"], ["a/b.go", "a.gox", "a.GO", "go"]],
  ["*", ["a", ".hidden", "a b\nc"], ["a/b", "a/"]],
  ["a*c", ["ac", "abc", "abbc"], ["a/c", "abcd"]],
  ["a*b*c", ["abc", "axbxc"], ["acb"]],
  ["?", ["a", "é", "😀"], ["", "ab", "/"]],
  ["a?b", ["aéb"], ["ab", "a/b", "aéeb"]],
  ["[abc]", ["a", "b"], ["d", "ab", ""]],
  ["[a-c]x", ["bx"], ["dx", "-x"]],
  ["[!a]", ["b", "é"], ["a", "/", ""]],
  ["[^a-c]", ["d"], ["b", "/"]],
  ["[]a]", ["]", "a"], ["b"]],
  ["[!]a]", ["b"], ["]", "a"]],
  ["[a-]", ["a", "-"], ["b"]],
  ["[-a]", ["a", "-"], ["b"]],
  ["[\\]a]", ["]", "a"], ["\\"]],
  ["[a\\-c]", ["a", "-", "c"], ["b"]],
  ["[*?{]", ["*", "?", "{"], ["a"]],
  ["[+-0]", ["+", ".", "0"], ["/"]],
  ["[à-ü]", ["é"], ["e"]],
  ["\\*", ["*"], ["a", "\\a"]],
  ["\\[a]", ["[a]"], ["a"]],
  ["\\{a,b\\}", ["{a,b}"], ["a"]],
  ["a\\b", ["ab"], ["a\\b"]],
  ["{a,b}", ["a", "b"], ["{a,b}", "ab", "c"]],
  ["{a,b}{c,d}", ["ac", "bd"], ["ab", "cd"]],
  ["x{,y}", ["x", "xy"], ["xyy"]],
  ["{a}", ["a"], ["{a}"]],
  ["{}a", ["a"], ["{}a"]],
  ["*.{ts,{js,mjs}x}", ["a.ts", "a.jsx", "a.mjsx"], ["a.js", "a.tsx"]],
  ["{a,b/c}/d", ["a/d", "b/c/d"], ["b/d"]],
  ["{[,],a}", [",", "a"], ["[,]"]],
  ["a,b}", ["a,b}"], ["a"]],
  ["**", ["a", "a/b", ".x/y", "a/b/c"], []],
  ["**/a", ["a", "b/a", "b/c/a"], ["ba", "a/b", "b/ca"]],
  ["**/*.go", ["a.go", "s/a.go", "s/t/.a.go"], ["a.got", "s/a.go/x"]],
  ["a/**", ["a", "a/b", "a/b/c"], ["ab", "ab/c", "b/a"]],
  ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb", "a/bx", "x/a/b"]],
  ["**/a/**", ["a", "x/a", "a/x", "x/a/y"], ["xa", "ax/y"]],
  ["**/a/**/b", ["a/b", "x/a/y/z/b"], ["a", "b"]],
  ["**/**/a", ["a", "x/y/a"], ["xa"]],
  ["a**", ["a", "ab"], ["a/b"]],
  ["**a", ["a", "ba"], ["b/a"]],
  ["a/**b", ["a/b", "a/xb"], ["a/x/b"]],
  ["a/**.go", ["a/x.go"], ["a/x/y.go"]],
  ["***/a", ["x/a"], ["a", "x/y/a"]],
  ["{a,**}/c", ["a/c", "c", "x/y/c"], ["ac"]],
  ["{a,b}/**", ["a", "b", "a/x/y"], ["c", "ab"]],
  ["{a/,b/}**", ["a/x/y", "b/x"], ["ax", "c/x"]],
  ["{a,{b,**}}/c", ["a/c", "b/c", "c", "x/y/c"], ["bc"]],
  ["{src,test}/**/*.{ts,js}", ["src/a.ts", "test/x/y/a.js"], ["a.ts", "lib/a.ts", "src/a.py"]],
  ["./a/*", ["a/b"], ["b"]],
  ["/a", ["a"], ["b/a"]],
  ["a/", ["a"], ["a/b"]],
  [".", ["."], ["a"]],
  ["日*/é", ["日本/é"], ["日本/e"]],
];

for (const [glob, matching, others] of GLOBS) {
  Deno.test(`compileGlob matches with ${glob} exactly what it means`, () => {
    const matcher = compileGlob(glob);
    assertEquals(matching.filter((path) => !matcher.matchesText(path)), []);
    assertEquals(others.filter((path) => matcher.matchesText(path)), []);
  });
}

const MISTAKES: [glob: string, message: string][] = [
  ["[", 'missing closing ]: "["'],
  ["a/[b", 'missing closing ]: "a/[b"'],
  ["[]", 'missing closing ]: "[]"'],
  ["[!]", 'missing closing ]: "[!]"'],
  ["[a-", 'missing closing ]: "[a-"'],
  ["[a\\]", 'missing closing ]: "[a\\\\]"'],
  ["{a,b", 'missing closing }: "{a,b"'],
  ["{a,{b}", 'missing closing }: "{a,{b}"'],
  ["{a\\}", 'missing closing }: "{a\\\\}"'],
  ["{[}", 'missing closing ]: "{[}"'],
  ["[z-a]", 'a range in [ ] runs backwards: "[z-a]"'],
  ["a\\", 'nothing follows the \\ at the end: "a\\\\"'],
  ["{".repeat(60), `braces nest too deeply: "${"{".repeat(60)}"`],
  ["a".repeat(17_000), `longer than 16384 characters: "${"a".repeat(200)}…"`],
];

Deno.test("compileGlob refuses incomplete globs, and says what is missing", () => {
  for (const [glob, message] of MISTAKES) {
    let said = "nothing";
    try {
      compileGlob(glob);
    } catch (error) {
      if (!(error instanceof PaddockError)) throw error;
      said = `${error.code}: ${error.message}`;
    }
    assertEquals(said, `INVALID_INPUT: invalid glob: ${message}`);
  }
});

Deno.test("compileGlob finishes at once with globs that make other engines try everything", () => {
  const name = "a".repeat(2000);
  assertEquals(compileGlob(`${"*a".repeat(500)}b`).matchesText(name), false);
  assertEquals(compileGlob(`${"{a,aa}".repeat(500)}b`).matchesText(name), false);
  assertEquals(compileGlob(`${"**/".repeat(500)}b`).matchesText("a/".repeat(1000)), false);
  assertEquals(compileGlob(`${"{a,b}".repeat(2000)}`).matchesText(name), true);
});

Deno.test("compileGlobFilter matches names at any depth without a slash, and paths with one", async () => {
  const never = () => Promise.reject(new Error("there was no need to pause"));
  const wanted = async (glob: string | undefined, path: string) =>
    await compileGlobFilter(glob).matches(path, never);
  assertEquals(await wanted("*.go", "a/b/c.go"), true);
  assertEquals(await wanted("*.go", "a/b.go/c.py"), false);
  assertEquals(await wanted("a/*.go", "a/c.go"), true);
  assertEquals(await wanted("a/*.go", "b/a/c.go"), false);
  assertEquals(await wanted("/*.go", "c.go"), true);
  assertEquals(await wanted("/*.go", "a/c.go"), false);
  assertEquals(await wanted(undefined, "a/c.go"), true);
  assertEquals(await wanted("c.go/", "c.go"), false);
  assertEquals(await wanted("a/", "a/c.go"), false);
});

Deno.test("compileGlobFilter knows which folders need not be entered", async () => {
  const never = () => Promise.reject(new Error("there was no need to pause"));
  const enters = async (glob: string, folder: string) =>
    await compileGlobFilter(glob).mayMatchBelow(folder, never);
  assertEquals(await enters("*.go", "a/b"), true);
  assertEquals(await enters("src/*.go", "src"), true);
  assertEquals(await enters("src/*.go", "src/deep"), false);
  assertEquals(await enters("src/*.go", "lib"), false);
  assertEquals(await enters("{src,lib}/**/*.go", "lib/deep/er"), true);
  assertEquals(await enters("**/x/*.go", "any/where"), true);
});
