import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { onUnix } from "../../support/needs.ts";
import { treeOf } from "./sequences.ts";
import { type UndoSetup, undoSetup } from "./setup.ts";

const at = (path: string, more: Record<string, unknown> = {}) => ({ root: "r", path, ...more });

async function write(setup: UndoSetup, path: string, content: string, mode = "overwrite"): Promise<string> {
  return (await setup.call("write_file", at(path, { content, mode }))).change;
}

Deno.test("undo without an id undoes this session's last change, then the one before, and then says that there is none", async () => {
  await using setup = undoSetup();
  setup.write("a.txt", "zero\n");
  await write(setup, "a.txt", "one\n");
  await setup.call("write_file", at("b.txt", { content: "of another\n" }), {
    session: "other",
    client: "other",
  });
  const last = await write(setup, "a.txt", "two\n");
  assertEquals((await setup.call("undo", { root: "r" })).undone, [last]);
  assertEquals(setup.read("a.txt"), "one\n");
  await setup.call("undo", { root: "r" });
  assertEquals(setup.read("a.txt"), "zero\n");
  const text = await setup.refusal("undo", { root: "r" });
  assertMatch(
    text,
    /^there is nothing to undo in this session; the newest changes are \w{16} \(undo .*give one of them/,
  );
  assertEquals(setup.read("b.txt"), "of another\n");
});

Deno.test("undo of a creation removes the file and the folders created with it, and nothing else", async () => {
  await using setup = undoSetup();
  await write(setup, "d/e/a.txt", "one\n");
  await setup.call("undo", { root: "r" });
  assertEquals(setup.base.names().filter((name) => name.startsWith("root/")), ["root/"]);
  await write(setup, "d/e/a.txt", "one\n");
  setup.write("d/mine.txt", "by hand\n");
  await setup.call("undo", { root: "r" });
  assertEquals(Object.keys(treeOf(setup.root)), ["d", "d/mine.txt"]);
});

Deno.test("undo merges into a file that was changed since, and keeps what was changed", async () => {
  await using setup = undoSetup();
  const lines = (...more: string[]) => ["first", ...Array(10).fill("same"), ...more].join("\n") + "\n";
  setup.write("a.txt", lines("last"));
  const change = await write(setup, "a.txt", lines("by the agent"));
  setup.write("a.txt", `by hand\n${lines("by the agent")}`);
  const undone = await setup.call("undo", { root: "r", id: change.slice(0, 8) });
  assertEquals(setup.read("a.txt"), `by hand\n${lines("last")}`);
  assertEquals([undone.merged, undone.undone], [["a.txt"], [change]]);
});

Deno.test("undo that does not apply is a conflict that names file, lines and the later change, and changes nothing", async () => {
  await using setup = undoSetup();
  setup.write("a.txt", "one\ntwo\nthree\n");
  setup.write("b.txt", "b\n");
  const first = await write(setup, "a.txt", "one\nTWO\nthree\n");
  const later = await write(setup, "a.txt", "one\nTwo!\nthree\n");
  const other = await write(setup, "b.txt", "B\n");
  const before = treeOf(setup.root);
  const text = await setup.refusal("undo", { root: "r", id: `${other},${first}` });
  assertEquals(
    text,
    `conflict: "a.txt" was changed since by change ${later} (write_file of tester), in the same place (line 2); ` +
      "nothing was changed (root: r)",
  );
  assertEquals(treeOf(setup.root), before);
});

Deno.test("undo never removes a new file that somebody has written to since", async () => {
  await using setup = undoSetup();
  const change = await write(setup, "new.txt", "by the agent\n");
  setup.write("new.txt", "by the agent\nand by hand\n");
  assertMatch(
    await setup.refusal("undo", { root: "r", id: change }),
    /^conflict: "new.txt" was changed since by another/,
  );
  assertEquals(setup.read("new.txt"), "by the agent\nand by hand\n");
});

Deno.test("undo cuts out an append although others have appended since, and undoing that adds it again", async () => {
  await using setup = undoSetup();
  setup.write("log", "start\n");
  const first = await write(setup, "log", "one\n", "append");
  await write(setup, "log", "two\n", "append");
  const { change } = await setup.call("undo", { root: "r", id: first });
  assertEquals(setup.read("log"), "start\ntwo\n");
  await setup.call("undo", { root: "r", id: change });
  assertEquals(setup.read("log"), "start\none\ntwo\n");
});

Deno.test("undo never cuts an append out of the middle of something else", async () => {
  await using setup = undoSetup();
  setup.write("log", "start\n");
  const change = await write(setup, "log", "two\n", "append");
  await write(setup, "log", "forty-two\nmore\n");
  assertMatch(
    await setup.refusal("undo", { root: "r", id: change }),
    /^conflict: "log" was changed since by/,
  );
  assertEquals(setup.read("log"), "forty-two\nmore\n");
  setup.write("log", "moved\nby hand\nstart\ntwo\nmore\n");
  await setup.call("undo", { root: "r", id: change });
  assertEquals(setup.read("log"), "moved\nby hand\nstart\nmore\n");
});

Deno.test("undo cuts out appends within one line, if everything before them is unchanged", async () => {
  await using setup = undoSetup();
  setup.write("log", "a");
  const change = await write(setup, "log", "b", "append");
  await write(setup, "log", "c", "append");
  await setup.call("undo", { root: "r", id: change });
  assertEquals(setup.read("log"), "ac");
});

Deno.test("what was undone and redone can be undone again, including what is kept in the trash", async () => {
  await using setup = undoSetup();
  setup.write("d/e/a.txt", "one\n");
  setup.write("large", "x".repeat(2 * 1024 * 1024));
  setup.write("gone", "y".repeat(2 * 1024 * 1024));
  const before = treeOf(setup.root);
  for (
    const [tool, args] of [
      ["remove_folder", at("d")],
      ["write_file", at("large", { content: "small\n" })],
      ["remove_file", at("gone")],
    ] as const
  ) {
    const { change } = await setup.call(tool, args);
    const after = treeOf(setup.root);
    for (let round = 0; round < 2; round++) {
      const undone = await setup.call("undo", { root: "r", id: change });
      assertEquals(treeOf(setup.root), before, tool);
      await setup.call("undo", { root: "r", id: undone.change });
      assertEquals(treeOf(setup.root), after, tool);
    }
    assertEquals((await setup.call("undo", { root: "r" })).undone, [change]);
    assertEquals(treeOf(setup.root), before, tool);
  }
});

Deno.test("undo of a move takes along what happened inside since", async () => {
  await using setup = undoSetup();
  setup.write("old/a.txt", "one\n");
  const moved = await setup.call("move", {
    source_root: "r",
    source_path: "old",
    dest_root: "r",
    dest_path: "deep/new",
  });
  await write(setup, "deep/new/b.txt", "two\n");
  setup.write("deep/new/c.txt", "by hand\n");
  await setup.call("undo", { root: "r", id: moved.change });
  assertEquals(Object.keys(treeOf(setup.root)), ["old", "old/a.txt", "old/b.txt", "old/c.txt"]);
});

Deno.test("undo finds a file that was moved since", async () => {
  await using setup = undoSetup();
  setup.write("d/a.txt", "one\n");
  const change = await write(setup, "d/a.txt", "two\n");
  await setup.call("move", { source_root: "r", source_path: "d", dest_root: "r", dest_path: "e" });
  await setup.call("undo", { root: "r", id: change });
  assertEquals([setup.read("e/a.txt"), setup.exists("d")], ["one\n", false]);
});

Deno.test("undo reverses moves that crossed, one after the other, whatever had a folder's name meanwhile", async () => {
  await using setup = undoSetup();
  for (const path of ["x", "e/f", "d/g"]) setup.write(path, `${path}\n`);
  const move = (source_path: string, dest_path: string) =>
    setup.call("move", { source_root: "r", source_path, dest_root: "r", dest_path });
  const first = treeOf(setup.root);
  const changes = [
    await move("x", "e/h"),
    await move("e/h", "d/k"),
    await setup.call("remove_folder", at("e")),
    await move("d", "e"), // another e
  ];
  for (const { change } of changes.toReversed()) await setup.call("undo", { root: "r", id: change });
  assertEquals(treeOf(setup.root), first);
});

Deno.test("undo restores modes, set-group bits, links and odd bytes", async () => {
  await using setup = undoSetup();
  setup.write("bin", new Uint8Array([0, 1, 2, 255, 254]));
  setup.write("tool", "#!/bin/sh\n");
  Deno.chmodSync(`${setup.root}/tool`, 0o2750);
  Deno.symlinkSync("tool", `${setup.root}/link`);
  setup.write("d/x", "x");
  Deno.symlinkSync("nowhere", `${setup.root}/d/dangling`);
  const before = treeOf(setup.root);
  await setup.call("write_file", at("bin", { content: "text" }));
  await setup.call("remove_file", at("tool"));
  await setup.call("remove_file", at("link"));
  await setup.call("remove_folder", at("d"));
  await setup.call("undo", { root: "r", count: 4 });
  assertEquals(treeOf(setup.root), before);
});

Deno.test({
  ...onUnix("a large file is restored with its mode, and what shares its content keeps its own"),
  fn: async () => {
    await using setup = undoSetup();
    const mode = (name: string) => (Deno.statSync(`${setup.root}/${name}`).mode ?? 0) & 0o777;
    for (const tool of ["write_file", "remove_file"]) {
      setup.write(tool, "x".repeat(2 * 1024 * 1024));
      Deno.chmodSync(`${setup.root}/${tool}`, 0o640);
      Deno.linkSync(`${setup.root}/${tool}`, `${setup.root}/${tool}-too`);
      const { change } = await setup.call(tool, at(tool, tool === "write_file" ? { content: "small" } : {}));
      Deno.chmodSync(`${setup.root}/${tool}-too`, 0o600);
      await setup.call("undo", { root: "r", id: change });
      assertEquals([mode(tool), mode(`${tool}-too`)], [0o640, 0o600], tool);
      assertEquals(setup.read(tool).length, 2 * 1024 * 1024);
    }
  },
});

Deno.test(onUnix("a dry run changes nothing, and its plan fails once something has changed"), async () => {
  await using setup = undoSetup();
  setup.write("a.txt", "one\n");
  await write(setup, "a.txt", "two\n");
  const { plan, diff, change } = await setup.call("undo", { root: "r", dry_run: true });
  assertEquals([setup.read("a.txt"), change], ["two\n", undefined]);
  assertStringIncludes(diff, "-two\n+one\n");
  Deno.chmodSync(`${setup.root}/a.txt`, 0o600);
  assertMatch(
    await setup.refusal("undo", { root: "r", plan }),
    /^conflict: the plan is out of date/,
  );
  const again = await setup.call("undo", { root: "r", dry_run: true });
  await setup.call("undo", { root: "r", plan: again.plan });
  assertEquals(setup.read("a.txt"), "one\n");
});

Deno.test("history pages through tool changes, newest first, by path, client and time, and says what is undone", async () => {
  await using setup = undoSetup();
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.unshift(await write(setup, i % 2 ? "d/a.txt" : "b.txt", `${i}\n`));
  setup.write("b.txt", "by hand\n");
  ids.unshift((await setup.call("write_file", at("b.txt", { content: "!" }), { client: "two" })).change);
  const page = await setup.call("history", { root: "r", limit: 4 });
  const rest = await setup.call("history", { root: "r", limit: 4, before: page.next });
  const all = [...page.changes, ...rest.changes];
  assertEquals(all.map(({ id }: { id: string }) => id), ids);
  assertEquals(rest.next, undefined);
  const idsOf = async (query: Record<string, unknown>) =>
    (await setup.call("history", { root: "r", ...query })).changes.map(({ id }: { id: string }) => id);
  assertEquals(await idsOf({ path: "d" }), [ids[2], ids[4]]);
  assertEquals(await idsOf({ client: "two" }), [ids[0]]);
  assertEquals(await idsOf({ since: "2999-01-01T00:00:00Z" }), []);
  const { change } = await setup.call("undo", { root: "r", id: ids[0] });
  const [undo, undone] = (await setup.call("history", { root: "r" })).changes;
  assertEquals([undo.id, undo.undoes, undone.undone_by, undone.undoable], [change, [ids[0]], change, false]);
  assertMatch(
    await setup.refusal("history", { root: "r", since: "yesterday" }),
    /since must be a time with a zone/,
  );
});

Deno.test("show_change returns the files and the diff of a change by the beginning of its id", async () => {
  await using setup = undoSetup();
  setup.write("a.txt", "one\n");
  const id = await write(setup, "a.txt", "two\n");
  const shown = await setup.call("show_change", { root: "r", id: id.slice(0, 9) });
  assertEquals([shown.id, shown.files, shown.truncated], [id, [{ path: "a.txt", status: "changed" }], false]);
  assertEquals(shown.diff, "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n");
  assertMatch(
    await setup.refusal("show_change", { root: "r", id: "zzzzzzzz" }),
    /^no change "zzzzzzzz"; the newest/,
  );
});

Deno.test("restore restores a file to its state at a change or a time, and leaves alone what is unknown", async () => {
  await using setup = undoSetup();
  setup.write("d/a.txt", "zero\n");
  setup.write("d/never.txt", "never changed\n");
  const first = await write(setup, "d/a.txt", "one\n");
  const between = new Date(Date.now() + 5).toISOString();
  await new Promise((resolve) => setTimeout(resolve, 20));
  await write(setup, "d/a.txt", "two\n");
  await write(setup, "d/new.txt", "new\n");
  await setup.call("restore", at("d/a.txt", { at: first }));
  assertEquals(setup.read("d/a.txt"), "one\n");
  await setup.call("restore", at("d/a.txt", { at: "2020-01-01T00:00:00Z" }));
  assertEquals(setup.read("d/a.txt"), "zero\n");
  const { change } = await setup.call("restore", at("d", { at: between }));
  assertEquals([setup.read("d/a.txt"), setup.exists("d/new.txt")], ["one\n", false]);
  assertEquals(setup.read("d/never.txt"), "never changed\n");
  await setup.call("undo", { root: "r", id: change });
  assertEquals([setup.read("d/a.txt"), setup.read("d/new.txt")], ["zero\n", "new\n"]);
  assertEquals((await setup.call("restore", at("d/never.txt", { at: first }))).unknown, 1);
  assertMatch(await setup.refusal("restore", at("d", { at: "noon" })), /at must be the id of a change/);
});

Deno.test("restore restores a file from a folder that was removed, and one that was moved away", async () => {
  await using setup = undoSetup();
  setup.write("d/a.txt", "one\n");
  setup.write("b.txt", "two\n");
  const mark = await write(setup, "mark", "");
  await setup.call("remove_folder", at("d"));
  await setup.call("move", { source_root: "r", source_path: "b.txt", dest_root: "r", dest_path: "c.txt" });
  await setup.call("restore", at("d/a.txt", { at: mark }));
  await setup.call("restore", at("b.txt", { at: mark }));
  assertEquals([setup.read("d/a.txt"), setup.read("b.txt"), setup.read("c.txt")], [
    "one\n",
    "two\n",
    "two\n",
  ]);
});

Deno.test("restore restores a folder where a file is now, which undo then restores", async () => {
  await using setup = undoSetup();
  setup.write("d/e/a.txt", "one\n");
  const then = await write(setup, "d/e/a.txt", "two\n");
  await setup.call("remove_folder", at("d"));
  await write(setup, "d", "a file\n");
  const { change } = await setup.call("restore", at("d", { at: then }));
  assertEquals(setup.read("d/e/a.txt"), "two\n");
  await setup.call("undo", { root: "r", id: change });
  assertEquals(setup.read("d"), "a file\n");
});

Deno.test("an append-only file can be restored to what it was after any of its appends", async () => {
  await using setup = undoSetup();
  setup.write("log", "start\n");
  const ids: string[] = [];
  for (let i = 0; i < 20; i++) ids.push(await write(setup, "log", `line ${i}\n`, "append"));
  await setup.call("restore", at("log", { at: ids[9] }));
  assertEquals(setup.read("log").split("\n").length, 12);
});

Deno.test("a move between roots is a change in each, which name each other and are undone separately", async () => {
  await using other = undoSetup();
  await using setup = undoSetup({
    roots: [{
      name: "other",
      path: other.root,
      allowedTools: ["*"],
      protectGit: true,
      undo: {
        store: other.store,
        keepDays: 1,
        maxBytes: 1e9,
        maxChangeBytes: 1e8,
        exclude: [],
        required: false,
      },
    }],
  });
  setup.write("d/a.txt", "one\n");
  const moved = await setup.call("move", {
    source_root: "r",
    source_path: "d",
    dest_root: "other",
    dest_path: "e",
  });
  assertEquals(moved.also.root, "other");
  const back = await setup.call("undo", { root: "r", id: moved.change });
  assertEquals([setup.read("d/a.txt"), other.read("e/a.txt"), back.also], ["one\n", "one\n", [moved.also]]);
  const gone = await setup.call("undo", { root: "other", id: moved.also.id });
  assertEquals([other.exists("e"), gone.also], [false, [{ root: "r", id: moved.change }]]);
});

Deno.test("what would need too much copying is still changed, and the answer says that it cannot be undone", async () => {
  await using setup = undoSetup({ maxChangeBytes: 1_000 });
  setup.write("a.txt", "x".repeat(5_000));
  const written = await setup.call("write_file", at("a.txt", { content: "short" }));
  assertEquals([setup.read("a.txt"), written.undoable], ["short", false]);
  assertMatch(written.undo_note, /max_change_mb/);
  assertMatch(
    await setup.refusal("undo", { root: "r", id: written.change }),
    /cannot be undone: it would mean copying/,
  );
});

Deno.test("with undo required, what could not be undone is not done", async () => {
  await using setup = undoSetup({ maxChangeBytes: 1_000, required: true });
  setup.write("a.txt", "x".repeat(5_000));
  assertMatch(
    await setup.refusal("write_file", at("a.txt", { content: "short" })),
    /nothing was changed.*--require-undo/,
  );
  assertEquals(setup.read("a.txt").length, 5_000);
  await write(setup, "b.txt", "fine");
});

Deno.test("two servers on one root see each other's changes, and each undoes its own", async () => {
  await using setup = undoSetup();
  const { call } = setup.another();
  await write(setup, "a.txt", "one\n");
  const how = { session: "second", client: "second" };
  await call("write_file", at("b.txt", { content: "two\n" }), how);
  assertEquals((await setup.call("history", { root: "r" })).changes.length, 2);
  await call("undo", { root: "r" }, how);
  assertEquals([setup.exists("a.txt"), setup.exists("b.txt")], [true, false]);
});

Deno.test("old changes are forgotten completely, together with what only they needed", async () => {
  await using setup = undoSetup({ maxBytes: 20_000 });
  const { UndoStore } = await import("../../../src/engine/undo/store.ts");
  const { prune } = await import("../../../src/engine/undo/prune.ts");
  const { undoSettings } = await import("./setup.ts");
  setup.write("log", "start\n");
  for (let i = 0; i < 40; i++) {
    await write(setup, "a.txt", crypto.getRandomValues(new Uint8Array(1_000)).join(""));
    await write(setup, "log", `line ${i}\n`, "append");
  }
  await setup.close();
  const root = { name: "r", path: setup.root, git: "open" as const, nested: [] };
  const settings = undoSettings(setup.store, { maxBytes: 20_000 });
  const store = await UndoStore.open({ root, settings }, { deadline: Date.now() + 1_000 });
  try {
    await prune(store);
    const bytes = Number(store.db.get("select sum(length(data)) as n from content")?.n);
    const count = Number(store.db.get("select count(*) as n from change")?.n);
    assert(bytes <= 20_000 && count > 2 && count < 80, `${bytes} bytes, ${count} changes`);
    const [append] = store.db.all("select after_hash as hash from step where op = 'splice' order by change");
    assert(
      store.contents.get(String(append?.hash)) !== undefined,
      "a remaining append can be reconstructed",
    );
  } finally {
    store.close();
  }
  await setup.call("undo", { root: "r" });
});

Deno.test("a removal of more than the store may hold can be undone while it is the newest change", async () => {
  await using setup = undoSetup({ maxBytes: 1_000 });
  const { UndoStore } = await import("../../../src/engine/undo/store.ts");
  const { prune } = await import("../../../src/engine/undo/prune.ts");
  const { undoSettings } = await import("./setup.ts");
  const old = await write(setup, "b.txt", "b\n");
  setup.write("d/a.txt", "one\n".repeat(1_000));
  await setup.call("remove_folder", at("d"));
  const root = { name: "r", path: setup.root, git: "open" as const, nested: [] };
  const settings = undoSettings(setup.store, { maxBytes: 1_000 });
  const store = await UndoStore.open({ root, settings }, { deadline: Date.now() + 1_000 });
  try {
    await prune(store);
    assertEquals(store.records.changesNamed(old), []);
  } finally {
    store.close();
  }
  await setup.call("undo", { root: "r" });
  assertEquals(setup.read("d/a.txt"), "one\n".repeat(1_000));
});

Deno.test("pruning a change from when the clock was wrong removes nothing that others need", async () => {
  await using setup = undoSetup();
  const { UndoStore } = await import("../../../src/engine/undo/store.ts");
  const { prune } = await import("../../../src/engine/undo/prune.ts");
  const { undoSettings } = await import("./setup.ts");
  setup.write("d/a.txt", "one\n");
  const { change } = await setup.call("remove_folder", at("d"));
  const early = await write(setup, "b.txt", "two\n");
  const root = { name: "r", path: setup.root, git: "open" as const, nested: [] };
  const settings = undoSettings(setup.store);
  const store = await UndoStore.open({ root, settings }, { deadline: Date.now() + 1_000 });
  try {
    store.db.run("update change set time = 0 where id = ?", early);
    await prune(store);
    assertEquals(store.records.changesNamed(early), []);
  } finally {
    store.close();
  }
  await setup.call("undo", { root: "r", id: change });
  assertEquals(setup.read("d/a.txt"), "one\n");
});

Deno.test("no tool reaches a store inside its root, by name, link, listing, search or folder", async () => {
  await using setup = undoSetup();
  Deno.mkdirSync(`${setup.root}/state`);
  const own = setup.another({ store: `${setup.root}/state/store` });
  const call = async (tool: string, args: Record<string, unknown>) => {
    const { isError, content } = await own.call(tool, args);
    return `${isError === true} ${content[0].text}`;
  };
  await call("write_file", at("secret.txt", { content: "needle\n" }));
  assert(setup.exists("state/store/undo.db"));
  Deno.symlinkSync("state/store", `${setup.root}/way`);
  for (const path of ["state/store", "state/store/undo.db", "way/undo.db", "state/store/new.txt"]) {
    assertMatch(await call("read_file", at(path)), /^true .*undo store/);
    assertMatch(await call("write_file", at(path, { content: "x" })), /^true .*undo store/);
    assertMatch(await call("remove_file", at(path)), path === "way" ? /./ : /^true .*(undo store|directory)/);
  }
  assertMatch(await call("list_folder", at("state")), /^false .*"entries":\[\]/);
  assertMatch(await call("remove_folder", at("state")), /^true .*undo store/);
  assertMatch(
    await call("move", { source_root: "r", source_path: "state", dest_root: "r", dest_path: "elsewhere" }),
    /^true .*undo store/,
  );
  assertMatch(await call("glob", { root: "r", pattern: "**/undo.db" }), /^false .*"total_matches":0/);
  const found = JSON.parse((await call("grep", { root: "r", pattern: "needle" })).slice("false ".length));
  assertEquals(found.matches.map(({ file }: { file: string }) => file), ["secret.txt"]);
});

Deno.test("paths that the operator excludes are changed and not recorded, and the answer says so", async () => {
  await using setup = undoSetup({ exclude: ["*.log", "build/**"] });
  for (const path of ["a.log", "deep/b.log", "build/x/y.txt"]) {
    const written = await setup.call("write_file", at(path, { content: "x" }));
    assertEquals([setup.read(path), written.undoable], ["x", false], path);
    assertMatch(written.undo_note, /excluded/);
  }
  assert((await setup.call("write_file", at("a.txt", { content: "x" }))).change !== undefined);
});

Deno.test("undo of a move is a conflict when a file has taken the place of the folder it came from", async () => {
  await using setup = undoSetup();
  setup.write("d/a.txt", "text\n");
  const { change } = await setup.call("move", {
    source_root: "r",
    source_path: "d/a.txt",
    dest_root: "r",
    dest_path: "b.txt",
  });
  Deno.removeSync(`${setup.root}/d`);
  setup.write("d", "by hand\n");
  assertEquals(
    await setup.refusal("undo", { root: "r", id: change }),
    'conflict: "d" is no longer a folder; nothing was changed (root: r)',
  );
  assertEquals([setup.read("b.txt"), setup.read("d")], ["text\n", "by hand\n"]);
});
