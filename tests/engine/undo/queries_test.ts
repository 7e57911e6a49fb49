/** What SQLite plans for the queries of a change: a store holds any number of earlier changes. */
import { assert, assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { undoSetup } from "./setup.ts";

/** Every query that is prepared while something runs. */
async function queriesOf(run: () => Promise<void>): Promise<Set<string>> {
  const queries = new Set<string>();
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (sql, ...more) {
    queries.add(sql);
    return prepare.call(this, sql, ...more);
  };
  try {
    await run();
  } finally {
    DatabaseSync.prototype.prepare = prepare;
  }
  return queries;
}

Deno.test("a change, an undo and a redo look at no table as a whole, however many changes there are", async () => {
  await using setup = undoSetup();
  const queries = await queriesOf(async () => {
    const at = (path: string) => ({ root: "r", path });
    await setup.call("write_file", { ...at("a.txt"), content: "one\n" });
    await setup.call("write_file", { ...at("a.txt"), content: "two\n", mode: "append" });
    await setup.call("edit_file", { ...at("a.txt"), edits: [{ old_text: "two", new_text: "three" }] });
    await setup.call("create_folder", at("d/e"));
    const move = { source_root: "r", source_path: "a.txt", dest_root: "r", dest_path: "d/b.txt" };
    await setup.call("move", move);
    const { change: removed } = await setup.call("remove_folder", at("d"));
    const { change } = await setup.call("undo", { root: "r", id: removed });
    await setup.call("undo", { root: "r", id: change });
  });
  await setup.close();
  const isQuery = (sql: string) => /^\s*(?:select|insert|update|delete)\b/i.test(sql);
  const asked = [...queries].filter(isQuery);
  assert(asked.length > 15, `only ${asked.length} queries`);
  using db = new DatabaseSync(`${setup.store}/undo.db`, { readOnly: true });
  const scans = asked.filter((sql) =>
    db.prepare(`explain query plan ${sql}`).all().some(({ detail }) =>
      /^SCAN (?:change|step|content|trash)\b(?! USING)/.test(String(detail))
    )
  );
  assertEquals(scans, []);
});
