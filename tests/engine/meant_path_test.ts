import { assert, assertEquals } from "@std/assert";
import { createRoots } from "../../src/confine/roots.ts";
import { meantPath } from "../../src/engine/meant_path.ts";
import { nativePath } from "../support/engine.ts";
import { tempFolder } from "../support/temp.ts";

Deno.test("meantPath understands absolute paths of the root and paths that begin with its name", () => {
  using folder = tempFolder();
  folder.write("site/src/a.ts", "");
  folder.write("site/real.txt", "");
  folder.write("lib/lib/b.ts", "");
  const roots = createRoots(["site", "lib"].map((name) => ({
    name,
    path: nativePath(`${folder.path}/${name}`),
    git: "read-only" as const,
  })));
  const site = `${folder.path}/site`;
  const table: [root: string, given: string, meant: string][] = [
    ["site", `${site}/src/a.ts`, "src/a.ts"],
    ["site", `${site}/src/../real.txt`, "real.txt"],
    ["site", `${site}/src/`, "src/"],
    ["site", site, "."],
    ["site", `${site}/`, "."],
    ["site", nativePath(`${site}/src/`), "src/"],
    // elsewhere: left as it is, and refused later
    ["site", "/", "/"],
    ["site", `${site}_evil/x`, `${site}_evil/x`],
    ["site", `${site}/../lib/lib/b.ts`, `${site}/../lib/lib/b.ts`],
    ["site", `${site}/\0`, `${site}/\0`],
    // the root's name in front
    ["site", "site/src/a.ts", "src/a.ts"],
    ["site", "./site/real.txt", "real.txt"],
    ["site", "site/src/new.ts", "src/new.ts"],
    ["site", "site/src", "src"],
    // may be a folder to be created
    ["site", "site", "site"],
    ["site", "site/", "site/"],
    ["site", "site/new.ts", "site/new.ts"],
    ["site", "site/no/new.ts", "site/no/new.ts"],
    // the root contains such a folder
    ["lib", "lib/b.ts", "lib/b.ts"],
    ["lib", "lib/c.ts", "lib/c.ts"],
    // plain
    ["site", "src/a.ts", "src/a.ts"],
    ["site", "sitemap/a.ts", "sitemap/a.ts"],
  ];
  for (const [root, given, meant] of table) {
    const confined = roots.get(root);
    assertEquals(confined && meantPath(confined, given), meant, `${root}: ${given}`);
  }
});

Deno.test("meantPath knows the root's name in front of the separators of Windows, there only", () => {
  using folder = tempFolder();
  folder.write("src/a.ts", "");
  folder.write("real.txt", "");
  const site = createRoots([{ name: "site", path: folder.path, git: "open" }]).get("site");
  assert(site !== undefined);
  const table: [given: string, meant: string][] = [
    ["site\\src\\a.ts", "src/a.ts"],
    [".\\site\\real.txt", "real.txt"],
    ["site/src\\new.ts", "src/new.ts"],
    ["site\\new.ts", "site\\new.ts"],
    ["sitemap\\a.ts", "sitemap\\a.ts"],
    ["src\\a.ts", "src\\a.ts"],
  ];
  for (const [given, meant] of table) {
    assertEquals(meantPath(site, given, "windows"), meant);
    assertEquals(meantPath(site, given, "posix"), given);
  }
});
