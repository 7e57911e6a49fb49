import { assertEquals } from "@std/assert";
import { lexicalPath, type PathStyle } from "../../src/confine/path_rules.ts";

const CASES: [style: PathStyle, root: string, given: string, expected: string | undefined][] = [
  ["posix", "/srv/data", "../x", "/srv/x"],
  ["posix", "/srv/data", "a/./b//../c", "/srv/data/a/c"],
  ["posix", "/srv/data", "../../../../../etc/passwd", "/etc/passwd"],
  ["posix", "/srv/data", "..", "/srv"],
  ["posix", "/srv/data", "../..", "/"],
  ["posix", "/srv/data", "", "/srv/data"],
  ["posix", "/srv/data", "/etc/passwd", "/etc/passwd"],
  ["posix", "/srv/data", "/etc/../var//log/.", "/var/log"],
  ["posix", "/", "../x", "/x"],
  ["posix", "/srv/data", "..\\x", "/srv/data/..\\x"],
  ["posix", "/srv/data", "a\0b", undefined],
  ["windows", "C:\\data", "..\\x", "C:\\x"],
  ["windows", "C:\\data", "a/../../../y", "C:\\y"],
  ["windows", "C:\\data", "D:\\y\\..\\z", "D:\\z"],
  ["windows", "C:\\data", "/y", "\\y"],
];

Deno.test("lexicalPath returns where a path would lead without links, from the root or absolute", async (t) => {
  for (const [style, root, given, expected] of CASES) {
    await t.step(`${style}: ${JSON.stringify(given)} in ${root}`, () => {
      assertEquals(lexicalPath(root, given, style), expected);
    });
  }
});
