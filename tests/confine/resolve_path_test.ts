/** resolvePath on real trees with links. The tables are for POSIX, where any user may create a link. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import {
  childOf,
  type ConfinedRoot,
  leadsElsewhere,
  nameOf,
  parentOf,
  type ResolveOptions,
  resolvePath,
  rootsBelow,
  stillReal,
} from "../../src/confine/resolve_path.ts";
import { createRoots } from "../../src/confine/roots.ts";
import { onUnix } from "../support/needs.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

interface Field extends TempFolder {
  root: ConfinedRoot;
}

/** A root `field` beside a folder whose name begins the same, and every kind of link between them. */
function field(git: ConfinedRoot["git"] = "read-only"): Field {
  const temp = tempFolder();
  temp.write("field/file", "inside");
  temp.write("field/folder/deep/file", "inside");
  temp.write("field/.git/hooks/x", "");
  temp.write("field/.paddock-0a.tmp", "");
  temp.write("field_evil/file", "outside");
  temp.write("outside/file", "outside");
  const links: Record<string, string> = {
    to_file: "file",
    to_folder: "folder",
    to_root: ".",
    absolute: `${temp.path}/field/folder`,
    out_and_in: "../field/folder",
    chain: "chain2",
    chain2: "to_folder/deep",
    "folder/up": "..",
    out_file: "../outside/file",
    out_folder: "../outside",
    out_absolute: `${temp.path}/outside`,
    evil: "../field_evil",
    evil_file: "../field_evil/file",
    out_chain: "out_chain2",
    out_chain2: "to_root/out_folder",
    parent: "..",
    system: "/etc/passwd",
    dangling: "no_such",
    dangling_out: "../outside/no_such",
    dangling_chain: "dangling_out",
    loop: "loop",
    loop_a: "loop_b",
    loop_b: "loop_a",
    git_link: ".git",
    "folder/.GIT": "deep",
    hooks_link: ".git/hooks",
    temp_link: ".paddock-0a.tmp",
  };
  for (const [name, target] of Object.entries(links)) Deno.symlinkSync(target, `${temp.path}/field/${name}`);
  return { ...temp, root: { name: "field", path: `${temp.path}/field`, git, nested: [] } };
}

/** The relative path, or the code of the error, whose message must not reveal where the root is. */
function outcome(root: ConfinedRoot, given: string, options?: ResolveOptions): string {
  try {
    return resolvePath(root, given, options).relative;
  } catch (error) {
    assert(error instanceof PaddockError, `${given}: ${error}`);
    assert(!(error.message + JSON.stringify(error.data ?? {})).includes(root.path), error.message);
    return error.code;
  }
}

const OUT = "OUT_OF_BOUNDS";
const OWN = "NOT_ALLOWED";

const FOLLOWED: Record<string, string> = {
  "": "",
  ".": "",
  "/": "",
  file: "file",
  "folder/deep/file": "folder/deep/file",
  no_such: "no_such",
  "no/such/file": "no/such/file",
  "no/../file": "file",
  to_file: "file",
  to_folder: "folder",
  "to_folder/deep/file": "folder/deep/file",
  "to_folder/new/file": "folder/new/file",
  to_root: "",
  "to_root/to_root/file": "file",
  "absolute/deep": "folder/deep",
  "out_and_in/deep": "folder/deep",
  "chain/file": "folder/deep/file",
  "folder/up/file": "file",
  "folder/up/..": "folder",
  "to_folder/../file": "file",
  "evil/../file": "file", // `..` is resolved by name, before any link
  "out_folder/..": "",
  out_file: OUT,
  out_folder: OUT,
  "out_folder/file": OUT,
  "out_folder/no_such": OUT,
  "out_folder/no/such": OUT,
  out_absolute: OUT,
  evil: OUT,
  "evil/file": OUT,
  evil_file: OUT,
  out_chain: OUT,
  "out_chain/file": OUT,
  parent: OUT,
  "parent/field/file": "file",
  "parent/field_evil/file": OUT,
  "parent/outside/new": OUT,
  system: OUT,
  dangling: OUT,
  "dangling/new": OUT,
  dangling_out: OUT,
  "dangling_out/new": OUT,
  dangling_chain: OUT,
  "to_root/dangling_out": OUT,
  loop: OUT,
  "loop/x": OUT,
  loop_a: OUT,
  "no/../../outside/file": OUT,
  "no/../../field_evil/file": OUT,
  "file/../../outside": OUT,
  "..": OUT,
  "file/x": "INVALID_INPUT",
  ["x".repeat(300)]: "INVALID_INPUT",
  ["x/".repeat(3000)]: "INVALID_INPUT",
  ".paddock-0a.tmp": OWN,
  ".paddock-ff.tmp": OWN,
  "folder/.PADDOCK-0A.TMP": OWN,
  "no/.paddock-0a.tmp/x": OWN,
  temp_link: OWN,
};

