import { assert, assertEquals, assertMatch } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { onUnix } from "../../support/needs.ts";
import { undoSetup } from "./setup.ts";

function rows(store: string, sql: string): Record<string, unknown>[] {
  const db = new DatabaseSync(`${store}/undo.db`, { readOnly: true });
  try {
    return db.prepare(sql).all().map((row) => ({ ...row }));
  } finally {
    db.close();
  }
}

Deno.test("a change is recorded with what was there before and after it, and its answer has the id", async () => {
  await using setup = undoSetup();
  setup.write("a.txt", "one\n");
  const first = await setup.call("write_file", { root: "r", path: "a.txt", content: "two\n" });
  assertMatch(first.change, /^[0-9a-hjkmnp-tv-z]{16}$/);
  await setup.close();
  assertEquals(rows(setup.store, "select id, tool, client, session, summary, state, why_not from change"), [{
    id: first.change,
    tool: "write_file",
    client: "tester",
    session: "test-session",
    summary: "write_file a.txt",
    state: "made",
    why_not: null,
  }]);
  assertEquals(
    rows(setup.store, "select op, path, before_kind, before_mode, after_kind, after_hash, made from step"),
    [{
      op: "put",
      path: "a.txt",
      before_kind: "file",
      before_mode: Deno.build.os === "windows" ? 0o666 : 0o644,
      after_kind: "file",
      after_hash: first.hash,
      made: 1,
    }],
  );
});

Deno.test("a call that changed nothing has no change", async () => {
  await using setup = undoSetup();
  setup.write("a.txt", "one\n");
  const same = await setup.call("write_file", { root: "r", path: "a.txt", content: "one\n" });
  const there = await setup.call("create_folder", { root: "r", path: "." });
  assertEquals([same.change, there.change], [undefined, undefined]);
  await setup.refusal("remove_file", { root: "r", path: "none" });
  await setup.close();
  assertEquals(rows(setup.store, "select count(*) as n from change"), [{ n: 0 }]);
});

Deno.test("nothing is opened before the first change", async () => {
  await using setup = undoSetup();
  setup.write("a.txt", "one\n");
  await setup.call("read_file", { root: "r", path: "a.txt" });
  await setup.call("list_roots", {});
  assertEquals(setup.base.names(), ["root/", "root/a.txt"]);
});

Deno.test("what a person changed between two changes is kept in a separate record", async () => {
  await using setup = undoSetup();
  await setup.call("write_file", { root: "r", path: "a.txt", content: "one\n" });
  setup.write("a.txt", "by hand\n");
  await setup.call("write_file", { root: "r", path: "a.txt", content: "two\n" });
  await setup.close();
  assertEquals(rows(setup.store, "select tool from change order by seq").map(({ tool }) => tool), [
    "write_file",
    "person",
    "write_file",
  ]);
});

Deno.test("a hundred appends to a large log take little room, no more than what was added", async () => {
  await using setup = undoSetup();
  setup.write("log.txt", "x".repeat(730_000));
  for (let i = 0; i < 100; i++) {
    await setup.call("write_file", { root: "r", path: "log.txt", content: `line ${i}\n`, mode: "append" });
  }
  await setup.close();
  const { size } = Deno.statSync(`${setup.store}/undo.db`);
  assert(size < 300_000, `${size} bytes`);
});

Deno.test(onUnix("only its owner can access the store"), async () => {
  await using setup = undoSetup();
  await setup.call("write_file", { root: "r", path: "a.txt", content: "one\n" });
  assertEquals((Deno.statSync(setup.store).mode ?? 0) & 0o777, 0o700);
});
