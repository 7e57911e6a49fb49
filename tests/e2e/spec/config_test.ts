/** Starting from a config file, by the numbers of the specification. */
import { assertEquals, assertMatch } from "@std/assert";
import { HttpServer } from "../../support/http_server.ts";
import { runToEnd } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";
import { suite } from "./suite.ts";

const e2e = suite({ ownRoots: false, roots: { data: ["*"] } });

e2e("E2E-080: the server starts with a valid config, even with empty roots", async () => {
  using folder = tempFolder();
  Deno.mkdirSync(`${folder.path}/data`);
  const config = folder.write("c.yaml", 'roots: [{ name: data, path: data, allowed_tools: ["*"] }]\n');
  await using server = await HttpServer.start([`--config=${config}`]);
  const response = await fetch(`${server.url}/health`);
  assertEquals([response.status, await response.text()], [200, "ok"]);
});

/** What the server says when started with an invalid config file; it must exit with 1. */
async function mistakeIn(roots: string): Promise<string> {
  using folder = tempFolder();
  Deno.mkdirSync(`${folder.path}/data`);
  const config = folder.write("c.yaml", `roots:\n${roots}`);
  const { code, stdout, stderr } = await runToEnd([`--config=${config}`]);
  assertEquals([code, stdout], [1, ""]);
  return stderr.replaceAll(`${folder.path}/`, "");
}

e2e("E2E-081: the server does not start with two roots of the same name", async () => {
  assertMatch(
    await mistakeIn(
      "  - { name: data, path: data, allowed_tools: [read_file] }\n" +
        "  - { name: data, path: ., allowed_tools: [grep] }\n",
    ),
    /^error: c\.yaml:3: duplicate root name "data" \(first on line 2\)/,
  );
});

e2e("E2E-082: the server does not start with a missing root", async () => {
  assertMatch(
    await mistakeIn("  - { name: gone, path: gone, allowed_tools: [read_file] }\n"),
    /^error: c\.yaml:2: root "gone": path "gone" .*does not exist/,
  );
});

e2e("E2E-083: the server does not start with an unknown tool", async () => {
  assertMatch(
    await mistakeIn("  - { name: data, path: data, allowed_tools: [read_file, nonexistent_tool] }\n"),
    /^error: c\.yaml:2: root "data": unknown tool "nonexistent_tool"/,
  );
});

e2e("E2E-084: the health endpoint answers as soon as the server runs", async ({ server }) => {
  const [{ address } = {}] = await server.logged({ event: "server_starting" });
  const response = await fetch(`${address}/health`);
  assertEquals([response.status, await response.text()], [200, "ok"]);
  assertEquals((await fetch(`${address}/health`, { method: "HEAD" })).status, 200);
});
