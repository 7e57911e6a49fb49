/** The folders of git repositories, whatever their names, against every tool that changes something. */
import { assertEquals, assertMatch } from "@std/assert";
import { ROOTS_TOOLS } from "../../../src/surfaces/roots/surface.ts";
import { type TempFolder, tempFolder } from "../../support/temp.ts";
import { root, rootsSurface } from "./setup.ts";

type Arguments = Record<string, unknown>;

const HEAD = "ref: refs/heads/main\n";

function makeBare(folder: TempFolder, at: string): void {
  folder.write(`${at}/HEAD`, HEAD);
  folder.write(`${at}/config`, "[core]\n");
  folder.write(`${at}/objects/pack/x`, "x");
  folder.write(`${at}/refs/heads/main`, "x\n");
}

const two = (source_path: string, dest_path: string, roots = ["a", "a"]) => ({
  source_root: roots[0],
  source_path,
  dest_root: roots[1],
  dest_path,
});
const one = (path: string, more: Arguments = {}) => ({ root: "a", path, ...more });
const edits = [{ old_string: "core", new_string: "core]\nfsmonitor=x\n[x" }];

/** How each tool would change what is in `.bare`, or move it to where it could be changed. */
const CHANGES: Record<string, Arguments[]> = {
  write_file: [
    one(".bare/config", { content: "x" }),
    one(".bare/hooks/post-checkout", { content: "x" }),
    one(".bare/config", { content: "x", mode: "append" }),
    one(".bare/new", { content: "x", mode: "create_only" }),
  ],
  patch_file: [one(".bare/config", { patch: "@@ -1 +1,2 @@\n [core]\n+fsmonitor = x\n" })],
  multi_edit_text_file: [
    one(".bare/config", { edits }),
    one(".bare/config", { edits, dry_run: true }),
  ],
  edit_file: [
    one(".bare/config", { edits: [{ old_text: "core", new_text: "x" }] }),
    one(".bare/config", { edits: [{ old_text: "core", new_text: "x" }], dry_run: true }),
  ],
  create_folder: [one(".bare/hooks"), one(".bare/modules/a/b")],
  remove_file: [one(".bare/config"), one(".bare/HEAD")],
  remove_folder: [one(".bare"), one(".bare/refs"), one("holder")],
  copy: [
    two("evil.txt", ".bare/config"),
    two("evil.txt", ".bare/hooks"),
    two("evil", ".bare/hooks"),
    two(".bare", "mine"),
    two(".bare", "taken"),
    two("holder/inner.git", "mine"),
  ],
  move: [
    two("evil.txt", ".bare/config"),
    two("evil", ".bare/hooks"),
    two(".bare", "mine"),
    two(".bare/config", "mine"),
    two("holder", "mine", ["a", "b"]),
  ],
};

Deno.test("every tool that changes something leaves a repository's own folder alone", async () => {
  const changing = ROOTS_TOOLS.filter(({ access, needsUndo }) => access === "write" && !needsUndo).map((
    { name },
  ) => name);
  assertEquals(changing.toSorted(), Object.keys(CHANGES).toSorted());
  using folder = tempFolder();
  makeBare(folder, "a/.bare");
  makeBare(folder, "a/holder/inner.git");
  folder.write("a/evil.txt", "x");
  folder.write("a/evil/post-checkout", "x");
  folder.write("a/taken/file", "x");
  Deno.mkdirSync(`${folder.path}/b`);
  const { call } = rootsSurface([root("a", `${folder.path}/a`), root("b", `${folder.path}/b`)]);
  const before = folder.names();
  for (const [tool, all] of Object.entries(CHANGES)) {
    for (const args of all) {
      const answer = await call(tool, args).then(
        ({ isError, content }) => `${isError} ${content[0]?.text}`,
        (error: Error) => `true ${error.message}`, // multi_edit_text_file fails with a JSON-RPC error
      );
      assertMatch(
        answer,
        /^true .*(git repository|inner\.git", which|Permission denied)/,
        `${tool} ${JSON.stringify(args)}`,
      );
      assertEquals(folder.names(), before, `${tool} ${JSON.stringify(args)}`);
    }
  }
  assertEquals(folder.read("a/.bare/config"), "[core]\n");
  for (const [tool, args] of [["read_file", one(".bare/config")], ["list_folder", one(".bare")]] as const) {
    assertEquals((await call(tool, args)).isError, undefined, tool);
  }
});

Deno.test("no tool completes a repository piece by piece", async () => {
  using folder = tempFolder();
  const { call } = rootsSurface([root("a", folder.path)]);
  const isDone = async (tool: string, args: Arguments) => (await call(tool, args)).isError !== true;
  assertEquals(await isDone("write_file", one("p/objects/x", { content: "x" })), true);
  assertEquals(await isDone("write_file", one("p/config", { content: "[core]\nfsmonitor=x\n" })), true);
  assertEquals(await isDone("write_file", one("q/HEAD", { content: HEAD })), true);
  assertEquals(await isDone("create_folder", one("r/refs/heads")), true);
  assertEquals(await isDone("move", two("q/HEAD", "p/HEAD")), true);
  const last: [tool: string, args: Arguments][] = [
    ["create_folder", one("p/refs")],
    ["create_folder", one("p/refs/heads")],
    ["write_file", one("p/refs/heads/main", { content: "x" })],
    ["write_file", one("p/refs", { content: "x" })],
    ["patch_file", one("p/refs/x", { patch: "@@ -0,0 +1 @@\n+x\n" })],
    ["write_file", one("p/commondir", { content: "../r" })],
    ["copy", two("r/refs", "p/refs")],
    ["copy", two("r/refs", "p")],
    ["copy", two("p/config", "p/refs")],
    ["move", two("r/refs", "p/refs")],
    ["move", two("r/refs", "p")],
    ["move", two("r", "p/refs")],
  ];
  const before = folder.names();
  for (const [tool, args] of last) {
    assertEquals(await isDone(tool, args), false, `${tool} ${JSON.stringify(args)}`);
    assertEquals(folder.names(), before, `${tool} ${JSON.stringify(args)}`);
  }
});

Deno.test("copy leaves out repositories' own folders if they are protected, and counts them", async () => {
  using folder = tempFolder();
  makeBare(folder, "a/project/store.git");
  folder.write("a/project/x.txt", "x");
  const { call } = rootsSurface([root("a", `${folder.path}/a`)]);
  const { structuredContent } = await call("copy", two("project", "again"));
  assertEquals([structuredContent?.files, structuredContent?.skipped], [1, 1]);
  assertEquals(folder.names().filter((name) => name.startsWith("a/again")), ["a/again/", "a/again/x.txt"]);
  await call("move", two("project", "renamed")); // a folder that contains one can be renamed with it, as with a .git
  assertEquals(folder.names().includes("a/renamed/store.git/HEAD"), true);
});

Deno.test("a root with protect_git: false lets a repository's own folder be changed", async () => {
  using folder = tempFolder();
  makeBare(folder, ".bare");
  const { call } = rootsSurface([{ ...root("a", folder.path), protectGit: false }]);
  assertEquals((await call("write_file", one(".bare/config", { content: "new" }))).isError, undefined);
  assertEquals((await call("copy", two(".bare", "copy"))).isError, undefined);
  assertEquals((await call("remove_folder", one(".bare"))).isError, undefined);
});
