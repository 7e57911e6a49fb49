/** Undo belongs to a directory, not to whatever has its name. */
import { assertEquals, assertExists } from "@std/assert";
import { REPOSITORY, type ServerOptions, TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";
import { type Need, needs } from "../../support/needs.ts";

const UNDO = { env: { PADDOCK_NO_UNDO: "" } };
const DENO = [Deno.execPath(), "run", "-A"];
const EPERM = "1";
const NO_LANDLOCK = [
  ...DENO,
  `${REPOSITORY}tests/support/forbid_landlock.ts`,
  EPERM,
  ...DENO,
  `${REPOSITORY}main.ts`,
];

const WAYS: [needs: Need[], name: string, options: ServerOptions][] = [
  [["Unix"], "", UNDO],
  [["Landlock", "no executable in PADDOCK_EXE"], ", even without the kernel fence", {
    ...UNDO,
    command: NO_LANDLOCK,
  }],
];

for (const [needed, where, options] of WAYS) {
  Deno.test({
    ...needs(...needed)(
      `a directory that replaces another has its own changes to undo, and keeps them${where}`,
    ),
    fn: async () => {
      using folder = tempFolder();
      const root = `${folder.path}/root`;
      const args = [`--undo-dir=${folder.path}/undo`, root];
      folder.write("root/kept.txt", "");
      const history = async (server: TestServer) =>
        JSON.parse((await server.call("history", { root: "root" })).text).changes.map((
          { summary }: { summary: string },
        ) => summary);
      {
        await using server = new TestServer(args, options);
        await server.initialize();
        const write = (path: string, content: string) =>
          server.call("write_file", { root: "root", path, content });
        await write("a.txt", "same");
        Deno.renameSync(root, `${folder.path}/first`);
        folder.write("root/a.txt", "same");
        assertEquals(await history(server), []);
        assertEquals((await server.call("undo", { root: "root" })).isError, true);
        assertEquals(folder.read("root/a.txt"), "same");
        assertExists(JSON.parse((await write("b.txt", "b")).text).change);
        assertEquals(await history(server), ["write_file b.txt"]);
        assertEquals(await server.end(), 0);
      }
      await using server = new TestServer(args, options);
      await server.initialize();
      assertEquals(await history(server), ["write_file b.txt"]);
      assertEquals(await server.end(), 0);
    },
  });
}
