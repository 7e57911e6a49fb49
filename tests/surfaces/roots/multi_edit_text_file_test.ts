import { assertEquals } from "@std/assert";
import { tempFolder } from "../../support/temp.ts";
import { root, rootsSurface } from "./setup.ts";

const EDITS = [{ old_string: "x", new_string: "y" }];

Deno.test("multi_edit_text_file obeys the innermost root of an absolute path, and the roots it is reached through", async () => {
  using folder = tempFolder();
  for (const name of ["a/f.txt", "a/inner/f.txt", "a/open/f.txt", "closed/f.txt"]) folder.write(name, "x");
  const at = (name: string) => `${folder.path}/${name}`;
  const { call } = rootsSurface([
    root("a", at("a")),
    root("inner", at("a/inner"), ["read_file"]),
    root("closed", at("closed"), ["read_file", "write_file"]),
    root("open", at("a/open"), ["multi_edit_text_file"]),
  ]);
  const CASES: [args: Record<string, unknown>, code: number | undefined, reason?: string][] = [
    [{ path: at("a/f.txt") }, undefined],
    [{ path: at("a/open/f.txt") }, undefined],
    [{ path: at("a/inner/f.txt") }, -32002, "tool multi_edit_text_file not allowed on root inner"],
    [{ root: "a", path: "inner/f.txt" }, -32002, "tool multi_edit_text_file not allowed on root inner"],
    [{ path: at("closed/f.txt") }, -32002, "tool multi_edit_text_file not allowed on root closed"],
    [{ path: at("closed/missing.txt") }, -32002, "tool multi_edit_text_file not allowed on root closed"],
    [{ root: "a", path: at("closed/f.txt") }, -32002, "path resolves outside root boundary"],
    [{ root: "nobody", path: "f.txt" }, -32602],
    [{ root: "a", path: "f.txt", expected_hash: "abc" }, -32602],
  ];
  for (const [args, code, reason] of CASES) {
    const { rpcError, isError } = await call("multi_edit_text_file", { ...args, edits: EDITS });
    assertEquals([rpcError?.code, isError ?? false], [code, code !== undefined], rpcError?.message);
    if (reason === undefined) continue;
    assertEquals(rpcError?.message, `Permission denied: ${args.path}`);
    assertEquals(String(rpcError?.data?.reason).startsWith(reason), true, String(rpcError?.data?.reason));
  }
  assertEquals(["a/f.txt", "a/inner/f.txt", "a/open/f.txt", "closed/f.txt"].map(folder.read), [
    "y",
    "x",
    "y",
    "x",
  ]);
});

Deno.test("multi_edit_text_file is not allowed when the server is read-only", async () => {
  using folder = tempFolder();
  const path = folder.write("f.txt", "x");
  const { call } = rootsSurface([root("r", folder.path)], { readOnly: true });
  for (const args of [{ path }, { root: "r", path: "f.txt" }, { path, dry_run: true }]) {
    assertEquals((await call("multi_edit_text_file", { ...args, edits: EDITS })).rpcError?.code, -32002);
  }
  assertEquals(folder.read("f.txt"), "x");
});

for (const tool of ["write_file", "patch_file"]) {
  Deno.test(`${tool} refuses a content other than the expected one, with a message for the model`, async () => {
    using folder = tempFolder();
    folder.write("f.txt", "x\n");
    const { call } = rootsSurface([root("r", folder.path)]);
    const args = { root: "r", path: "f.txt", content: "y\n", patch: "@@ -1 +1 @@\n-x\n+y\n" };
    const { content, patch, ...rest } = args;
    const change = (expected_hash: string) =>
      call(tool, { ...rest, ...(tool === "write_file" ? { content } : { patch }), expected_hash });
    const read = await call("read_file", rest);
    const refused = await change("0".repeat(64));
    const [text] = refused.content;
    assertEquals([refused.isError, folder.read("f.txt")], [true, "x\n"]);
    assertEquals(text?.text.includes(`its hash is now ${read.structuredContent?.hash}, 2 bytes`), true);
    const first = await change(String(read.structuredContent?.hash));
    assertEquals([first.isError ?? false, folder.read("f.txt")], [false, "y\n"]);
    assertEquals((await call("read_file", rest)).structuredContent?.hash, first.structuredContent?.hash);
    const bad = await change("xyz");
    assertEquals(bad.content[0]?.text.startsWith("expected_hash must be a sha256"), true);
  });
}

Deno.test("write_file accepts no expected_hash for a file that must be new", async () => {
  using folder = tempFolder();
  const { call } = rootsSurface([root("r", folder.path)]);
  const args = { root: "r", path: "f.txt", content: "", mode: "create_only", expected_hash: "0".repeat(64) };
  const { isError, content } = await call("write_file", args);
  assertEquals([isError, content[0]?.text.includes("give one of the two")], [true, true]);
  assertEquals(folder.names(), []);
});

Deno.test("multi_edit_text_file refuses an empty list of edits before it looks at the file", async () => {
  using folder = tempFolder();
  const { call } = rootsSurface([root("r", folder.path)]);
  for (const where of [{ root: "r", path: "missing.txt" }, { path: `${folder.path}/missing.txt` }]) {
    const { rpcError } = await call("multi_edit_text_file", { ...where, edits: [] });
    assertEquals([rpcError?.code, rpcError?.message], [-32600, "Edits array cannot be empty"]);
  }
});
