/**
 * Files of workspaces as resources: by the workspace's id, reported when a commit changes them, and never git's own.
 */
import { assertEquals } from "@std/assert";
import { eventually } from "../../support/http_server.ts";
import { TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";

Deno.test("files of workspaces are listed, read, completed and reported, without .git and without a way out", async () => {
  using folder = tempFolder();
  folder.write("outside.txt", "outside");
  await using server = new TestServer([`--workspaces-root=${folder.path}`, "--transport=stdio"]);
  await server.initialize("2025-11-25");
  await server.call("workspace_create", { name: "one" });
  const write = (content: string) =>
    server.call("fs_write_file", { workspaceId: "one", path: "src/a.txt", content });
  await write("a\n");
  const uri = "paddock://one/src/a.txt";
  const listed = (await server.request("resources/list")).result.resources;
  assertEquals(listed.map((each: { uri: string }) => each.uri).filter((each: string) => each === uri), [uri]);
  assertEquals(listed.some((each: { uri: string }) => each.uri.includes(".git/")), false);
  assertEquals((await server.request("resources/read", { uri })).result.contents[0].text, "a\n");
  const ref = { type: "ref/resource", uri: "paddock://{root}/{+path}" };
  const complete = async (name: string, value: string) =>
    (await server.request("completion/complete", { ref, argument: { name, value } })).result.completion
      .values;
  assertEquals([await complete("root", "o"), await complete("path", "s")], [["one"], ["src/"]]);
  assertEquals(await complete("path", ".git/"), []);
  for (
    const path of [".git/config", ".GIT/config", "src/../.git/config", "../outside.txt", "%2e%2e/outside.txt"]
  ) {
    for (const method of ["resources/read", "resources/subscribe"]) {
      const { error } = await server.request(method, { uri: `paddock://one/${path}` });
      assertEquals(typeof error?.code, "number", `${method} ${path}`);
    }
  }
  assertEquals(
    typeof (await server.request("resources/read", { uri: "paddock://../outside.txt" })).error?.code,
    "number",
  );
  await server.request("resources/subscribe", { uri });
  await write("b\n");
  const heard = () => server.lines.filter((line) => line.includes("notifications/resources/updated"));
  const [notice = "{}"] = await eventually(heard, (lines) => lines.length > 0);
  assertEquals(JSON.parse(notice).params, { uri });
});
