import { DatabaseSync } from "node:sqlite";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { ConsoleProcess } from "../../support/console.ts";
import { onUnix } from "../../support/needs.ts";
import { TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";

function storeOf(state: string, name: string): string {
  const [found] = [...Deno.readDirSync(state)].filter((entry) => entry.name.startsWith(`${name}-`));
  return `${state}/${found?.name}`;
}

Deno.test("a store that is damaged, disappears or returns does not hide the others, and is reported", async () => {
  using base = tempFolder();
  for (const name of ["site", "notes", "state"]) Deno.mkdirSync(`${base.path}/${name}`);
  const state = `${base.path}/state`;
  const write = async (name: string) => {
    await using agent = new TestServer([`${base.path}/${name}`, `--undo-dir=${state}`]);
    await agent.initialize();
    return (await agent.call("write_file", { root: name, path: "a.txt", content: crypto.randomUUID() })).value
      .change;
  };
  await write("site");
  await write("notes");
  const database = `${storeOf(state, "site")}/undo.db`;
  const db = new DatabaseSync(database);
  db.exec("pragma wal_checkpoint(truncate)");
  db.close();
  const whole = Deno.readFileSync(database);
  Deno.writeFileSync(database, new TextEncoder().encode("this is no database at all".repeat(500)));
  await using console = new ConsoleProcess({
    args: [`${base.path}/site`, `${base.path}/notes`, `--undo-dir=${state}`],
  });
  const browser = await console.client();
  const states = async () => (await browser.get("Sources", "sources")).sources.map(({ state }) => state);
  assertEquals(await states(), ["unavailable", "ok"]);
  const page = await browser.get("ChangePage", "changes");
  assertEquals([page.changes.length, page.unavailable.map(({ source }) => source)], [1, ["root:site"]]);
  assertMatch(page.unavailable[0]?.note ?? "", /damaged/);
  const refusal = await browser.refusal(
    503,
    await browser.fetch("/console/api/change?source=root:site&id=abcd"),
  );
  assertEquals(refusal.code, "UNAVAILABLE");

  await using events = await browser.events();
  await events.next("hello");
  Deno.writeFileSync(database, whole);
  await events.next("sources", ({ sources }) => sources[0]?.state === "ok");
  assertEquals((await browser.get("ChangePage", "changes")).changes.length, 2);
  for (const ending of ["", "-wal", "-shm"]) Deno.removeSync(database + ending);
  await events.next("sources", ({ sources }) => sources[0]?.state !== "ok");
  assertEquals((await states())[1], "ok");
  const again = await write("site");
  await events.next("change", ({ id }) => id === again);
});

Deno.test({
  ...onUnix(
    "names and contents of any kind arrive unchanged, and break neither JSON, headers nor events",
  ),
  fn: async () => {
    using base = tempFolder();
    for (const name of ["site", "state"]) Deno.mkdirSync(`${base.path}/${name}`);
    const names = [
      "<img src=x onerror=alert(1)>",
      "\"quoted\" 'too' &amp;",
      "\u202egnp.exe",
      "\x1b[31mred\x1b[0m",
      "two\nlines: x\r\nset-cookie: a=b",
      "data: {}\n\nevent: bye",
      "%2e%2e%2f",
      "a\u0000b".replace("\u0000", "\u2028"),
      "😀".repeat(30),
      "__proto__",
    ];
    await using console = new ConsoleProcess({
      args: [`${base.path}/site`, `--undo-dir=${base.path}/state`],
    });
    const browser = await console.client();
    await using events = await browser.events();
    await events.next("hello");
    await using agent = new TestServer([`${base.path}/site`, `--undo-dir=${base.path}/state`]);
    await agent.initialize(undefined, "</script><b>\u202e");
    for (const path of names) {
      const content = `${path}\n${"x".repeat(200_000)}\n`;
      const { value } = await agent.call("write_file", { root: "site", path, content });
      const told = await events.next("change", ({ id }) => id === value.change);
      assertEquals(told.paths, [path]);
      const shown = await browser.get("ChangeDetails", "change", { source: "root:site", id: value.change });
      assertEquals([shown.files[0]?.path, shown.files[0]?.truncated], [path, true]);
      assert((shown.files[0]?.diff?.length ?? 0) <= 128 * 1024);
      const wide = await browser.get("FileDiff", "diff", { source: "root:site", id: value.change, n: 0 });
      assertEquals([wide.diff?.includes(content.slice(-100)), wide.truncated], [true, false]);
      const history = await browser.get("FileHistory", "file", { source: "root:site", path });
      assertEquals(history.versions.length, 1, path);
      const found = await browser.get("ChangePage", "changes", { path });
      assertEquals(found.changes.length, 1, path);
    }
  },
});
