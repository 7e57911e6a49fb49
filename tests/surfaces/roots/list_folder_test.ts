import { assert, assertEquals } from "@std/assert";
import { needs } from "../../support/needs.ts";
import { tempFolder } from "../../support/temp.ts";
import { root, rootsSurface } from "./setup.ts";

Deno.test({
  ...needs("Linux", "basic tools")(
    "list_folder counts names that are not valid UTF-8, and says nothing if there are none",
  ),
  async fn() {
    using folder = tempFolder();
    folder.write("dir/ok.txt", "x");
    const { call } = rootsSurface([root("r", folder.path)]);
    const list = async () => (await call("list_folder", { root: "r", path: "dir" })).structuredContent;
    const plain = await list();
    assertEquals([plain?.count, plain?.unnamed], [1, undefined]);
    const script = `echo x > "$(printf '\\377')" && mkdir "$(printf 'a\\376')"`;
    assert(new Deno.Command("sh", { args: ["-c", script], cwd: `${folder.path}/dir` }).outputSync().success);
    const odd = await list();
    assertEquals([odd?.count, odd?.unnamed], [1, 2]);
  },
});
