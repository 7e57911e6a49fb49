import { assertEquals } from "@std/assert";
import { rowsOf, whoOf } from "../../../console/model/rows.ts";
import type { Change } from "../../../src/console/api_types.ts";

function change(id: string, date: Date, facts: Partial<Change> = {}): Change {
  return {
    source: "root:a",
    id,
    time: date.toISOString(),
    tool: "write_file",
    client: "agent",
    session: null,
    author: null,
    summary: "write_file a",
    paths: ["a"],
    path_count: 1,
    undoable: true,
    why_not: null,
    undone_by: null,
    undoes: [],
    also: null,
    ...facts,
  };
}

Deno.test("rowsOf groups changes by day, then by who made them in a row", () => {
  const rows = rowsOf([
    change("e", new Date(2026, 0, 2, 0, 1)),
    change("d", new Date(2026, 0, 1, 23, 59)),
    change("c", new Date(2026, 0, 1, 12), { client: "other" }),
    change("b", new Date(2026, 0, 1, 11)),
    change("a", new Date(2026, 0, 1, 10)),
  ], { narrow: false });
  const told = rows.map((row) =>
    row.kind === "day" ? "day" : row.kind === "client" ? `${row.who} ${row.count}` : row.change.id
  );
  assertEquals(told, ["day", "agent 1", "e", "day", "agent 1", "d", "other 1", "c", "agent 2", "b", "a"]);
  assertEquals(new Set(rows.map(({ key }) => key)).size, rows.length);
});

Deno.test("rowsOf handles a year with a day of 23 hours and one of 25", () => {
  const changes = Array.from({ length: 366 * 8 }, (_, i) => change(`c${i}`, new Date(2026, 0, 1, -3 * i)));
  const days = rowsOf(changes, { narrow: true }).filter(({ kind }) => kind === "day");
  assertEquals(days.length, new Set(changes.map(({ time }) => new Date(time).toDateString())).size);
});

Deno.test("whoOf names the client, or whatever else is known", () => {
  const date = new Date();
  assertEquals(whoOf(change("a", date)), "agent");
  assertEquals(whoOf(change("a", date, { client: null, author: "Ana <ana@example.com>" })), "Ana");
  assertEquals(whoOf(change("a", date, { client: null, tool: "person" })), "Another program");
  assertEquals(whoOf(change("a", date, { client: null })), "Unknown client");
});
