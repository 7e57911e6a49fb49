import { assert, assertEquals, assertMatch, assertStrictEquals } from "@std/assert";
import { PaddockError } from "../../../src/base/errors.ts";
import { Workspaces } from "../../../src/surfaces/workspaces/workspaces.ts";
import { tempFolder } from "../../support/temp.ts";
import { workspacesSurface } from "./setup.ts";

Deno.test("workspace_create gives every caller a different id, even at once, and skips taken ones", async () => {
  using folder = tempFolder();
  const { value } = workspacesSurface(folder.path);
  folder.write("file", "");
  Deno.symlinkSync("nowhere", `${folder.path}/link`);
  const create = async (name: string) => (await value("workspace_create", { name })).workspaceId;
  assertEquals(await create("File"), "file-2");
  assertEquals(await create("Link"), "link-2");
  const ids = await Promise.all(Array.from({ length: 5 }, () => create("Same Name")));
  assertEquals(ids.sort(), ["same-name", "same-name-2", "same-name-3", "same-name-4", "same-name-5"]);
  const long = "x".repeat(80);
  assertEquals([await create(long), await create(long)], ["x".repeat(64), `${"x".repeat(62)}-2`]);
});

Deno.test("workspace_create leaves no folder behind if the history cannot be created", async () => {
  if (Deno.build.os === "windows") return;
  using folder = tempFolder();
  // Long enough for a folder and its .git, and too long for what is in it.
  let dir = folder.path;
  while (dir.length < 3_900) dir += `/${"d".repeat(100)}`;
  dir += `/${"e".repeat(4_078 - dir.length - 1)}`;
  Deno.mkdirSync(dir, { recursive: true });
  const { failure, value } = workspacesSurface(dir);
  for (let attempt = 0; attempt < 2; attempt++) {
    assertEquals((await failure("workspace_create", { name: "w" })).code, "INVALID_INPUT");
  }
  assertEquals(Array.from(Deno.readDirSync(dir)), []);
  assertEquals((await value("workspace_list", {})).count, 0);
});

Deno.test("reading a workspace succeeds even if what is half done cannot be completed", async () => {
  using folder = tempFolder();
  const { value, failure } = workspacesSurface(folder.path);
  const { workspaceId, path } = await value("workspace_create", { name: "w" });
  const { commit } = await value("fs_write_file", { workspaceId, path: "a.txt", content: "one\n" });
  // As a killed process leaves it, and with something in the way of the next one.
  Deno.linkSync(`${path}/.git/mcp/mine`, `${path}/.git/index.lock`);
  Deno.mkdirSync(`${path}/.git/mcp/index.tmp/full`, { recursive: true });
  assertEquals((await value("fs_read_text_file", { workspaceId, path: "a.txt" })).content, "one\n");
  assertEquals((await value("fs_get_commit_history", { workspaceId })).log[0].commit, commit);
  await failure("fs_write_file", { workspaceId, path: "a.txt", content: "two\n" });
  Deno.removeSync(`${path}/.git/mcp/index.tmp`, { recursive: true });
  await value("fs_write_file", { workspaceId, path: "a.txt", content: "two\n" });
});

Deno.test("a path with half of a surrogate pair is refused, because it would name another file", async () => {
  using folder = tempFolder();
  const { value, failure } = workspacesSurface(folder.path);
  const { workspaceId, path } = await value("workspace_create", { name: "w" });
  const { code, message } = await failure("fs_write_file", { workspaceId, path: "\ud800", content: "x" });
  assertEquals([code, Deno.statSync(path).isDirectory], ["INVALID_INPUT", true]);
  assertMatch(message, /path contains a lone surrogate/);
  for (
    const [tool, args] of [
      ["fs_search_files", { path: "a\ud800", pattern: "*" }],
      ["fs_list_directory", { path: "\udfff" }],
      ["fs_restore", { path: "\ud800", commit: "HEAD" }],
      ["fs_move_file", { source: "\ud800", destination: "b" }],
    ] as const
  ) {
    assertEquals((await failure(tool, { workspaceId, ...args })).code, "INVALID_INPUT", tool);
  }
  assertEquals((await value("fs_list_directory", { workspaceId, path: "." })).count, 0);
  Deno.mkdirSync(`${folder.path}/w\ufffd/.git`, { recursive: true });
  const refused = await failure("fs_list_directory", { workspaceId: "w\ud800", path: "." });
  assertEquals(refused.code, "INVALID_INPUT");
});

