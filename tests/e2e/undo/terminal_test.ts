/** As a new user would try it: an agent wrecks a small project, and the command line restores it. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { runToEnd, TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";
import { treeOf } from "../../engine/undo/sequences.ts";

Deno.test("paddock log and paddock undo restore a project that an agent has wrecked in five ways", async () => {
  using base = tempFolder();
  const project = `${base.path}/site`;
  base.write("site/index.html", "<h1>Hello</h1>\n<p>Welcome to my site.</p>\n");
  base.write("site/style.css", "h1 { color: teal }\n");
  base.write("site/pages/about.html", "<p>About me</p>\n");
  base.write("site/notes.txt", "buy milk\n");
  Deno.chmodSync(`${project}/notes.txt`, 0o600);
  const before = treeOf(project);
  const undoDir = `--undo-dir=${base.path}/undo`;
  {
    await using server = new TestServer([project, undoDir]);
    await server.initialize();
    const call = async (tool: string, args: Record<string, unknown>) => {
      const { isError, text } = await server.call(tool, args);
      assertEquals([isError, isError ? text : ""], [false, ""]);
    };
    await call("write_file", { root: "site", path: "index.html", content: "" });
    await call("remove_folder", { root: "site", path: "pages" });
    await call("move", {
      source_root: "site",
      source_path: "notes.txt",
      dest_root: "site",
      dest_path: "style.css",
    });
    await call("write_file", { root: "site", path: "junk/deep/file.txt", content: "junk\n" });
    await call("multi_edit_text_file", {
      root: "site",
      path: "style.css",
      edits: [{ old_string: "milk", new_string: "\x1b[31mpaint" }],
    });
    assertEquals(await server.end(), 0);
  }
  const paddock = (...args: string[]) => runToEnd([...args, undoDir]);
  const log = await paddock("log", project);
  assertEquals([log.code, log.stderr], [0, ""]);
  const lines = log.stdout.trimEnd().split("\n");
  assertEquals(lines.length, 5);
  assertMatch(
    lines[0] ?? "",
    /^[0-9a-z]{10} {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}test {2}multi_edit_text_file style.css$/,
  );
  assertMatch(lines[4] ?? "", / {2}write_file index.html$/);

  const shown = await paddock("undo", project, "--last=5");
  assertEquals(shown.code, 0);
  assertStringIncludes(shown.stdout, "+<h1>Hello</h1>\n");
  assertStringIncludes(shown.stdout, "\ncreate folder pages\n");
  assertStringIncludes(shown.stdout, "\\u001b[31mpaint");
  assert(!shown.stdout.includes("\x1b"), "what is in a file does nothing to the terminal");
  assertStringIncludes(shown.stderr, "nothing was changed: add --yes to make these changes");

  const done = await paddock("undo", project, "--last=5", "--yes");
  assertMatch(done.stdout.trimEnd().split("\n").at(-1) ?? "", /^done: \d+ paths, as change [0-9a-z]{16}$/);
  assertEquals([done.code, done.stderr], [0, ""]);
  assertEquals(treeOf(project), before);

  assertEquals((await paddock("undo", project)).code, 3);
  const json = JSON.parse((await paddock("log", project, "--json", "--limit=1")).stdout);
  assertEquals([json.changes.length, json.changes[0].tool], [1, "undo"]);

  const [wreck] = (lines[4] ?? "").split(" ");
  const back = await paddock("restore", project, "index.html", `--at=${wreck}`, "--yes");
  assertEquals([back.code, Deno.readTextFileSync(`${project}/index.html`)], [0, ""]);
  Deno.writeTextFileSync(`${project}/index.html`, "by hand\n");
  const conflict = await paddock("undo", project, "--yes");
  assertEquals(conflict.code, 2);
  assertMatch(conflict.stderr, /^conflict: "index.html" was changed since/);
  assertEquals((await paddock("undo", project, "zzzzzzzz")).code, 3);
  assertEquals((await paddock("restore", project)).code, 1);
  assertEquals((await paddock("log", `${base.path}/none`)).code, 1);
  const empty = await paddock("log", base.path);
  assertEquals([empty.code, empty.stdout], [0, "no changes are recorded\n"]);
});

Deno.test("the exit code of paddock undo tells what became of it, whatever the words: 0, 1, 2 or 3", async () => {
  using base = tempFolder();
  base.write("site/a.txt", "one\n");
  const [site, undoDir] = [`${base.path}/site`, `--undo-dir=${base.path}/undo`];
  const changes: string[] = [];
  {
    await using server = new TestServer([site, undoDir]);
    await server.initialize();
    for (const [path, content] of [["a.txt", "two\n"], ["b.txt", "new\n"]]) {
      const { value } = await server.call("write_file", { root: "site", path, content });
      changes.push(value.change);
    }
    assertEquals(await server.end(), 0);
  }
  const [first = "", second = ""] = changes;
  const codeOf = async (...args: string[]) => {
    const { code, stderr } = await runToEnd(["undo", site, ...args, undoDir]);
    return [code, stderr.split(/[:;\n]/)[0]];
  };
  assertEquals(await codeOf(first), [0, "nothing was changed"]); // only shown
  assertEquals(await codeOf(first, "--yes"), [0, ""]);
  assertEquals(await codeOf(first, "--yes"), [3, "error"], "it was undone before");
  assertEquals(await codeOf("zzzzzzzz", "--yes"), [3, "error"], "there is no such change");
  assertEquals(await codeOf("conflict:", "--yes"), [3, "error"], "a name that looks like an outcome");
  assertEquals(await codeOf("--last=none"), [1, "error"]);
  base.write("site/b.txt", "by hand\n");
  assertEquals(await codeOf(second, "--yes"), [2, "conflict"]);
  assertEquals(base.read("site/b.txt"), "by hand\n");
});

Deno.test("commands that look at what was recorded create nothing, and say what does not exist", async () => {
  using base = tempFolder();
  base.write("site/a.txt", "one\n");
  base.write("undo/site-1a-2b/other", "");
  const [site, before] = [`${base.path}/site`, base.names()];
  const env = { XDG_STATE_HOME: `${base.path}/state`, LOCALAPPDATA: `${base.path}/state` };
  const commands = [["log", site], ["undo", site], ["restore", site, "a.txt", "--at=6a6najf9"]];
  for (const command of commands) {
    const typo = await runToEnd([...command, `--undo-dir=${base.path}/undo`, "--store=site-1a-2c"]);
    assertEquals(typo.code, 1);
    assertStringIncludes(typo.stderr, 'there is no store "site-1a-2c" in ');
    assertStringIncludes(typo.stderr, "(did you mean site-1a-2b?)");
    const elsewhere = await runToEnd([...command, `--undo-dir=${base.path}/undoo`]);
    assertEquals(elsewhere.code, 1);
    assertStringIncludes(elsewhere.stderr, "error: the undo folder does not exist");
    const never = await runToEnd(command, { env });
    assertEquals(never.code, command[0] === "log" ? 0 : 3, never.stderr);
    assertEquals(base.names(), before);
  }
});

Deno.test("without a home and without --undo-dir the server runs, and says that changes cannot be undone", async () => {
  using base = tempFolder();
  // The user who runs the tests may have no home folder with Deno's cache.
  const cache = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
  const env = { HOME: "", XDG_STATE_HOME: "", DENO_DIR: cache, PADDOCK_NO_UNDO: "false" };
  await using server = new TestServer([base.path], { env });
  await server.initialize();
  await server.logged("server_starting");
  assertStringIncludes(server.log, "off: there is no home folder");
  const [root] = (await server.call("list_roots")).value.roots;
  assertEquals([root.undo, root.allowed_tools.includes("undo")], [false, false]);
  assertEquals(
    (await server.call("write_file", { root: root.name, path: "a", content: "x" })).isError,
    false,
  );
});

Deno.test("by default changes are recorded in the user's state folder, for that user alone", async () => {
  using base = tempFolder();
  base.write("project/a.txt", "one");
  const env = { XDG_STATE_HOME: `${base.path}/state`, PADDOCK_NO_UNDO: "false" };
  await using server = new TestServer([`${base.path}/project`], { env });
  await server.initialize();
  await server.call("write_file", { root: "project", path: "a.txt", content: "two" });
  const [store] = [...Deno.readDirSync(`${base.path}/state/paddock`)];
  assertMatch(store?.name ?? "", /^project-[0-9a-z]+-[0-9a-z]+$/);
  for (const path of ["state/paddock", `state/paddock/${store?.name}`]) {
    assertEquals((Deno.statSync(`${base.path}/${path}`).mode ?? 0) & 0o777, 0o700);
  }
  assertEquals((await server.call("undo", { root: "project" })).isError, false);
  assertEquals(base.read("project/a.txt"), "one");
});

Deno.test("--require-undo refuses to start where nothing could be recorded", async () => {
  using base = tempFolder();
  base.write("file", "");
  const { code, stderr } = await runToEnd([base.path, "--require-undo", `--undo-dir=${base.path}/file`]);
  assertEquals(code, 1);
  assertMatch(stderr, /--require-undo cannot be met: .*undo folder/);
});

Deno.test("with --dir changes are recorded if --undo-dir is given, and paddock undo undoes them", async () => {
  using base = tempFolder();
  base.write("notes/a.txt", "one\n");
  const undoDir = `--undo-dir=${base.path}/undo`;
  {
    await using server = new TestServer([`--dir=${base.path}/notes`, "--transport=stdio", undoDir]);
    await server.initialize();
    const edits = [{ operation: "replace", line: 0, content: "two" }];
    assertEquals((await server.call("edit_file", { name: "a.txt", edits })).isError, false);
    assertEquals(base.read("notes/a.txt"), "two\n");
    await server.end();
  }
  assertEquals((await runToEnd(["undo", `${base.path}/notes`, "--yes", undoDir])).code, 0);
  assertEquals(base.read("notes/a.txt"), "one\n");
});
