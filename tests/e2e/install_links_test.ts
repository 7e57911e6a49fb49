/** The README's links that install the server with one click: what an editor reads from them. */
import { assert, assertEquals } from "@std/assert";
import { LINKED_SERVER } from "../../docs/install_links.ts";
import { VERSION } from "../../src/base/version.ts";
import { REPOSITORY, TestServer } from "../support/server.ts";
import { MAIN } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

const README = Deno.readTextFileSync(`${REPOSITORY}README.md`);

function linkTo(host: string): URL {
  const found = [...README.matchAll(/\]\((https:\/\/[^)\s]+)\)/g)].map(([, url = ""]) => URL.parse(url))
    .find((url) => url?.host === host && url.searchParams.has("config"));
  assert(found, `the README has no link to ${host}`);
  return found;
}

Deno.test("the README's link for Cursor contains a name and, as base64, the server", () => {
  const { pathname, searchParams } = linkTo("cursor.com");
  assertEquals([pathname, searchParams.get("name")], ["/en/install-mcp", "paddock"]);
  const config = Uint8Array.fromBase64(searchParams.get("config") ?? "");
  assertEquals(JSON.parse(new TextDecoder().decode(config)), LINKED_SERVER);
});

Deno.test("the README's link for VS Code contains a name and, as JSON, the server", () => {
  const { pathname, searchParams } = linkTo("insiders.vscode.dev");
  assertEquals([pathname, searchParams.get("name")], ["/redirect/mcp/install", "paddock"]);
  assertEquals(JSON.parse(searchParams.get("config") ?? ""), { type: "stdio", ...LINKED_SERVER });
});

Deno.test("the links install this version, and work with this source instead of the package", async () => {
  using folder = tempFolder();
  folder.write("a.txt", "a");
  const { args } = LINKED_SERVER;
  const at = args.indexOf(`jsr:@paddock/paddock@${VERSION}`);
  assert(at > 0 && args.includes("--unstable-worker-options"));
  const run = args.with(at, MAIN).map((arg) => arg === "${workspaceFolder}" ? folder.path : arg)
    .slice(args.indexOf("run"));
  await using server = new TestServer(run, { command: [Deno.execPath()] });
  await server.initialize();
  const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
  assertEquals((await server.call("read_file", { root, path: "a.txt" })).text, "a");
});
