import { assertEquals, assertStringIncludes } from "@std/assert";
import { TestServer } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

Deno.test("a list of millions as JSON text is refused at once, as one outside of a text is", async () => {
  using folder = tempFolder();
  folder.write("a.txt", "a\n");
  await using server = new TestServer([folder.path]);
  await server.initialize();
  const path = "a.txt";
  const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
  const edits = `[${"{},".repeat(3_000_000)}{}]`;
  const { error } = await server.request("tools/call", {
    name: "multi_edit_text_file",
    arguments: { root, path, edits },
  });
  assertStringIncludes(error?.message ?? "", 'edits must be a list; "[{},{},{}');
  const changes = Array.from(
    { length: 318 },
    () => ({ op: "edit", root, path, edits: edits.slice(0, 29_999) + "{}]" }),
  );
  const nested = await server.call("apply_changes", { changes: JSON.stringify(changes) });
  assertStringIncludes(nested.text, "more mistakes");
  assertEquals((await server.call("read_file", { root, path })).value.content, "a\n");
});