Deno.test({
  ...onUnix("resolvePath follows links that stay inside and refuses all others"),
  fn: () => {
    using at = field();
    for (const [given, expected] of Object.entries(FOLLOWED)) {
      assertEquals(outcome(at.root, given), expected, given);
      assertEquals(outcome(at.root, given, { change: true }), expected, `${given}, to be changed`);
    }
  },
});

const NOT_FOLLOWED: Record<string, string> = {
  to_file: "to_file",
  out_file: "out_file",
  out_folder: "out_folder",
  dangling_out: "dangling_out",
  loop: "loop",
  git_link: "git_link",
  temp_link: "temp_link",
  "to_folder/deep": "folder/deep",
  "to_root/out_file": "out_file",
  "to_folder/": "to_folder",
  "to_folder/.": "to_folder",
  "": "",
  no_such: "no_such",
  "out_folder/file": OUT,
  "out_folder/no_such": OUT,
  "dangling/x": OUT,
  "dangling_out/x": OUT,
  "loop/x": OUT,
  "parent/outside": OUT,
  "parent/field_evil": OUT,
  ".paddock-0a.tmp": OWN,
};

Deno.test({
  ...onUnix(
    "resolvePath treats a final link as the link itself, and still follows none before it, when follow is false",
  ),
  fn: () => {
    using at = field();
    for (const [given, expected] of Object.entries(NOT_FOLLOWED)) {
      assertEquals(outcome(at.root, given, { follow: false }), expected, given);
    }
  },
});

Deno.test({
  ...onUnix("resolvePath protects a .git by any route and alias, as its root says"),
  fn: () => {
    const inside = [".git", ".git/hooks/new", "git_link", "git_link/config", "hooks_link/x", "folder/.GIT/x"];
    const aliases = [
      "git~1/x",
      ".git./x",
      ".git /x",
      ".git::$INDEX_ALLOCATION/x",
      ".g\u200cit/hooks/x",
      ".git/../.git",
    ];
    for (
      const [git, read, change] of [["open", "", ""], ["read-only", "", OWN], ["hidden", OUT, OUT]] as const
    ) {
      using at = field(git);
      for (const given of [...inside, ...aliases]) {
        const codes = [{}, { change: true }].map((options) => outcome(at.root, given, options));
        const [reading, changing] = codes.map((code) => code === OUT || code === OWN ? code : "");
        assertEquals([reading, changing], [read, change], `${git}: ${given}`);
      }
      assertEquals(outcome(at.root, ".gitignore", { change: true }), ".gitignore");
      assertEquals(outcome(at.root, ".git/../file", { change: true }), "file");
      assertEquals(outcome(at.root, "git_link", { change: true, follow: false }), "git_link");
      assertEquals(
        outcome(at.root, "git_link/x", { follow: false, change: true }),
        git === "open" ? ".git/x" : change,
      );
    }
  },
});

