import { assert, assertEquals } from "@std/assert";
import { ConsoleProcess } from "../../support/console.ts";
import { TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";

const PNG = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (character) => character.charCodeAt(0),
);

Deno.test("workspaces are listed, with their commits, diffs, file histories and restore, and appear live", async () => {
  using base = tempFolder();
  Deno.mkdirSync(`${base.path}/data`);
  await using agent = new TestServer(["--transport=stdio", `--workspaces-root=${base.path}/data`]);
  await agent.initialize(undefined, "agent");
  await agent.call("workspace_create", { name: "Site" });
  const write = (path: string, content: string) =>
    agent.call("fs_write_file", { workspaceId: "site", path, content });
  const first = (await write("a.txt", "one\n")).value.commit;
  await write("b.txt", "b\n");
  await using console = new ConsoleProcess({ args: [`--workspaces-root=${base.path}/data`] });
  const browser = await console.client();
  const [site] = (await browser.get("Sources", "sources")).sources;
  assertEquals([site?.id, site?.state, site?.can_undo, site?.can_restore], [
    "workspace:site",
    "ok",
    true,
    true,
  ]);
  await using events = await browser.events();
  await events.next("hello");

  const second = (await write("a.txt", "two\n")).value.commit;
  const told = await events.next("change");
  assertEquals([told.id, told.tool, told.client, told.paths], [second, "fs_write_file", "agent", ["a.txt"]]);
  await agent.call("workspace_create", { name: "Other" });
  await events.next("sources", ({ sources }) => sources.some(({ id }) => id === "workspace:other"));

  const source = "workspace:site";
  const all = await browser.get("ChangePage", "changes", { source });
  assertEquals(all.changes.length, 3);
  const page = await browser.get("ChangePage", "changes", { limit: 2 });
  const rest = await browser.get("ChangePage", "changes", { limit: 2, cursor: page.next ?? "" });
  assertEquals([...page.changes, ...rest.changes], all.changes);
  assertEquals((await browser.get("ChangePage", "changes", { path: "b.txt" })).changes.length, 1);
  assertEquals((await browser.get("ChangePage", "changes", { client: "nobody" })).changes.length, 0);
  const shown = await browser.get("ChangeDetails", "change", { source, id: second });
  assertEquals(shown.files.map(({ path, diff }) => [path, diff]), [["a.txt", "@@ -1 +1 @@\n-one\n+two\n"]]);
  const history = await browser.get("FileHistory", "file", { source, path: "a.txt" });
  assertEquals(history.versions.map(({ change, status }) => [change.id, status]), [
    [second, "changed"],
    [first, "created"],
  ]);
  const compared = await browser.get("Comparison", "compare", { source, from: first, to: second });
  assertEquals(compared.files.map(({ path, status }) => [path, status]), [["a.txt", "changed"], [
    "b.txt",
    "created",
  ]]);

  const restore = { source, path: "a.txt", at: first };
  const preview = await browser.post("Preview", "restore/preview", restore);
  assertEquals(preview.files.map(({ path, diff }) => [path, diff]), [["a.txt", "@@ -1 +1 @@\n-two\n+one\n"]]);
  base.write("data/site/a.txt", "by a person\n");
  const stale = await browser.refusal(409, await browser.send("restore", { ...restore, plan: preview.plan }));
  assertEquals(stale.code, "PLAN_STALE");
  assertEquals(base.read("data/site/a.txt"), "by a person\n");
  const { plan } = await browser.post("Preview", "restore/preview", restore);
  const done = await browser.post("Done", "restore", { ...restore, plan });
  assertEquals(base.read("data/site/a.txt"), "one\n");
  await events.next("change", ({ id }) => id === done.change);

  for (const path of ["../other", "/etc", ".git/config", "a/../../x"]) {
    const response = await browser.fetch(`/console/api/file?${new URLSearchParams({ source, path })}`);
    await response.body?.cancel();
    assert(response.status >= 400 && response.status < 500, `${response.status} for ${path}`);
  }
});

