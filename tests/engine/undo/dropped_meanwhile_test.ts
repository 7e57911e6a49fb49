/** Another process drops old changes, and their contents, while a change is made that refers to the same contents. */
import { assertEquals } from "@std/assert";
import { DatabaseSync, type SQLInputValue, type StatementResultingChanges, StatementSync } from "node:sqlite";
import { undoSetup } from "./setup.ts";

/** Drops all changes right before the next transaction begins, as pruning in another process would. */
function dropAllBeforeNextWrite(database: string): void {
  const { prototype } = StatementSync;
  const run: (this: StatementSync, ...values: SQLInputValue[]) => StatementResultingChanges = prototype.run;
  prototype.run = function (this: StatementSync, ...values: SQLInputValue[]) {
    if (this.sourceSQL === "begin immediate") {
      prototype.run = run as typeof prototype.run;
      using other = new DatabaseSync(database);
      other.exec("pragma foreign_keys = on; delete from change; delete from content");
    }
    return run.apply(this, values);
  } as typeof prototype.run;
}

const CALLS: Record<string, [tool: string, args: Record<string, unknown>]> = {
  "an edit": ["edit_file", { edits: [{ old_text: "two", new_text: "2" }] }],
  "a write": ["write_file", { content: "other\n" }],
  "an append": ["write_file", { content: "three\n", mode: "append" }],
  "a removal": ["remove_file", {}],
};

for (const [what, [tool, args]] of Object.entries(CALLS)) {
  Deno.test(`${what} can be undone, even if the content it replaces was dropped from the store meanwhile`, async () => {
    await using setup = undoSetup();
    const at = { root: "r", path: "a.txt" };
    await setup.call("write_file", { ...at, content: "one\ntwo\n" });
    dropAllBeforeNextWrite(`${setup.store}/undo.db`);
    const { change } = await setup.call(tool, { ...at, ...args });
    await setup.call("undo", { root: "r", id: change });
    assertEquals(setup.read("a.txt"), "one\ntwo\n");
  });
}
