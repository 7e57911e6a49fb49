/** What the classic surface changes is recorded under the operator's directory, and people can undo it. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { onUnix } from "../../support/needs.ts";
import { runToEnd, TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";

Deno.test(
  onUnix("paddock log, undo and restore show and undo what --classic did, narrowed or not"),
  async () => {
    using temp = tempFolder();
    temp.write("served/sub/a.txt", "one\n");
    const [served, undo] = [`${temp.path}/served`, `--undo-dir=${temp.path}/records`];
    const env = { PADDOCK_NO_UNDO: "" };
    await using server = new TestServer(["--classic", undo, served], { env });
    await server.request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: { roots: {} },
      clientInfo: { name: "agent", version: "1" },
    });
    await server.notify("notifications/initialized");
    const { id } = await server.next();
    await server.send({ jsonrpc: "2.0", id, result: { roots: [{ uri: `file://${served}/sub` }] } });
    const edits = [{ oldText: "one", newText: "two" }];
    const edited = await server.call("edit_file", { path: "a.txt", edits });
    assertEquals(Object.keys(edited.value), ["content"]); // the record is not mentioned
    await server.call("write_file", { path: `${served}/sub/b.txt`, content: "new\n" });
    await server.call("move_file", { source: "b.txt", destination: "c.txt" });
    assertEquals(temp.names().filter((name) => name.startsWith("served/")), [
      "served/",
      "served/sub/",
      "served/sub/a.txt",
      "served/sub/c.txt",
    ]);
    assertEquals(await server.end(), 0);
    const paddock = async (...args: string[]) => {
      const { code, stdout, stderr } = await runToEnd([...args, undo], { env });
      assertEquals(code, 0, stderr);
      return stdout;
    };
    const { changes } = JSON.parse(await paddock("log", served, "--json"));
    assertEquals(
      changes.map((
        { tool, client, paths }: { tool: string; client: string; paths: string[] },
      ) => [tool, client, paths]),
      [
        ["move_file", "agent", ["sub/b.txt", "sub/c.txt"]],
        ["write_file", "agent", ["sub/b.txt"]],
        ["edit_file", "agent", ["sub/a.txt"]],
      ],
    );
    await paddock("undo", served, "--last=2", "--yes");
    assertEquals([temp.read("served/sub/a.txt"), temp.names().includes("served/sub/c.txt")], [
      "two\n",
      false,
    ]);
    assertStringIncludes(await paddock("undo", served, changes[2].id, "--yes"), "a.txt");
    assertEquals(temp.read("served/sub/a.txt"), "one\n");
  },
);