Deno.test("find keeps the most recently used workspaces open, and reopens others", async () => {
  using folder = tempFolder();
  const { value } = workspacesSurface(folder.path);
  const ids = ["a", "b", "c"];
  for (const name of ids) await value("workspace_create", { name });
  const workspaces = new Workspaces(folder.path, { mostOpen: 2 });
  const historyOf = async (id: string) => (await workspaces.find(id)).history;
  const [a, b] = [await historyOf("a"), await historyOf("b")];
  assertStrictEquals(await historyOf("a"), a);
  await historyOf("c"); // b goes, which was used longest ago
  assertStrictEquals(await historyOf("a"), a);
  assert(await historyOf("b") !== b);
  Deno.renameSync(`${folder.path}/a`, `${folder.path}/gone`);
  await value("workspace_create", { name: "a" });
  assert(await historyOf("a") !== a);
  const page = await value("workspace_list", { offset: 1, limit: 2 });
  assertEquals([page.count, page.workspaces.length, page.truncated, page.nextOffset], [4, 2, true, 3]);
});

Deno.test("multi_edit_text_file accepts a workspace and a path, or an absolute path in one, and makes one commit", async () => {
  using folder = tempFolder();
  const { value, call } = workspacesSurface(folder.path);
  const { workspaceId, path } = await value("workspace_create", { name: "w" });
  await value("fs_write_file", { workspaceId, path: "a.txt", content: "one\ntwo\n" });
  const edits = [{ old_string: "one", new_string: "1" }, { old_string: "two", new_string: "2" }];
  const dry = await value("multi_edit_text_file", { workspaceId, path: "a.txt", edits, dry_run: true });
  assertEquals([dry.applied_count, dry.commit], [2, undefined]);
  const { commit } = await value("multi_edit_text_file", { path: `${path}/a.txt`, edits });
  const { log } = await value("fs_get_commit_history", { workspaceId });
  assertEquals([log.length, log[0].commit], [2, commit]);
  assertMatch(log[0].message, /^mcp\/fs\/multi_edit_text_file: Edit a\.txt\n/);
  for (const [outside, code] of [["/etc/passwd", -32002], [`${folder.path}/x/a.txt`, -32002]] as const) {
    const { rpcError } = await call("multi_edit_text_file", { path: outside, edits });
    assertEquals(rpcError?.code, code, outside);
  }
  for (const missing of [{ workspaceId, path: "missing.txt" }, { path: `${path}/missing.txt` }]) {
    const { rpcError } = await call("multi_edit_text_file", { ...missing, edits: [] });
    assertEquals([rpcError?.code, rpcError?.message], [-32600, "Edits array cannot be empty"]);
  }
  const unknown = await call("multi_edit_text_file", { workspaceId: "nope", path: "a.txt", edits });
  assertEquals(unknown.rpcError?.code, -32602);
});

Deno.test("renderError returns code, message and details as JSON text", () => {
  using folder = tempFolder();
  const { surface } = workspacesSurface(folder.path);
  const render = (error: PaddockError) => JSON.parse(surface.renderError(error).content[0].text);
  assertEquals(render(new PaddockError("NOT_FOUND", "gone")), { code: "NOT_FOUND", message: "gone" });
  const error = new PaddockError("TOO_LARGE", "big", { data: { size: 1 }, audit: { host: "/secret" } });
  assertEquals(render(error), { code: "TOO_LARGE", message: "big", details: { size: 1 } });
});

Deno.test("logFields keeps names and paths, cut, and nothing else of the arguments", () => {
  using folder = tempFolder();
  const { surface } = workspacesSurface(folder.path);
  const given = { workspaceId: "w", path: "p".repeat(2_000), content: "secret", edits: [], source: 5 };
  assertEquals(surface.logFields(given), { workspaceId: "w", path: `${"p".repeat(1_000)}…` });
  for (const odd of [undefined, null, "text", 5, []]) assertEquals(surface.logFields(odd), {});
});

Deno.test("every tool can be called by its name with a slash", () => {
  using folder = tempFolder();
  const { registry, surface } = workspacesSurface(folder.path);
  assertEquals(registry.accessOf("fs/write_file"), "write");
  assertEquals(registry.accessOf("workspace/list"), "read");
  assertEquals(registry.accessOf("fs/write/file"), undefined);
  for (const tool of surface.tools) {
    assertEquals(registry.accessOf(tool.name.replace("_", "/")) ?? "write", tool.access);
  }
});

Deno.test("fs_write_file refuses a path that names a folder", async () => {
  using folder = tempFolder();
  const { value, failure } = workspacesSurface(folder.path);
  const { workspaceId, path } = await value("workspace_create", { name: "w" });
  assertEquals(await failure("fs_write_file", { workspaceId, path: "newdir/", content: "x" }), {
    code: "INVALID_INPUT",
    message: 'path names a folder, not a file: "newdir/"; leave out the trailing slash',
  });
  assertEquals(Array.from(Deno.readDirSync(path), ({ name }) => name), [".git"]);
});
