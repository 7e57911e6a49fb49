/** What a first start fetches: the packages of the server, and none that only tests use. */
import { assertEquals } from "@std/assert";
import { cpSync } from "node:fs";
import { MAIN, REPOSITORY, TestServer } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

const SERVERS_PACKAGES = [
  "@modelcontextprotocol/core",
  "@modelcontextprotocol/server",
  "deno-std",
  "jsonc-parser",
  "node-diff3",
  "yaml",
  "zod",
];

/** A cache for Deno that has these packages of its present one, and no other. */
async function cacheWith(packages: readonly string[], folder: string): Promise<void> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { npmCache } = JSON.parse(new TextDecoder().decode(stdout));
  for (const { name: registry } of Deno.readDirSync(npmCache)) {
    for (const name of packages) {
      // Copies, because Deno takes a package behind a link for one that it has not prepared.
      cpSync(`${npmCache}/${registry}/${name}`, `${folder}/npm/${registry}/${name}`, { recursive: true });
    }
  }
}

const COMMAND = [Deno.execPath(), "run", "-A", "--cached-only", "--frozen", MAIN];

Deno.test("the server starts and lists its tools where only its own packages can be had", async () => {
  using cache = tempFolder();
  using folder = tempFolder();
  await cacheWith(SERVERS_PACKAGES, cache.path);
  await using server = new TestServer([folder.path], { command: COMMAND, env: { DENO_DIR: cache.path } });
  await server.initialize();
  const { result } = await server.request("tools/list");
  assertEquals(result.tools.length, 16);
});

Deno.test("deno.lock has the packages of the server, which is what a start fetches, and no other", () => {
  const { npm } = JSON.parse(Deno.readTextFileSync(`${REPOSITORY}deno.lock`));
  const names = Object.keys(npm).map((id) => id.slice(0, id.indexOf("@", 1)));
  const hint = "a run without --lock=tests/deno.lock has added packages of tests: git checkout deno.lock";
  assertEquals(names.toSorted(), SERVERS_PACKAGES, hint);
});
