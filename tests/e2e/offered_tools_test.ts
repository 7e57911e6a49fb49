import { assertEquals, assertMatch } from "@std/assert";
import { runToEnd, TestServer } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

async function listed(server: TestServer): Promise<string[]> {
  const { result } = await server.request("tools/list");
  return result.tools.map(({ name }: { name: string }) => name);
}

Deno.test("only tools that some root allows are listed", async () => {
  using folder = tempFolder();
  folder.write("a/x.txt", "x");
  folder.write("b/x.txt", "x");
  const config = folder.write(
    "paddock.yaml",
    "roots:\n  - { name: a, path: a, allowed_tools: [read_file] }\n  - { name: b, path: b, allowed_tools: [grep] }\n",
  );
  await using server = new TestServer([`--config=${config}`, "--transport=stdio"]);
  await server.initialize();
  assertEquals(await listed(server), ["grep", "list_roots", "read_file"]);
  const { text, isError } = await server.call("write_file", { root: "a", path: "x.txt", content: "y" });
  assertEquals([isError, text.startsWith("tool write_file not allowed on root a")], [true, true]);
});

Deno.test("--tools selects the tools that are listed, and the others are refused", async () => {
  using folder = tempFolder();
  folder.write("x.txt", "x");
  await using server = new TestServer([folder.path, "--tools=read_file,grep"]);
  await server.initialize();
  assertEquals(await listed(server), ["grep", "read_file"]);
  const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
  assertEquals((await server.call("read_file", { root, path: "x.txt" })).text, "x");
  const { text, isError } = await server.call("remove_file", { root, path: "x.txt" });
  assertEquals(isError, true);
  assertMatch(text, /^remove_file is not offered here \(--tools\); offered: grep, read_file/);
  assertEquals((await server.call("list_roots", {})).isError, false);
});

Deno.test("--tools lists the existing tools when one is unknown, on every surface", async () => {
  using folder = tempFolder();
  const cases: [args: string[], message: RegExp][] = [
    [
      [folder.path, "--tools=read_fil"],
      /"read_fil", which is not a tool \(did you mean read_file\?\); allowed: list_roots,/,
    ],
    [[folder.path, "--tools=read/file"], /"read\/file", which is not a tool \(did you mean read_file\?\)/],
    [
      [`--dir=${folder.path}`, "--tools=grep"],
      /"grep", which is not a tool.*; allowed: edit_file, list_files, read_file/,
    ],
    [
      [`--workspaces-root=${folder.path}`, "--transport=stdio", "--tools=fs/diff,grep"],
      /"grep", which is not a tool.*; allowed: fs_apply, fs_copy_file,/,
    ],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await runToEnd(args);
    assertEquals(code, 1);
    assertMatch(stderr, message);
  }
});
