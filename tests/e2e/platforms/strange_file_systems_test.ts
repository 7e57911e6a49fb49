/**
 * Every tool that writes on file systems that Linux itself does not have: with Windows' locks, with macOS's names,
 * with ids beyond 2^53, and other peculiarities.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { needs } from "../../support/needs.ts";
import type { TestServer } from "../../support/server.ts";
import { rootsJourney, workspacesJourney } from "./journey.ts";
import { strangePlaces, type System } from "./strange_places.ts";

const LIKE: Record<System, string> = {
  ntfs: "the locks, names and ids of NTFS",
  fat: "what FAT and shares of Windows are like",
  unflushed: "nothing that can be flushed",
};

Deno.test({
  ...needs("FUSE", "a mount namespace")("the server on file systems that Linux does not have"),
  fn: async (t) => {
    await using places = await strangePlaces();
    const systems = Object.keys(LIKE) as System[];
    // Each has its own server, so they need not wait for each other.
    const inWorkspaces = new Map(systems.map((system) => {
      const journey = workspacesJourney(places.workspaces[system]);
      journey.catch(() => {}); // its step reports it
      return [system, journey];
    }));
    for (const system of systems) {
      await t.step(
        `all writing tools of the roots surface work with ${LIKE[system]}`,
        () => rootsJourney(places.roots, { root: system, undo: true }),
      );
      await t.step(
        `all writing tools of the workspaces surface work with ${LIKE[system]}`,
        () => inWorkspaces.get(system),
      );
    }
    await t.step(
      "a rename that only changes letter case is made, and can be undone, for a file and for a folder",
      () => respelled(places.roots, "letters"),
    );
    await t.step(
      "a workspace where letter case and forms of accents do not matter says so to git, and renames what only changes case",
      async () => {
        const id = await respelledInWorkspace(places.workspaces.ntfs);
        const config = await places.textOf(`work_ntfs/${id}/.git/config`);
        assertStringIncludes(config, "ignorecase = true");
        assertStringIncludes(config, "precomposeunicode = true");
      },
    );
    await t.step(
      "the server waits for a file that a virus scanner has open for a moment",
      () => scanned(places.roots, "scanner"),
    );
    await t.step(
      "a root inside another keeps its rules, in whatever letter case it is named",
      () => nestedInOtherLetters(places.roots),
    );
  },
});

function calling(server: TestServer) {
  return async (name: string, args: Record<string, unknown>) => {
    const { isError, text, value } = await server.call(name, args);
    assertEquals([isError, isError ? text : ""], [false, ""], name);
    return value;
  };
}

async function respelled(server: TestServer, root: string): Promise<void> {
  const call = calling(server);
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
  await move("dir/readme.md", "other.md");
  await call("write_file", { root, path: "dir/x.md", content: "other" });
  await move("dir/x.md", "OTHER.md"); // over the file of that name
  assertEquals(await names("."), ["OTHER.md", "dir"]);
  const git = await server.call("write_file", { root, path: "repo/.GIT/config", content: "x" });
  assert(git.isError);
}

/** Returns the workspace's id. */
async function respelledInWorkspace(server: TestServer): Promise<string> {
  const call = calling(server);
  const { workspaceId } = await call("workspace_create", { name: "W" });
  await call("fs_write_file", { workspaceId, path: "a.txt", content: "1" });
  await call("fs_move_file", { workspaceId, source: "a.txt", destination: "A.txt" });
  const listed = await server.call("fs_list_directory", { workspaceId, path: "." });
  assertStringIncludes(listed.text, "A.txt");
  return workspaceId;
}

async function scanned(server: TestServer, root: string): Promise<void> {
  const call = calling(server);
  const tools = { read_file: {}, hash_file: { algorithm: "sha256" }, write_file: { content: "y" } };
  for (const [name, more] of Object.entries(tools)) {
    const [source_path, path] = [`new_${name}.txt`, `scanned_${name}.txt`];
    await call("write_file", { root, path: source_path, content: "x" });
    await call("move", { source_root: root, source_path, dest_root: root, dest_path: path });
    await call(name, { root, path, ...more });
  }
}

/** The roots `inner` and `mid/deep` of `nested` are read-only. */
async function nestedInOtherLetters(server: TestServer): Promise<void> {
  const root = "nested";
  await calling(server)("write_file", { root, path: "own.txt", content: "x" });
  const moved = (source_path: string, dest_path: string) =>
    ["move", { source_root: root, source_path, dest_root: root, dest_path }] as const;
  const calls = ["inner", "INNER", "Mid/Deep", "mid/DEEP"].flatMap((folder) => [
    ["write_file", { root, path: `${folder}/new.txt`, content: "x" }] as const,
    ["create_folder", { root, path: `${folder}/new` }] as const,
    ["remove_folder", { root, path: folder }] as const,
    ["grep", { root, path: folder, pattern: "x" }] as const,
    moved(folder, "elsewhere"),
    moved("own.txt", `${folder}/own.txt`),
  ]);
  for (
    const [name, args] of [...calls, ["remove_folder", { root, path: "MID" }] as const, moved("MID", "m")]
  ) {
    const { isError, text } = await server.call(name, args);
    assert(isError, name);
    assertMatch(text, /not allowed on root|contains the directory of root/, name);
  }
  const names = async (path: string) =>
    (await calling(server)("list_folder", { root, path })).entries.map(({ name }: { name: string }) => name);
  assertEquals([await names("."), await names("MID"), await names("Inner")], [
    ["inner", "mid", "own.txt"],
    ["deep"],
    [],
  ]);
}
