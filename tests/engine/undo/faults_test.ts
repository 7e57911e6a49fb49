/** Stores that fail: the change is still made, and the answer says that it cannot be undone, and why. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { needs, onLinux, onUnix } from "../../support/needs.ts";
import { type UndoSetup, undoSetup } from "./setup.ts";
import { openBelow } from "../../support/open_files.ts";

const at = (path: string, more: Record<string, unknown> = {}) => ({ root: "r", path, ...more });

/** A write that must succeed; returns what its answer says about undo. */
async function written(setup: UndoSetup, content: string): Promise<{ change?: string; undo_note?: string }> {
  const answer = await setup.call("write_file", at("a.txt", { content }));
  assertEquals(setup.read("a.txt"), content);
  if (answer.change === undefined) assertEquals(answer.undoable, false);
  return answer;
}

function database(setup: UndoSetup): DatabaseSync {
  return new DatabaseSync(`${setup.store}/undo.db`);
}

Deno.test("a store of a newer version is left alone", async () => {
  await using setup = undoSetup({ config: { timeoutMs: 60_000 } }); // the first to open one, which is slow under emulation
  await written(setup, "one");
  await setup.close();
  const db = database(setup);
  db.exec("pragma user_version = 9");
  db.close();
  assertMatch((await written(setup, "two")).undo_note ?? "", /newer version \(9\)/);
  assertMatch(await setup.refusal("undo", { root: "r" }), /newer version/);
  const [root] = (await setup.call("list_roots", {})).roots;
  assertEquals(root.undo, false);
  assertMatch(root.undo_note, /newer version/);
});

Deno.test("a store locked by somebody else is waited for, but not for ever", async () => {
  await using setup = undoSetup({ config: { timeoutMs: 400 } });
  await written(setup, "one");
  const db = database(setup);
  db.exec("begin immediate");
  const begun = performance.now();
  assertMatch((await written(setup, "two")).undo_note ?? "", /locked by another program/);
  assert(performance.now() - begun < 60_000);
  setTimeout(() => db.exec("rollback"), 100);
  assert((await written(setup, "three")).change !== undefined);
  db.close();
});

// Where an open file can be removed.
Deno.test(onUnix("a store that was removed is replaced by a new one, which is reported once"), async () => {
  await using setup = undoSetup();
  await written(setup, "one");
  Deno.removeSync(setup.store, { recursive: true });
  const first = await written(setup, "two");
  assertMatch(first.undo_note ?? "", /removed/);
  const second = await written(setup, "three");
  assert(second.change !== undefined);
  const third = await written(setup, "four");
  assertEquals([third.undo_note, third.change !== undefined], [undefined, true]);
  await setup.call("undo", { root: "r", count: 2 });
  assertEquals(setup.read("a.txt"), "two");
});

const DAMAGES: [what: string, damage: (path: string) => void][] = [
  ["truncated", (path) => Deno.truncateSync(path, 5_000)],
  ["no database at all", (path) => Deno.writeTextFileSync(path, "not a database".repeat(1_000))],
  ["with bytes flipped", (path) => {
    const bytes = Deno.readFileSync(path);
    for (let i = 100; i < bytes.length; i += 3) bytes[i] = (bytes[i] ?? 0) ^ 0xff;
    Deno.writeFileSync(path, bytes);
  }],
];

for (const [what, damage] of DAMAGES) {
  Deno.test(`a damaged store (${what}) is moved aside and a new one started`, async () => {
    await using setup = undoSetup();
    for (let i = 0; i < 30; i++) await written(setup, `content ${i}`.repeat(50));
    await setup.close();
    damage(`${setup.store}/undo.db`);
    const notes: string[] = [];
    for (let i = 0; i < 3; i++) notes.push((await written(setup, `after ${i}`)).undo_note ?? "");
    assertMatch(notes.join(), /damaged/);
    await written(setup, "last");
    await setup.call("undo", { root: "r" });
    assertEquals(setup.read("a.txt"), "after 2");
  });
}

Deno.test("a damaged content in the store is not restored as if it were intact", async () => {
  await using setup = undoSetup();
  setup.write("a.txt", "the original content of the file, long enough to be packed ".repeat(20));
  await written(setup, "other");
  await setup.close();
  const db = database(setup);
  db.exec("update content set data = zeroblob(length(data))");
  db.close();
  assertMatch(await setup.refusal("undo", { root: "r" }), /^conflict: .*no longer kept/);
  assertEquals(setup.read("a.txt"), "other");
});

Deno.test({
  ...needs("a user other than root")("if the store may not be written, the change is made and says so"),
  fn: async () => {
    await using setup = undoSetup();
    Deno.mkdirSync(setup.store, { mode: 0o500 });
    assertMatch((await written(setup, "one")).undo_note ?? "", /undo store/);
    Deno.chmodSync(setup.store, 0o700);
  },
});

Deno.test("if something else is where the store should be, the change is made and says so", async () => {
  await using setup = undoSetup();
  setup.base.write("store", "a file");
  assertMatch((await written(setup, "one")).undo_note ?? "", /undo store/);
});

Deno.test("if the store's parent folder is missing, the change is made and says so", async () => {
  await using setup = undoSetup({ store: "/nonexistent/paddock/store" });
  assertMatch((await written(setup, "one")).undo_note ?? "", /undo store/);
});

Deno.test("with undo required, a failing store prevents the change", async () => {
  await using setup = undoSetup({ required: true, store: "/nonexistent/paddock/store" });
  setup.write("a.txt", "one");
  assertMatch(await setup.refusal("write_file", at("a.txt", { content: "two" })), /nothing was changed/);
  assertMatch(await setup.refusal("remove_file", at("a.txt")), /nothing was changed/);
  assertEquals(setup.read("a.txt"), "one");
});

Deno.test(
  onLinux("a write that cannot be recorded, and so is refused, leaves no descriptor behind"),
  async () => {
    await using setup = undoSetup({ required: true, store: "/nonexistent/paddock/store" });
    setup.write("a.txt", "one");
    const refuse = () => setup.refusal("write_file", at("a.txt", { content: "two" }));
    for (let i = 0; i < 10; i++) await refuse();
    assertEquals(openBelow(setup.root), []);
  },
);

Deno.test("an undo that cannot be recorded as done is rolled back, as its answer says, and can be tried again", async () => {
  await using setup = undoSetup();
  setup.write("a.txt", "zero\n");
  const { change } = await written(setup, "one\n");
  using db = database(setup);
  db.exec(
    "create trigger full before update of state on change when new.tool = 'undo' " +
      "begin select raise(fail, 'database or disk is full'); end",
  );
  const text = await setup.refusal("undo", { root: "r", id: change });
  assertMatch(text, /^there is no disk space for the undo store; nothing was changed/);
  assertEquals(setup.read("a.txt"), "one\n");
  db.exec("drop trigger full");
  await setup.call("undo", { root: "r", id: change });
  assertEquals(setup.read("a.txt"), "zero\n");
});