Deno.test("a commit of a workspace is undone after its preview, merged with later changes, or not at all", async () => {
  using base = tempFolder();
  Deno.mkdirSync(`${base.path}/data`);
  await using agent = new TestServer(["--transport=stdio", `--workspaces-root=${base.path}/data`]);
  await agent.initialize(undefined, "agent");
  await agent.call("workspace_create", { name: "Site" });
  const write = async (path: string, content: string): Promise<string> =>
    (await agent.call("fs_write_file", { workspaceId: "site", path, content })).value.commit;
  await write("a.txt", "1\n2\n3\n4\n5\n");
  const second = await write("a.txt", "1\nTWO\n3\n4\n5\n");
  await using console = new ConsoleProcess({ args: [`--workspaces-root=${base.path}/data`] });
  const browser = await console.client();
  const source = "workspace:site";
  const undoOf = (id: string) => ({ source, ids: [id] });
  const shown = async (id: string) => (await browser.get("ChangeDetails", "change", { source, id })).change;

  const early = await browser.post("Preview", "undo/preview", undoOf(second));
  assertEquals(early.files.map(({ diff }) => diff), ["@@ -1,5 +1,5 @@\n 1\n-TWO\n+2\n 3\n 4\n 5\n"]);
  const third = await write("a.txt", "1\nTWO\n3\n4\nFIVE\n");
  const stale = await browser.refusal(
    409,
    await browser.send("undo", { ...undoOf(second), plan: early.plan }),
  );
  assertEquals(stale.code, "PLAN_STALE");
  assertEquals(base.read("data/site/a.txt"), "1\nTWO\n3\n4\nFIVE\n");

  const preview = await browser.post("Preview", "undo/preview", undoOf(second));
  assertEquals(preview.merged, ["a.txt"]);
  assertEquals(preview.files.map(({ diff }) => diff), ["@@ -1,5 +1,5 @@\n 1\n-TWO\n+2\n 3\n 4\n FIVE\n"]);
  await using events = await browser.events();
  await events.next("hello");
  const done = await browser.post("Done", "undo", { ...undoOf(second), plan: preview.plan });
  assertEquals([done.kind, done.undone, done.files.map(({ path }) => path)], ["undo", [second], ["a.txt"]]);
  assertEquals(base.read("data/site/a.txt"), "1\n2\n3\n4\nFIVE\n");
  const undone = await events.next("change", ({ id }) => id === second);
  assertEquals([undone.undone_by, undone.undoable], [done.change, false]);
  const made = await events.next("change", ({ id }) => id === done.change);
  assertEquals([made.client, made.tool, made.undoes], ["paddock console", "fs_revert", [second]]);
  assertEquals((await browser.get("ChangePage", "changes", { undone: "yes" })).changes.map(({ id }) => id), [
    second,
  ]);

  // Once it is undone itself, it no longer undoes anything.
  const again = await browser.post("Preview", "undo/preview", undoOf(made.id));
  await browser.post("Done", "undo", { ...undoOf(made.id), plan: again.plan });
  assertEquals(base.read("data/site/a.txt"), "1\nTWO\n3\n4\nFIVE\n");
  await events.next("change", ({ id, undone_by }) => id === second && undone_by === null);
  assertEquals((await shown(second)).undoable, true);

  const later = await write("a.txt", "1\nZWEI\n3\n4\nFIVE\n");
  const conflict = await browser.refusal(409, await browser.send("undo/preview", undoOf(second)));
  assertEquals(conflict.code, "CONFLICT");
  assertEquals(conflict.conflict, {
    path: "a.txt",
    lines: { first: 2, last: 2 },
    later: { id: later, tool: "fs_write_file", client: "agent" },
  });
  base.write("data/site/a.txt", "1\nby hand\n3\n4\nFIVE\n");
  const byHand = await browser.refusal(409, await browser.send("undo/preview", undoOf(later)));
  assertEquals(byHand.conflict?.later, null);
  await browser.refusal(400, await browser.send("undo/preview", { source, ids: [second, third] }));
  await browser.refusal(404, await browser.send("undo/preview", undoOf("0".repeat(40))));
  assertEquals(base.read("data/site/a.txt"), "1\nby hand\n3\n4\nFIVE\n");
});

Deno.test("images are sent as bytes of their own type, and nothing else is", async () => {
  using base = tempFolder();
  for (const name of ["site", "state"]) Deno.mkdirSync(`${base.path}/${name}`);
  base.write("site/pixel.png", PNG);
  base.write("site/page.png", "<script>alert(1)</script>");
  const args = [`${base.path}/site`, `--undo-dir=${base.path}/state`];
  await using agent = new TestServer(args);
  await agent.initialize();
  const removed = (await agent.call("remove_file", { root: "site", path: "pixel.png" })).value.change;
  const faked = (await agent.call("remove_file", { root: "site", path: "page.png" })).value.change;
  await using console = new ConsoleProcess({ args });
  const browser = await console.client();
  const [file] = (await browser.get("ChangeDetails", "change", { source: "root:site", id: removed })).files;
  assertEquals([file?.binary, file?.no_diff, file?.after.image], [true, "binary", null]);
  const response = await browser.fetch(file?.before.image ?? "");
  assertEquals(response.headers.get("content-type"), "image/png");
  assertEquals(response.headers.get("content-security-policy"), "default-src 'none'; sandbox");
  assertEquals(response.headers.get("x-content-type-options"), "nosniff");
  assertEquals(new Uint8Array(await response.arrayBuffer()), PNG);
  const [fake] = (await browser.get("ChangeDetails", "change", { source: "root:site", id: faked })).files;
  assertEquals([fake?.before.image, fake?.diff?.includes("<script>")], [null, true]);
  const query = new URLSearchParams({ source: "root:site", hash: fake?.before.hash ?? "", path: "page.png" });
  await browser.refusal(422, await browser.fetch(`/console/api/content?${query}`));
});
