import { assertEquals } from "@std/assert";
import { TestServer } from "./server.ts";
import { tempFolder } from "./temp.ts";

Deno.test("TestServer talks to the real process", async () => {
  using folder = tempFolder();
  folder.write("a.txt", "hello\n");
  await using server = new TestServer([folder.path]);
  const { result } = await server.initialize();
  assertEquals(result.serverInfo.name, "paddock");
  const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
  assertEquals((await server.call("read_file", { root, path: "a.txt" })).text, "hello\n");
  assertEquals(await server.end(), 0);
});
