/** What a first start downloads: the packages of the server, and none that only tests use. */
import { assertEquals } from "@std/assert";
import { cacheWith, SERVERS_PACKAGES } from "../support/deno_cache.ts";
import { MAIN, REPOSITORY, TestServer } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

const COMMAND = [Deno.execPath(), "run", "-A", "--cached-only", "--frozen", MAIN];

Deno.test("the server starts and lists its tools where only its own packages are available", async () => {
  using cache = tempFolder();
  using folder = tempFolder();
  await cacheWith(SERVERS_PACKAGES, cache.path);
  await using server = new TestServer([folder.path], { command: COMMAND, env: { DENO_DIR: cache.path } });
  await server.initialize();
  const { result } = await server.request("tools/list");
  assertEquals(result.tools.length, 19);
});

Deno.test("deno.lock has the packages of the server, which is what a start downloads, and no others", () => {
  const { npm } = JSON.parse(Deno.readTextFileSync(`${REPOSITORY}deno.lock`));
  const names = Object.keys(npm).map((id) => id.slice(0, id.indexOf("@", 1)));
  const hint = "a run without --lock=tests/deno.lock has added packages of tests: git checkout deno.lock";
  assertEquals(names.toSorted(), SERVERS_PACKAGES, hint);
});
