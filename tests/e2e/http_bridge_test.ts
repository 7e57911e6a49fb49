/** A bridge that people put between a stdio-only client and a server over HTTP. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { HttpServer } from "../support/http_server.ts";
import { TestServer } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

Deno.test("mcp-remote carries calls to the server, with a token, and the answers back", async () => {
  using folder = tempFolder();
  using home = tempFolder(); // where it keeps its data about servers
  const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
  const paths = Array.from({ length: 20 }, (_, i) => `${i}.txt`);
  for (const path of paths) folder.write(path, path);
  const token = "a-token-of-more-than-16";
  await using server = await HttpServer.start([folder.path], { env: { PADDOCK_TOKEN: token } });
  const header = `Authorization: Bearer ${token}`;
  await using bridge = new TestServer([`${server.url}/mcp`, "--allow-http", "--header", header], {
    command: [Deno.execPath(), "run", "-A", "--no-lock", "npm:mcp-remote@0.15.1"],
    env: { MCP_REMOTE_CONFIG_DIR: home.path },
    cwd: home.path,
  });
  const { result } = await bridge.initialize();
  assertEquals(result.serverInfo.name, "paddock");
  const texts = await Promise.all(
    paths.map(async (path) => (await bridge.call("read_file", { root, path })).text),
  );
  assertEquals(texts, paths);
  assertStringIncludes(
    (await bridge.call("read_file", { root, path: "../x" })).text,
    "outside root boundary",
  );
  assertEquals(await bridge.end(), 0);
});
