/** The config file that comes with the program, its JSON Schema, and roots that disappear while it runs. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv-provider.js";
import { parse } from "yaml";
import { SessionClient } from "../support/http_client.ts";
import { HttpServer } from "../support/http_server.ts";
import { linesOf } from "../support/run_log.ts";
import { REPOSITORY } from "../support/server.ts";
import { RootsFixture } from "./roots_fixture.ts";

const EXAMPLE = `${REPOSITORY}config/paddock.example.yaml`;

Deno.test("config/paddock.example.yaml loads and serves", async () => {
  await using server = await HttpServer.start([`--config=${EXAMPLE}`]);
  const client = await SessionClient.begin(server.url);
  const { value } = await client.call("list_roots");
  assertEquals(value.roots.map(({ name }: { name: string }) => name), ["workspace", "docs"]);
  assertEquals(value.roots[0].allowed_tools.length, 18);
  const config = await client.call("read_file", {
    root: "workspace",
    path: "config/paddock.example.yaml",
  });
  assertEquals(config.text, Deno.readTextFileSync(EXAMPLE));
  const page = await client.call("grep", { root: "docs", pattern: "^# ", glob_filter: "roots.md" });
  assertEquals(page.value.matches.length, 1);
  const refused = await client.call("write_file", { root: "docs", path: "x", content: "" });
  assertStringIncludes(refused.text, "tool write_file not allowed on root docs");
});

/** How docs/config.schema.json judges a config file, as an editor would use it. */
function judge(text: string): { valid: boolean; errorMessage: string | undefined } {
  const schema = JSON.parse(Deno.readTextFileSync(`${REPOSITORY}docs/config.schema.json`));
  return new AjvJsonSchemaValidator().getValidator(schema)(parse(text));
}

Deno.test("docs/config.schema.json accepts the example, and refuses it with a mistake in it", async (t) => {
  const example = Deno.readTextFileSync(EXAMPLE);
  assertEquals(judge(example).errorMessage, undefined);
  const mistakes: [what: string, from: string, to: string, told: string][] = [
    ["a misspelt key", "max_full_read_size:", "max_full_red_size:", "additional properties"],
    ["a misspelt key of a root", "allowed_tools:", "alowed_tools:", "allowed_tools"],
    ["a port that is not a number", "port: 8091", "port: high", "port"],
    ["a root without a path", "    path: ../docs\n", "", "path"],
    ["a name that is not allowed", "name: docs", "name: ../docs", "name"],
    ["an empty list of tools", '["*"]', "[]", "allowed_tools"],
  ];
  for (const [what, from, to, told] of mistakes) {
    await t.step(what, () => {
      assert(example.includes(from), from);
      const { valid, errorMessage = "" } = judge(example.replace(from, to));
      assertEquals(valid, false);
      assertStringIncludes(errorMessage, told);
    });
  }
  await t.step("no roots", () => assertEquals(judge("roots: []").valid, false));
});

Deno.test("a root that disappears while the server runs fails only its own calls, and may come back", async () => {
  await using roots = await RootsFixture.start([
    { name: "lost", path: "lost", tools: ["*"] },
    { name: "kept", path: "kept", tools: ["*"] },
  ], {
    transport: "http",
    prepare: (folder) => folder.write("kept/a.txt", "kept"),
  });
  const lost = `${roots.folder.path}/lost`;
  roots.folder.write("lost/a.txt", "lost");
  assertEquals(await roots.text("read_file", { root: "lost", path: "a.txt" }), "lost");
  Deno.removeSync(lost, { recursive: true });

  const gone = "the directory of root lost is no longer there";
  const calls: [tool: string, rest: Record<string, unknown>][] = [
    ["list_folder", { path: "." }],
    ["read_file", { path: "a.txt" }],
    ["stat_file", { path: "." }],
    ["stat_file", { path: "a.txt" }],
    ["permissions_file", { path: "." }],
    ["hash_file", { path: "a.txt", algorithm: "md5" }],
    ["write_file", { path: "b.txt", content: "x" }],
    ["write_file", { path: "deep/b.txt", content: "x" }],
    ["patch_file", { path: "b.txt", patch: "@@ -0,0 +1 @@\n+x\n" }],
    ["create_folder", { path: "folder" }],
    ["remove_file", { path: "a.txt" }],
    ["remove_folder", { path: "folder" }],
    ["grep", { pattern: "x" }],
    ["glob", { pattern: "*" }],
  ];
  for (const [tool, rest] of calls) {
    const message = await roots.refused(tool, { root: "lost", ...rest });
    assertStringIncludes(message, `${gone} (root: lost`, tool);
  }
  for (const tool of ["copy", "move"]) {
    for (const [from, to] of [["lost", "kept"], ["kept", "lost"]]) {
      const args = { source_root: from, source_path: "a.txt", dest_root: to, dest_path: "c.txt" };
      assertStringIncludes(await roots.refused(tool, args), gone);
    }
  }
  assertEquals(await roots.text("read_file", { root: "kept", path: "a.txt" }), "kept");
  assertEquals(roots.folder.names(), ["kept/", "kept/a.txt", "paddock.yaml"]);
  assertEquals((await roots.ok("list_roots")).roots.length, 2);
  assertEquals(linesOf(roots.server.log, "tool_error"), []);

  roots.folder.write("lost/a.txt", "found");
  assertEquals(await roots.text("read_file", { root: "lost", path: "a.txt" }), "found");
});
