/** Whatever the tree and the path: what resolvePath returns is inside. For POSIX, where any user may create a link. */
import { assert } from "@std/assert";
import fc from "fast-check";
import { PaddockError } from "../../src/base/errors.ts";
import { type ConfinedRoot, type ResolveOptions, resolvePath } from "../../src/confine/resolve_path.ts";
import { onUnix } from "../support/needs.ts";
import { tempFolder } from "../support/temp.ts";

const NAMES = ["a", "b", "c", "a_evil", "field"];
const entry = fc.record({
  at: fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }),
  kind: fc.constantFrom("file", "folder", "link"),
  to: fc.constantFrom(
    "a",
    "b",
    "c/a",
    "..",
    "../..",
    "../field_evil",
    "../outside/a",
    "ROOT/a",
    "ROOT_evil",
    "/",
    "no_such",
    ".",
  ),
});
const asked = fc.array(fc.constantFrom(...NAMES, "..", ".", ""), { maxLength: 6 });

Deno.test({
  ...onUnix("resolvePath returns only paths whose deepest existing ancestor is really inside the root"),
  fn: () => {
    using temp = tempFolder();
    for (const folder of ["field", "field_evil", "outside/a"]) {
      Deno.mkdirSync(`${temp.path}/${folder}`, { recursive: true });
    }
    const root: ConfinedRoot = { name: "field", path: `${temp.path}/field`, git: "open", nested: [] };
    const tree = fc.array(entry, { maxLength: 10 });
    const paths = fc.array(asked, { minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(tree, paths, (entries, paths) => {
        for (const { name } of Deno.readDirSync(root.path)) {
          Deno.removeSync(`${root.path}/${name}`, { recursive: true });
        }
        for (const { at, kind, to } of entries) {
          plant(`${root.path}/${at.join("/")}`, { kind, to: to.replace("ROOT", root.path) });
        }
        for (const path of paths) {
          for (const options of [{}, { follow: false }]) check(root, path.join("/"), options);
        }
      }),
      { numRuns: 300 },
    );
  },
});

/** Creates the requested entry if there is room for it; never through a link. */
function plant(path: string, { kind, to }: { kind: string; to: string }): void {
  try {
    const parent = path.slice(0, path.lastIndexOf("/"));
    if (Deno.realPathSync(parent) !== parent) return;
    if (kind === "folder") Deno.mkdirSync(path);
    else if (kind === "link") Deno.symlinkSync(to, path);
    else Deno.writeTextFileSync(path, "", { createNew: true });
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

function check(root: ConfinedRoot, given: string, options: ResolveOptions): void {
  let absolute: string;
  try {
    ({ absolute } = resolvePath(root, given, options));
  } catch (error) {
    if (error instanceof PaddockError) return;
    throw error;
  }
  const parent = absolute.slice(0, absolute.lastIndexOf("/"));
  const real = realAncestor(options.follow === false && absolute !== root.path ? parent : absolute);
  assert(
    [absolute, real].every((path) => `${path}/`.startsWith(`${root.path}/`)),
    `${JSON.stringify(given)} led to ${real}`,
  );
}

function realAncestor(path: string): string {
  for (let at = path;; at = at.slice(0, at.lastIndexOf("/"))) {
    try {
      return Deno.realPathSync(at === "" ? "/" : at);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      let dangling = false;
      try {
        dangling = Deno.lstatSync(at).isSymlink;
      } catch { /* nothing there */ }
      assert(!dangling, `${path} goes through a dangling link`);
    }
  }
}
