// copy and move with nested roots: the rules of the innermost apply, whichever way it is reached.
import { assertEquals, assertRejects } from "@std/assert";
import { PaddockError } from "../../../src/base/errors.ts";
import { copy } from "../../../src/surfaces/roots/tools/copy.ts";
import { move } from "../../../src/surfaces/roots/tools/move.ts";
import { type TempFolder, tempFolder } from "../../support/temp.ts";
import { root, rootsSurface } from "./setup.ts";

/** A root with another inside it, at `keep/inner`, that is read-only. */
function nested(): TempFolder & { run(tool: typeof copy, from: string, to: string): Promise<unknown> } {
  const folder = tempFolder();
  folder.write("keep/inner/x", "kept");
  const { surface } = rootsSurface([
    root("outer", folder.path),
    root("inner", `${folder.path}/keep/inner`, ["read_file"]),
  ]);
  return {
    ...folder,
    run: async (tool, from, to) => {
      const { signal } = new AbortController();
      const context = surface.contextFor(tool, { signal, requestId: 1, client: undefined });
      const args = { source_root: "outer", source_path: from, dest_root: "outer", dest_path: to };
      return (await tool.run(args, context)).value;
    },
  };
}

Deno.test("copy and move refuse a destination in a root that does not allow them, whichever way it is reached", async (t) => {
  const cases: [string, typeof copy, string, string][] = [
    ["a folder that is merged with one around it", copy, "new/keep", ""],
    ["a link into it under the name of the source", copy, "new/link", ""],
    ["its own folder, by copy", copy, "new/link", "keep/inner"],
    ["its own folder, by move", move, "new/link", "keep/inner"],
    ["a link to its own folder", copy, "new/link", "to_inner"],
    ["it as the source", copy, "keep", "copied"],
  ];
  for (const [name, tool, from, to] of cases) {
    await t.step(name, async () => {
      using folder = nested();
      folder.write("new/keep/inner/x", "new");
      folder.write("new/link", "new");
      Deno.symlinkSync("keep/inner/x", `${folder.path}/link`);
      Deno.symlinkSync("keep/inner", `${folder.path}/to_inner`);
      const before = folder.names();
      const error = await assertRejects(() => folder.run(tool, from, to), PaddockError);
      assertEquals(error.message, `tool ${tool.name} not allowed on root inner; allowed there: read_file`);
      assertEquals([folder.names(), folder.read("keep/inner/x")], [before, "kept"]);
    });
  }
});

Deno.test("copy and move put a source into a folder at the destination, and say where", async () => {
  using folder = nested();
  folder.write("a.txt", "a");
  const [source, destination] = [{ root: "outer", path: "a.txt" }, { root: "outer", path: "keep/a.txt" }];
  const copied = { source, destination, is_directory: false, size: 1, files: 1, skipped: 0 };
  assertEquals(await folder.run(copy, "a.txt", "keep"), copied);
  folder.write("a.txt", "newer");
  assertEquals(await folder.run(move, "a.txt", "./keep/"), { source, destination });
  assertEquals(folder.names(), ["keep/", "keep/a.txt", "keep/inner/", "keep/inner/x"]);
  assertEquals(folder.read("keep/a.txt"), "newer");
});
