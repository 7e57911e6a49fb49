/**
 * Every tool that writes on file systems that Linux itself does not have: with the locks of Windows, with the names of
 * macOS, with ids beyond 2^53, and what else others are like.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { needs } from "../../support/needs.ts";
import { serverCommand, TestServer } from "../../support/server.ts";
import { onStrangeFs } from "../../support/strange_fs/mount.ts";
import { type Traits } from "../../support/strange_fs/traits.ts";
import { tempFolder } from "../../support/temp.ts";
import { rootsJourney, workspacesJourney } from "./journey.ts";

const onFuse = needs("FUSE", "a mount namespace");

const SYSTEMS: Record<string, Traits> = {
  "the locks, names and ids of NTFS": { mandatoryLocks: true, foldsCase: true, largeIds: true },
  "what FAT and shares of Windows are like": {
    mandatoryLocks: true,
    foldsCase: true,
    keepsOpenFiles: true,
    noHardLinks: true,
  },
  "nothing that can be flushed": { noSync: true },
};

for (const [name, traits] of Object.entries(SYSTEMS)) {
  Deno.test({
    ...onFuse(`all writing tools of the roots surface work with ${name}`),
    fn: async () => {
      using base = tempFolder();
      Deno.mkdirSync(`${base.path}/mnt`);
      const command = [...onStrangeFs(traits, `${base.path}/mnt`), ...serverCommand([])];
      await using server = new TestServer([`${base.path}/mnt`, `--undo-dir=${base.path}/undo`], { command });
      await server.initialize();
      await rootsJourney(server, { root: "mnt", undo: true });
    },
  });

  Deno.test({
    ...onFuse(`all writing tools of the workspaces surface work with ${name}`),
    fn: async () => {
      using base = tempFolder();
      Deno.mkdirSync(`${base.path}/mnt`);
      const command = [...onStrangeFs(traits, `${base.path}/mnt`), ...serverCommand([])];
      await using server = new TestServer(["--transport=stdio", `--workspaces-root=${base.path}/mnt`], {
        command,
      });
      await server.initialize();
      await workspacesJourney(server);
    },
  });
}

Deno.test({
  ...onFuse("a rename that only changes letter case happens, and can be undone, for a file and for a folder"),
  fn: async () => {
    using base = tempFolder();
    Deno.mkdirSync(`${base.path}/mnt`);
    const command = [
      ...onStrangeFs({ foldsCase: true, largeIds: true }, `${base.path}/mnt`),
      ...serverCommand([]),
    ];
    await using server = new TestServer([`${base.path}/mnt`, `--undo-dir=${base.path}/undo`], { command });
    await server.initialize();
    const call = async (name: string, args: Record<string, unknown>) => {
      const { isError, text, value } = await server.call(name, args);
      assertEquals([isError, isError ? text : ""], [false, ""], name);
      return value;
    };
    const root = "mnt";
    const move = (source_path: string, dest_path: string) =>
      call("move", { source_root: root, source_path, dest_root: root, dest_path });
    const names = async (path: string) =>
      (await call("list_folder", { root, path })).entries.map(({ name }: { name: string }) => name);
    await call("write_file", { root, path: "dir/readme.md", content: "one\n" });
    await move("dir/readme.md", "dir/README.md");
    await move("dir", "Dir");
    await call("write_file", { root, path: "caf\u00e9.txt", content: "x" });
    await move("caf\u00e9.txt", "cafe\u0301.txt");
    assertEquals([await names("."), await names("DIR")], [["Dir", "cafe\u0301.txt"], ["README.md"]]);
    assertEquals((await call("read_file", { root, path: "dir/readme.MD" })).content, "one\n");
    await call("undo", { root, count: 1 });
    assertEquals(await names("."), ["Dir", "caf\u00e9.txt"]);
    await call("undo", { root, count: 2 }); // the file that was written, and the folder's name
    assertEquals([await names("."), await names("dir")], [["dir"], ["README.md"]]);
    await call("undo", { root, count: 1 });
    assertEquals(await names("dir"), ["readme.md"]);
    await call("move", {
      source_root: root,
      source_path: "dir/readme.md",
      dest_root: root,
      dest_path: "other.md",
    });
    await call("write_file", { root, path: "dir/x.md", content: "other" });
    await move("dir/x.md", "OTHER.md"); // over the file of that name
    assertEquals(await names("."), ["OTHER.md", "dir"]);
    const git = await server.call("write_file", { root, path: "repo/.GIT/config", content: "x" });
    assert(git.isError);
  },
});

Deno.test({
  ...onFuse(
    "a workspace on a file system without capitals says so to git, and renames what only changes case",
  ),
  fn: async () => {
    using base = tempFolder();
    Deno.mkdirSync(`${base.path}/mnt`);
    const command = [...onStrangeFs({ foldsCase: true }, `${base.path}/mnt`), ...serverCommand([])];
    const args = ["--transport=stdio", `--workspaces-root=${base.path}/mnt`];
    await using server = new TestServer(args, { command });
    await server.initialize();
    const { workspaceId } = (await server.call("workspace_create", { name: "W" })).value;
    await server.call("fs_write_file", { workspaceId, path: "a.txt", content: "1" });
    const moved = await server.call("fs_move_file", { workspaceId, source: "a.txt", destination: "A.txt" });
    assertEquals([moved.isError, moved.isError ? moved.text : ""], [false, ""]);
    const listed = await server.call("fs_list_directory", { workspaceId, path: "." });
    assertStringIncludes(listed.text, "A.txt");
  },
});

Deno.test({
  ...onFuse("a file that a virus scanner has open for a moment is waited for"),
  fn: async () => {
    using base = tempFolder();
    Deno.mkdirSync(`${base.path}/mnt`);
    const command = [...onStrangeFs({ scans: 3 }, `${base.path}/mnt`), ...serverCommand([])];
    await using server = new TestServer([`${base.path}/mnt`], { command });
    await server.initialize();
    const root = "mnt";
    for (const [i, name] of ["read_file", "hash_file", "write_file"].entries()) {
      const path = `scanned${i}.txt`;
      await server.call("write_file", { root, path: `new${i}.txt`, content: "x" });
      await server.call("move", {
        source_root: root,
        source_path: `new${i}.txt`,
        dest_root: root,
        dest_path: path,
      });
      const more = name === "hash_file"
        ? { algorithm: "sha256" }
        : name === "write_file"
        ? { content: "y" }
        : {};
      const { isError, text } = await server.call(name, { root, path, ...more });
      assertEquals([isError, isError ? text : ""], [false, ""], name);
    }
  },
});
