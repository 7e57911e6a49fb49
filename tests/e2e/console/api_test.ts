import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Change, ChangePage } from "../../../src/console/api_types.ts";
import { ConsoleProcess } from "../../support/console.ts";
import { TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";

/** Two projects with a store each, and an agent in one of them. */
function field() {
  const base = tempFolder();
  for (const name of ["site", "notes", "state"]) Deno.mkdirSync(`${base.path}/${name}`);
  const stores = `--undo-dir=${base.path}/state`;
  const agent = async (name: string, client = "agent") => {
    const server = new TestServer([`${base.path}/${name}`, stores]);
    await server.initialize(undefined, client);
    return server;
  };
  const console = (...args: string[]) =>
    new ConsoleProcess({ args: [`${base.path}/site`, `${base.path}/notes`, stores, ...args] });
  return { base, stores, agent, console, [Symbol.dispose]: () => base[Symbol.dispose]() };
}

Deno.test("an agent's change is listed, shown, previewed and undone, and appears live", async () => {
  using it = field();
  await using agent = await it.agent("site");
  await agent.call("write_file", { root: "site", path: "a.txt", content: "one\ntwo\n" });
  await using console = it.console();
  const browser = await console.client();
  const sources = await browser.get("Sources", "sources");
  assertEquals(sources.sources.map(({ id, state, changes }) => [id, state, changes]), [
    ["root:site", "ok", 1],
    ["root:notes", "empty", 0],
  ]);
  await using events = await browser.events();
  await events.next("hello");

  const written = await agent.call("edit_file", {
    root: "site",
    path: "a.txt",
    edits: [{ old_text: "two", new_text: "<b>2</b>" }],
  });
  const told = await events.next("change");
  assertEquals([told.id, told.source, told.client, told.tool], [
    written.value.change,
    "root:site",
    "agent",
    "edit_file",
  ]);
  const { changes } = await browser.get("ChangePage", "changes");
  assertEquals(changes[0], told);

  const shown = await browser.get("ChangeDetails", "change", { source: "root:site", id: told.id });
  assertEquals(shown.files[0]?.diff, "@@ -1,2 +1,2 @@\n one\n-two\n+<b>2</b>\n");
  assertEquals([shown.files[0]?.added, shown.files[0]?.removed, shown.truncated], [1, 1, false]);

  const undo = { source: "root:site", ids: [told.id] };
  const preview = await browser.post("Preview", "undo/preview", undo);
  assertEquals(preview.files[0]?.diff, "@@ -1,2 +1,2 @@\n one\n-<b>2</b>\n+two\n");
  assertEquals(it.base.read("site/a.txt"), "one\n<b>2</b>\n");
  const done = await browser.post("Done", "undo", { ...undo, plan: preview.plan });
  assertEquals(it.base.read("site/a.txt"), "one\ntwo\n");
  assertEquals(done.undone, [told.id]);

  const undone = await events.next("change", ({ id }) => id === told.id);
  assertEquals([undone.undone_by, undone.undoable], [done.change, false]);
  const own = await events.next("change", ({ id }) => id === done.change);
  assertEquals([own.tool, own.client, own.undoes], ["undo", "paddock console", [told.id]]);
});

Deno.test("a stale plan, a conflict and a change already undone change nothing and say why", async () => {
  using it = field();
  await using agent = await it.agent("site");
  const write = (content: string) => agent.call("write_file", { root: "site", path: "a.txt", content });
  await write("1\n2\n3\n4\n5\n6\n7\n8\n9\n");
  const first = (await write("1\nTWO\n3\n4\n5\n6\n7\n8\n9\n")).value.change;
  await using console = it.console();
  const browser = await console.client();
  const undo = { source: "root:site", ids: [first] };
  const { plan } = await browser.post("Preview", "undo/preview", undo);

  const apart = await write("1\nTWO\n3\n4\n5\n6\n7\n8\nNINE\n");
  const stale = await browser.refusal(409, await browser.send("undo", { ...undo, plan }));
  assertEquals(stale.code, "PLAN_STALE");
  assertMatch(stale.message, /something has changed since the preview/);
  assertEquals(it.base.read("site/a.txt"), "1\nTWO\n3\n4\n5\n6\n7\n8\nNINE\n");
  const merged = await browser.post("Preview", "undo/preview", undo);
  assertEquals(merged.merged, ["a.txt"]);

  const later = await write("1\nZWEI\n3\n4\n5\n6\n7\n8\nNINE\n");
  for (const path of ["undo/preview", "undo"]) {
    const body = path === "undo" ? { ...undo, plan: merged.plan } : undo;
    const { code, message, conflict } = await browser.refusal(409, await browser.send(path, body));
    assertEquals(code, "CONFLICT");
    assertMatch(message, /a\.txt/);
    assertEquals(conflict, {
      path: "a.txt",
      lines: { first: 2, last: 2 },
      later: { id: later.value.change, tool: "write_file", client: "agent" },
    });
  }
  assertEquals(it.base.read("site/a.txt"), "1\nZWEI\n3\n4\n5\n6\n7\n8\nNINE\n");

  const other = { source: "root:site", ids: [later.value.change] };
  const preview = await browser.post("Preview", "undo/preview", other);
  await browser.post("Done", "undo", { ...other, plan: preview.plan });
  const twice = await browser.refusal(409, await browser.send("undo/preview", other));
  assertMatch(twice.message, /already undone/);
  assert(apart.value.change !== undefined);
});

Deno.test("filters and cursors return each change once, in order of time, over two stores", async () => {
  using it = field();
  await using site = await it.agent("site", "claude");
  await using notes = await it.agent("notes", "100%_sure");
  for (let i = 0; i < 4; i++) {
    await site.call("write_file", { root: "site", path: `docs/s${i}.txt`, content: `${i}` });
    await notes.call("write_file", { root: "notes", path: `n${i}_%.txt`, content: `${i}` });
  }
  await site.call("move", {
    source_root: "site",
    source_path: "docs/s0.txt",
    dest_root: "site",
    dest_path: "moved.txt",
  });
  await using console = it.console();
  const browser = await console.client();
  const all = (await browser.get("ChangePage", "changes", { limit: 200 })).changes;
  assertEquals(all.length, 9);
  assertEquals(all.map(({ time }) => time), all.map(({ time }) => time).toSorted().toReversed());

  const paged: Change[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: ChangePage = await browser.get("ChangePage", "changes", {
      limit: 2,
      ...(cursor === "" ? {} : { cursor }),
    });
    assert(page.changes.length <= 2);
    paged.push(...page.changes);
    cursor = page.next;
  }
  assertEquals(paged, all);

  const count = async (query: Record<string, string | string[]>) =>
    (await browser.get("ChangePage", "changes", query)).changes.length;
  assertEquals(await count({ source: "root:notes" }), 4);
  assertEquals(await count({ source: ["root:notes", "root:site"] }), 9);
  assertEquals(await count({ client: "claude" }), 5);
  assertEquals(await count({ client: "100%_sure" }), 4);
  assertEquals(await count({ client: "%" }), 0);
  assertEquals(await count({ tool: "move" }), 1);
  assertEquals(await count({ path: "docs" }), 5);
  assertEquals(await count({ path: "doc" }), 0);
  assertEquals(await count({ path: "moved.txt" }), 1);
  assertEquals(await count({ text: "_%" }), 4);
  assertEquals(await count({ text: "%" }), 4);
  assertEquals(await count({ text: "S1.TXT" }), 1);
  assertEquals(await count({ text: "\\" }), 0);
  assertEquals(await count({ undone: "yes" }), 0);
  assertEquals(await count({ since: "2100-01-01T00:00:00Z" }), 0);
  assertEquals(await count({ until: "2000-01-01T00:00:00Z" }), 0);
  const middle = all[4]?.time ?? "";
  assertEquals(await count({ since: middle }) + await count({ until: middle }), 10);

  for (
    const query of ["limit=0", "limit=201", "since=yesterday", "cursor=%21", "colour=red", "limit=2&limit=3"]
  ) {
    const { code } = await browser.refusal(400, await browser.fetch(`/console/api/changes?${query}`));
    assertEquals(code, "INVALID_INPUT", query);
  }
  await browser.refusal(404, await browser.fetch("/console/api/changes?source=root:nowhere"));

  const facets = await browser.get("Facets", "facets");
  assertEquals(facets.clients.map(({ name, changes }) => [name, changes]), [["claude", 5], ["100%_sure", 4]]);
  const { recent } = await browser.get("Overview", "overview");
  assertEquals(recent.map(({ client }) => client).toSorted(), ["100%_sure", "claude"]);

  const history = await browser.get("FileHistory", "file", { source: "root:site", path: "moved.txt" });
  assertEquals(history.versions.map(({ status, path, to }) => [status, path, to]), [
    ["moved", "docs/s0.txt", "moved.txt"],
    ["created", "docs/s0.txt", null],
  ]);
  assertEquals(history.now.size, 1);
});
