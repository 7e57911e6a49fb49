/** Tools that claim that a second call changes nothing more: called twice, and checked after each call. */
import { assertEquals } from "@std/assert";
import { TestServer } from "../support/server.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

function contentsOf(folder: TempFolder): Record<string, string> {
  const names = folder.names().filter((name) => !/(^|\/)(\.git|undo)\//.test(name));
  return Object.fromEntries(names.map((name) => [name, name.endsWith("/") ? "" : folder.read(name)]));
}

async function hinted(server: TestServer): Promise<string[]> {
  const { result } = await server.request("tools/list");
  return result.tools.filter(({ annotations }: { annotations: { idempotentHint?: boolean } }) =>
    annotations.idempotentHint
  ).map(({ name }: { name: string }) => name);
}

async function assertTwiceIsOnce(
  server: TestServer,
  folder: TempFolder,
  calls: Record<string, Record<string, unknown>>,
): Promise<void> {
  assertEquals((await hinted(server)).sort(), Object.keys(calls).sort());
  for (const [name, args] of Object.entries(calls)) {
    assertEquals((await server.call(name, args)).isError, false, name);
    const once = contentsOf(folder);
    await server.call(name, args); // it may be an error that nothing is left to remove
    assertEquals(contentsOf(folder), once, name);
  }
}

Deno.test("tools of the roots surface with an idempotentHint are idempotent", async () => {
  using folder = tempFolder();
  for (const name of ["src/a.txt", "src/b.txt", "src/c/d.txt"]) folder.write(name, name);
  Deno.mkdirSync(`${folder.path}/undo`);
  const options = { env: { PADDOCK_NO_UNDO: "" } };
  await using server = new TestServer([`--undo-dir=${folder.path}/undo`, `${folder.path}/src`], options);
  await server.initialize();
  const { value: { change } } = await server.call("write_file", { root: "src", path: "b.txt", content: "1" });
  await server.call("write_file", { root: "src", path: "b.txt", content: "2" });
  await assertTwiceIsOnce(server, folder, {
    create_folder: { root: "src", path: "new/er" },
    remove_file: { root: "src", path: "a.txt" },
    remove_folder: { root: "src", path: "c" },
    restore: { root: "src", path: "b.txt", at: change },
  });
  assertEquals(folder.read("src/b.txt"), "1");
});

Deno.test("tools of the workspaces surface with an idempotentHint are idempotent", async () => {
  using folder = tempFolder();
  await using server = new TestServer([`--workspaces-root=${folder.path}`, "--transport=stdio"]);
  await server.initialize();
  const { value: { workspaceId } } = await server.call("workspace_create", { name: "one" });
  await assertTwiceIsOnce(server, folder, {
    fs_create_directory: { workspaceId, path: "new" },
    fs_write_file: { workspaceId, path: "a.txt", content: "a\n" },
  });
});