Deno.test({
  ...onUnix("resolvePath finds the innermost root as the owner, whatever path leads there"),
  fn: () => {
    using temp = tempFolder();
    temp.write("a/b/c/file", "");
    temp.write("a/b_evil/file", "");
    Deno.symlinkSync("b/c", `${temp.path}/a/link`);
    const roots = createRoots([
      { name: "c", path: `${temp.path}/a/b/c`, git: "hidden" },
      { name: "a", path: `${temp.path}/a`, git: "open" },
      { name: "b", path: `${temp.path}/a/b`, git: "read-only" },
    ]);
    const a = roots.get("a");
    assert(a !== undefined);
    const owners = {
      "b/c/file": "c",
      link: "c",
      "link/new": "c",
      "b/c": "c",
      b: "b",
      "b/x": "b",
      "b_evil/file": "a",
      "": "a",
    };
    for (const [given, owner] of Object.entries(owners)) {
      assertEquals(resolvePath(a, given).owner.name, owner, given);
      assertEquals(resolvePath(a, given).root.name, "a", given);
    }
    assertEquals(outcome(a, "link/.git"), OUT); // the owner's rule, not that of the root it was reached through
    assertEquals(outcome(a, "b/.git", { change: true }), OWN);
    assertEquals(outcome(a, ".git", { change: true }), ".git");
    const below = (given: string) => rootsBelow(resolvePath(a, given)).map(({ name }) => name).sort();
    assertEquals([below(""), below("b"), below("b/c"), below("b_evil")], [["b", "c"], ["b", "c"], ["c"], []]);
    const b = roots.get("b");
    assert(b !== undefined);
    assertEquals(outcome(b, "../b_evil/file"), OUT);
    assertEquals(childOf(resolvePath(a, "b"), "c").owner.name, "c");
    assertEquals(parentOf(resolvePath(a, "b/c")).owner.name, "b");
  },
});

Deno.test({
  ...onUnix("resolvePath refuses every path when the root's own directory is gone or was replaced by a link"),
  fn: () => {
    using at = field();
    const before = resolvePath(at.root, "file");
    Deno.renameSync(at.root.path, `${at.path}/away`);
    for (const given of ["", "file", "no/such"]) assertEquals(outcome(at.root, given), "NOT_FOUND", given);
    assertEquals([stillReal(before), leadsElsewhere(before)], [false, false]);
    Deno.symlinkSync("outside", at.root.path);
    for (const given of ["", "file", "no/such"]) assertEquals(outcome(at.root, given), OUT, given);
    for (const given of ["file", "no_such"]) {
      assertEquals(outcome(at.root, given, { follow: false }), OUT, given);
    }
    assertEquals([stillReal(before), leadsElsewhere(before)], [false, true]);
    Deno.removeSync(at.root.path);
    Deno.symlinkSync("no_such", at.root.path);
    for (const given of ["", "file"]) assertEquals(outcome(at.root, given), "NOT_FOUND", given);
  },
});

Deno.test("childOf accepts one name and refuses anything that is a path", () => {
  using temp = tempFolder();
  const folder = resolvePath({ name: "r", path: temp.path, git: "open", nested: [] }, "a");
  assertEquals([childOf(folder, "b").relative, childOf(folder, "b").given], ["a/b", "a/b"]);
  assertEquals(nameOf(childOf(folder, "..b")), "..b");
  for (const name of ["", ".", "..", "a/b", "../x", "/", "/x"]) {
    assertEquals(assertThrows(() => childOf(folder, name), PaddockError).code, "INVALID_INPUT", name);
  }
  assertEquals(parentOf(parentOf(childOf(folder, "b"))).relative, "");
  assertThrows(() => parentOf(parentOf(folder)), PaddockError, "is the root itself");
});

Deno.test("resolvePath reports that a root was replaced by a file, whatever path is requested", () => {
  using folder = tempFolder();
  const path = folder.write("root", "a file");
  const root: ConfinedRoot = { name: "r", path, git: "open", nested: [] };
  for (const given of ["", ".", "/", "a.txt", "a/b/c"]) {
    for (const follow of [true, false]) {
      const error = assertThrows(() => resolvePath(root, given, { follow }), PaddockError);
      assertEquals(
        [error.code, error.message],
        ["NOT_FOUND", "the directory of root r has been replaced by a file"],
        given,
      );
    }
  }
});

Deno.test("childOf keeps a temporary name out of messages", () => {
  using folder = tempFolder();
  folder.write("sub/a.txt", "x");
  const root: ConfinedRoot = { name: "r", path: folder.path, git: "open", nested: [] };
  const path = childOf(resolvePath(root, "sub"), ".paddock-0a.tmp");
  assertEquals([path.given, path.relative], ["sub", "sub/.paddock-0a.tmp"]);
});
