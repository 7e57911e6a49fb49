/** Stores on separate file systems, in the real process: a full one, a read-only one, and one other than the root's. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { needs } from "../../support/needs.ts";
import { seeded } from "../../support/random.ts";
import { TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";

const inNamespace = needs("a mount namespace");

/** A server of `project`, whose undo folder `mount` prepares, in a separate namespace. */
function server(base: string, mount: string): TestServer {
  const inner = `${mount} && exec "$@"`;
  const args = [`${base}/project`, `--undo-dir=${base}/undo`];
  return new TestServer(args, { shell: `exec unshare -rm sh -c '${inner}' sh $SERVER` });
}

const at = (path: string, more: Record<string, unknown> = {}) => ({ root: "project", path, ...more });

Deno.test({
  ...inNamespace("with a full store, changes are made and say that they cannot be undone"),
  fn: async () => {
    using base = tempFolder();
    base.write("project/a.txt", "one");
    Deno.mkdirSync(`${base.path}/undo`);
    await using tool = server(base.path, `mount -t tmpfs -o size=300k tmpfs ${base.path}/undo`);
    await tool.initialize();
    const random = seeded(3);
    const notes: string[] = [];
    for (let i = 0; i < 20; i++) {
      const content = Array.from({ length: 3_000 }, () => random.below(36).toString(36)).join("").repeat(10);
      const { isError, value } = await tool.call("write_file", at("a.txt", { content: `${i}${content}` }));
      assertEquals([isError, base.read("project/a.txt").length > 1], [false, true]);
      if (value.undoable === false) notes.push(value.undo_note);
    }
    assertMatch(notes.join("\n"), /no disk space/);
  },
});

Deno.test({
  ...inNamespace("with a store on a read-only file system, the server runs and says so"),
  fn: async () => {
    using base = tempFolder();
    base.write("project/a.txt", "one");
    Deno.mkdirSync(`${base.path}/undo`);
    await using tool = server(base.path, `mount -t tmpfs -o ro tmpfs ${base.path}/undo`);
    await tool.initialize();
    const [root] = (await tool.call("list_roots")).value.roots;
    assertEquals([root.undo, /read-only/.test(root.undo_note)], [false, true]);
    assertEquals((await tool.call("write_file", at("a.txt", { content: "two" }))).isError, false);
  },
});

Deno.test({
  ...inNamespace(
    "no tool reaches a store that is mounted into its root, whether its own or another project's",
  ),
  fn: async () => {
    using base = tempFolder();
    base.write("project/a.txt", "one");
    base.write("undo/others-1-1/undo.db", "secret");
    Deno.mkdirSync(`${base.path}/project/alias`);
    await using tool = server(base.path, `mount --bind ${base.path}/undo ${base.path}/project/alias`);
    await tool.initialize();
    assertEquals((await tool.call("write_file", at("a.txt", { content: "two" }))).isError, false);
    for (const path of ["alias", "alias/others-1-1", "alias/others-1-1/undo.db"]) {
      for (const name of ["read_file", "list_folder", "stat_file", "remove_file"]) {
        const { isError, text } = await tool.call(name, at(path));
        assertEquals([isError, /undo store/.test(text)], [true, true], `${name} ${path}: ${text}`);
      }
    }
    const found = await tool.call("grep", { root: "project", pattern: "secret" });
    assertEquals([found.isError, found.value?.total_matches], [false, 0]);
  },
});

Deno.test({
  ...inNamespace("with a store on another file system, files and folders are restored by copying"),
  fn: async () => {
    using base = tempFolder();
    for (let i = 0; i < 30; i++) base.write(`project/d/e${i % 3}/f${i}.txt`, `file ${i}\n`);
    base.write("project/large.bin", new Uint8Array(2 * 1024 * 1024).fill(65));
    Deno.mkdirSync(`${base.path}/undo`);
    const before = base.names();
    await using tool = server(base.path, `mount -t tmpfs tmpfs ${base.path}/undo`);
    await tool.initialize();
    for (const [name, args] of [["remove_folder", at("d")], ["remove_file", at("large.bin")]] as const) {
      const { isError, value } = await tool.call(name, args);
      assertEquals([isError, value.undoable], [false, undefined]);
      assert(value.change !== undefined);
    }
    const { isError, text } = await tool.call("undo", { root: "project", count: 2 });
    assertEquals([isError, isError ? text : ""], [false, ""]);
    assertEquals(base.names(), before);
    assertEquals(base.read("project/d/e2/f29.txt"), "file 29\n");
  },
});

Deno.test({
  ...needs("an overlay mount", "Landlock")(
    "a root whose birth time changes with its first change keeps its store",
  ),
  fn: async () => {
    using base = tempFolder();
    base.write("lower/project/a.txt", "one");
    for (const made of ["upper", "work", "m", "undo"]) Deno.mkdirSync(`${base.path}/${made}`);
    const [dir, mount] = [base.path, `${base.path}/m`];
    const overlay =
      `mount -t overlay -o lowerdir=${dir}/lower,upperdir=${dir}/upper,workdir=${dir}/work overlay`;
    const inner = `${overlay} ${mount} && exec "$@"`;
    await using tool = new TestServer([`${mount}/project`, `--undo-dir=${dir}/undo`], {
      shell: `exec unshare -rm sh -c '${inner}' sh $SERVER`,
    });
    await tool.initialize();
    for (const content of ["two", "three"]) await tool.call("write_file", at("a.txt", { content }));
    const { changes } = (await tool.call("history", { root: "project" })).value;
    assertEquals([changes.length, /directories_reopened/.test(tool.log)], [2, false]);
    assertEquals(await tool.end(), 0);
    Deno.chmodSync(`${dir}/work/work`, 0o700); // so that it can be inspected and removed
  },
});

Deno.test({
  ...inNamespace(
    "with a store on another file system, apply_changes moves folders file by file and refuses links",
  ),
  fn: async () => {
    using base = tempFolder();
    for (const path of ["folder/deep/a.txt", "folder/b.txt", "c.txt"]) base.write(`project/${path}`, path);
    base.write("project/large.bin", "x".repeat(2_000_000));
    Deno.symlinkSync("c.txt", `${base.path}/project/link`);
    Deno.mkdirSync(`${base.path}/undo`);
    await using tool = server(base.path, `mount -t tmpfs tmpfs ${base.path}/undo`);
    await tool.initialize();
    const apply = (changes: Record<string, unknown>[]) =>
      tool.call("apply_changes", { root: "project", changes });
    const before = base.names();
    const refused = await apply([{ op: "delete", path: "folder" }, { op: "delete", path: "link" }]);
    assertMatch(
      refused.text,
      /"link" cannot be moved to the undo store, which is on another file system; nothing/,
    );
    assertEquals(base.names(), before);
    const { isError, value } = await apply([
      { op: "move", source: "folder/b.txt", destination: "b.txt" },
      { op: "delete", path: "folder" },
      { op: "delete", path: "large.bin" },
    ]);
    assertEquals(isError, false);
    assert(!base.names().some((name) => name.startsWith("project/folder")));
    await tool.call("undo", { root: "project", id: value.change });
    assertEquals(base.names(), before);
    assertEquals(base.read("project/folder/deep/a.txt"), "folder/deep/a.txt");
  },
});
