/**
 * With two names for one folder, as a mount or a case-insensitive file system has them; see e2e/platforms for the
 * real thing.
 */
import { assertEquals } from "@std/assert";
import { asRootsSpell } from "../../src/confine/nested_spelling.ts";
import { SEPARATOR } from "../../src/confine/path_rules.ts";
import type { ConfinedRoot } from "../../src/confine/resolve_path.ts";
import { tempFolder } from "../support/temp.ts";

/** Answers like a case-insensitive file system: every name in capitals is another name for the same entry. */
function withoutCapitals<T>(act: () => T): T {
  const { lstatSync } = Deno;
  Deno.lstatSync = (path) =>
    lstatSync(String(path).replace(/[A-Z]+(?=[\\/]|$)/g, (name) => name.toLowerCase()));
  try {
    return act();
  } finally {
    Deno.lstatSync = lstatSync;
  }
}

Deno.test("asRootsSpell gives the folders on the way to nested roots their own spelling, and leaves others alone", () => {
  using folder = tempFolder();
  folder.write("inner/x.txt", "x");
  folder.write("mid/deep/x.txt", "x");
  folder.write("other/inner/x.txt", "x");
  const at = (path: string) => [folder.path, ...path.split("/")].join(SEPARATOR);
  const nested = ["inner", "mid/deep"].map((path) => ({ path: at(path) } as ConfinedRoot));
  const cases: [given: string, spelled: string][] = [
    ["inner/x.txt", "inner/x.txt"],
    ["INNER", "inner"],
    ["INNER/X.TXT", "inner/X.TXT"], // only the path matters
    ["INNER/new/A", "inner/new/A"],
    ["MID", "mid"],
    ["MID/DEEP/A", "mid/deep/A"],
    ["MID/new", "mid/new"],
    ["OTHER/INNER", "OTHER/INNER"],
    ["NEW/x", "NEW/x"],
  ];
  for (const [given, spelled] of cases) {
    const root = { path: folder.path, nested };
    assertEquals(withoutCapitals(() => asRootsSpell(root, at(given))), at(spelled), given);
    assertEquals(asRootsSpell({ ...root, nested: [] }, at(given)), at(given), given);
  }
  assertEquals(asRootsSpell({ path: folder.path, nested }, folder.path), folder.path);
});
