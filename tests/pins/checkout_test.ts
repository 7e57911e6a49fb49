/** The repository checks out the same on every system, with any configuration of git. */
import { assertEquals } from "@std/assert";

const REPOSITORY = new URL("../../", import.meta.url);
const NOT_IN_GIT = new Set([".cache", ".git", "coverage", "dist", "node_modules"]);

/** Every path of the checkout, folders included, relative to its root. */
function* paths(folder = ""): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(new URL(folder, REPOSITORY))) {
    if (NOT_IN_GIT.has(name)) continue;
    yield folder + name;
    if (isDirectory) yield* paths(`${folder}${name}/`);
  }
}

/** Groups of paths that are the same if letter case, or the composition of accents, does not count. */
function collisions(all: Iterable<string>): string[][] {
  const groups = Map.groupBy(all, (path) => path.normalize("NFC").toLowerCase());
  return [...groups.values()].filter((group) => group.length > 1);
}

Deno.test("collisions reports paths that differ only in letter case or composition", () => {
  assertEquals(collisions(["src/a.ts", "src/A.ts", "src/b.ts"]), [["src/a.ts", "src/A.ts"]]);
  assertEquals(collisions(["Docs", "docs/a", "docs"]), [["Docs", "docs"]]);
  assertEquals(collisions(["caf\u00e9", "cafe\u0301"]), [["caf\u00e9", "cafe\u0301"]]);
  assertEquals(collisions(["a/b", "b/a"]), []);
});

Deno.test("no two paths collide on a case-insensitive file system", () => {
  assertEquals(collisions(paths()), []);
});

Deno.test("every path can be created on Windows", () => {
  const refused = /[<>:"|?*\\]|\p{Cc}|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;
  assertEquals([...paths()].filter((path) => path.split("/").some((name) => refused.test(name))), []);
});

Deno.test("git is configured to keep line feeds in every checkout", () => {
  const lines = Deno.readTextFileSync(new URL(".gitattributes", REPOSITORY)).split("\n");
  assertEquals(lines.filter((line) => line.startsWith("* ")), ["* text=auto eol=lf"]);
});

Deno.test("no text file of the checkout has a carriage return", () => {
  const texts = [...paths()].filter((path) => /\.(?:ts|js|md|json|jsonc|ya?ml|wat|svg|1|lock)$/.test(path));
  assertEquals(texts.length > 500, true);
  const crlf = texts.filter((path) => Deno.readTextFileSync(new URL(path, REPOSITORY)).includes("\r\n"));
  assertEquals(crlf, []);
});
