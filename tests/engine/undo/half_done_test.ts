/**
 * All-or-nothing changes, interrupted at every step in turn, and so is the process that rolls them back: what is left
 * is always rolled back in the end. The process that dies is one whose locks fail from some moment on, in a way that
 * nobody catches.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Locks } from "../../../src/engine/locks.ts";
import { createLogger } from "../../../src/base/log.ts";
import { Stats } from "../../../src/base/stats.ts";
import { RootsSurface } from "../../../src/surfaces/roots/surface.ts";
import { Registry } from "../../../src/tools/registry.ts";
import { needs } from "../../support/needs.ts";
import { type TempFolder, tempFolder } from "../../support/temp.ts";
import { root, rootsSurface, surfaceConfig } from "../../surfaces/roots/setup.ts";
import { undoSettings, undoSetup } from "./setup.ts";

/** Locks that fail from the given use of a file's lock on: before the work under it, or right after. */
class DyingLocks extends Locks {
  #uses: number;
  readonly #when: "before" | "after";

  constructor(uses: number, when: "before" | "after") {
    super();
    this.#uses = uses;
    this.#when = when;
  }

  get isDead(): boolean {
    return this.#uses < 0;
  }

  override withFile: Locks["withFile"] = (path, body, options) => {
    const isLast = this.#uses-- <= 0;
    if (isLast && this.#when === "before") throw new Death();
    return super.withFile(path, async (lock) => {
      const result = await body(lock);
      if (isLast) throw new Death();
      return result;
    }, options);
  };
}

class Death extends Error {}

const BEFORE: Record<string, string> = {
  "a.txt": "a\n",
  "b.txt": "b\n",
  "c.txt": "c\n",
  "d/e/f.txt": "f\n",
  "g.txt": "g\n",
};
const CHANGES = [
  { op: "edit", path: "a.txt", edits: [{ old_text: "a", new_text: "A" }] },
  { op: "edit", path: "b.txt", edits: [{ old_text: "b", new_text: "B" }] },
  { op: "move", source: "a.txt", destination: "t" },
  { op: "move", source: "b.txt", destination: "a.txt" },
  { op: "move", source: "t", destination: "b.txt" },
  { op: "delete", path: "c.txt" },
  { op: "write", path: "new/c.txt", content: "new\n" },
  { op: "delete", path: "d" },
  { op: "move", source: "new/c.txt", destination: "c.txt" },
  { op: "edit", path: "a.txt", edits: [{ old_text: "B", new_text: "BB" }] },
  { op: "move", source: "g.txt", destination: "a.txt" },
];

function treeOf(folder: TempFolder): Record<string, string> {
  const files = folder.names().filter((name) =>
    name.startsWith("r/") && Deno.lstatSync(`${folder.path}/${name}`).isFile && !name.includes(".paddock-")
  );
  return Object.fromEntries(files.map((name) => [name.slice(2), folder.read(name)]));
}

/** A server on the root; returns the answer, unless it died. */
async function server(
  folder: TempFolder,
  locks: Locks,
  use: (registry: Calls) => Promise<unknown>,
  timeoutMs = 10_000,
) {
  const roots = [{ ...root("r", `${folder.path}/r`), undo: undoSettings(`${folder.path}/store`) }];
  const { config } = rootsSurface(roots);
  const surface = new RootsSurface(config, surfaceConfig(roots), { locks });
  const registry = new Registry(surface, {
    log: createLogger({ level: "error", format: "text", write: () => {} }),
    stats: new Stats(),
    timeoutMs,
    callLogLevel: "info",
  });
  const { signal } = new AbortController();
  try {
    return await use((tool, args) =>
      registry.call(tool, { root: "r", ...args }, { signal, requestId: 1, client: undefined })
    );
  } finally {
    await surface.close();
  }
}

type Calls = (tool: string, args: Record<string, unknown>) => Promise<{ isError?: boolean } | undefined>;

for (const when of ["before", "after"] as const) {
  Deno.test(`a set of changes interrupted ${when} any step is rolled back by the next call`, async () => {
    let halves = 0;
    for (let dies = 0;; dies++) {
      using folder = tempFolder({ inMemory: true });
      for (const [path, content] of Object.entries(BEFORE)) folder.write(`r/${path}`, content);
      const before = treeOf(folder);
      const locks = new DyingLocks(dies, when);
      await server(folder, locks, (call) => call("apply_changes", { changes: CHANGES }));
      if (!locks.isDead) break;
      if (JSON.stringify(treeOf(folder)) !== JSON.stringify(before)) halves++;
      // Now and then the rollback is interrupted as well.
      const again = new DyingLocks(dies % 4, when === "before" ? "after" : "before");
      await server(folder, again, (call) => call("history", {}));
      await server(folder, new Locks(), (call) => call("read_file", { path: "g.txt" }));
      assertEquals(treeOf(folder), before, `interrupted ${when} step ${dies}`);
      assertEquals(folder.names().filter((name) => name === "r/new" || name === "r/t"), []);
    }
    assert(halves > 3, `${halves}`);
  });
}

Deno.test("what a person changed after a crash stays, and the rest is rolled back", async () => {
  using folder = tempFolder({ inMemory: true });
  for (const [path, content] of Object.entries(BEFORE)) folder.write(`r/${path}`, content);
  const edits = ["a", "b", "c"].map((name) => ({
    op: "edit",
    path: `${name}.txt`,
    edits: [{ old_text: name, new_text: `${name}!` }],
  }));
  await server(folder, new DyingLocks(2, "before"), (call) => call("apply_changes", { changes: edits }));
  folder.write("r/b.txt", "mine\n");
  await server(folder, new Locks(), (call) => call("list_folder", {}));
  assertEquals(treeOf(folder), { ...BEFORE, "b.txt": "mine\n" });
});

/** Locks that are slow. */
class SlowLocks extends Locks {
  override withFile: Locks["withFile"] = async (path, body, options) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return await super.withFile(path, body, options);
  };
}

Deno.test("the next call waits until everything is rolled back, however long that takes", async () => {
  using folder = tempFolder({ inMemory: true });
  for (const [path, content] of Object.entries(BEFORE)) folder.write(`r/${path}`, content);
  await server(folder, new DyingLocks(6, "after"), (call) => call("apply_changes", { changes: CHANGES }));
  const read = (call: Calls) => call("read_file", { path: "a.txt" });
  const answer = await server(folder, new SlowLocks(), read, 1_000) as { isError?: boolean };
  assertEquals([answer.isError ?? false, treeOf(folder)], [false, BEFORE]);
});

Deno.test("a change cancelled in the middle is completed", async () => {
  await using setup = undoSetup({ inMemory: true });
  const changes = Array.from(
    { length: 60 },
    (_, i) => ({ op: "write", path: `f${i}.txt`, content: `${i}\n` }),
  );
  const control = new AbortController();
  const running = setup.call("apply_changes", { root: "r", changes }, { signal: control.signal });
  while (!setup.exists("f3.txt")) await new Promise((resolve) => setTimeout(resolve, 1));
  control.abort();
  const { change } = await running;
  assertEquals([change !== undefined, setup.read("f59.txt")], [true, "59\n"]);
});

Deno.test("a person who saves one of the files meanwhile loses nothing, and the changes are made on top", async () => {
  await using setup = undoSetup({ inMemory: true });
  for (let i = 0; i < 80; i++) setup.write(`f${i}.txt`, `${i}\nlast\n`);
  const changes = Array.from({ length: 80 }, (_, i) => ({
    op: "edit",
    path: `f${i}.txt`,
    edits: [{ old_text: "last", new_text: "edited" }],
  }));
  const running = setup.call("apply_changes", { root: "r", changes });
  await new Promise((resolve) => setTimeout(resolve, 5));
  setup.write("f79.txt", "mine\nlast\n");
  await running;
  assertMatch(setup.read("f79.txt"), /^mine\n(last|edited)\n$/);
  for (let i = 0; i < 79; i++) assertEquals(setup.read(`f${i}.txt`), `${i}\nedited\n`);
  await setup.call("undo", { root: "r" });
  assertEquals([setup.read("f79.txt"), setup.read("f0.txt")], ["mine\nlast\n", "0\nlast\n"]);
});

Deno.test("two servers that change the same files at once, each all or nothing, both succeed", async () => {
  await using setup = undoSetup({ inMemory: true });
  for (let i = 0; i < 10; i++) setup.write(`f${i}.txt`, "one\n\n\n\ntwo\n");
  const other = setup.another();
  const changes = (old_text: string, new_text: string) =>
    Array.from(
      { length: 10 },
      (_, i) => ({ op: "edit", path: `f${i}.txt`, edits: [{ old_text, new_text }] }),
    );
  const [mine, theirs, written] = await Promise.all([
    setup.call("apply_changes", { root: "r", changes: changes("one", "1") }),
    other.call("apply_changes", { root: "r", changes: changes("two", "2") }),
    other.call("write_file", { root: "r", path: "f9.txt", content: "three\n", mode: "append" }),
  ]);
  assertEquals([theirs.isError ?? false, written.isError ?? false], [false, false], theirs.content[0].text);
  for (let i = 0; i < 9; i++) assertEquals(setup.read(`f${i}.txt`), "1\n\n\n\n2\n");
  assertEquals(setup.read("f9.txt"), "1\n\n\n\n2\nthree\n");
  await setup.call("undo", { root: "r", id: mine.change });
  assertEquals([setup.read("f0.txt"), setup.read("f9.txt")], ["one\n\n\n\n2\n", "one\n\n\n\n2\nthree\n"]);
});

Deno.test("if a store fails in the middle, everything is rolled back, and the answer says so", async () => {
  await using setup = undoSetup();
  setup.write("a.txt", "a\n");
  setup.write("b.txt", "b\n");
  await setup.call("write_file", { root: "r", path: "first.txt", content: "x" });
  const { DatabaseSync } = await import("node:sqlite");
  using db = new DatabaseSync(`${setup.store}/undo.db`);
  db.exec(
    "create trigger full before insert on step when new.op = 'move' " +
      "begin select raise(fail, 'database or disk is full'); end",
  );
  const changes = [
    { op: "edit", path: "a.txt", edits: [{ old_text: "a", new_text: "A" }] },
    { op: "delete", path: "b.txt" },
    { op: "write", path: "new/c.txt", content: "c" },
    { op: "move", source: "a.txt", destination: "d.txt" },
  ];
  const text = await setup.refusal("apply_changes", { root: "r", changes });
  assertMatch(text, /^there is no disk space for the undo store; nothing was changed/);
  assertEquals([setup.read("a.txt"), setup.read("b.txt"), setup.exists("new")], ["a\n", "b\n", false]);
  db.exec("drop trigger full");
  await setup.call("apply_changes", { root: "r", changes });
  assertEquals([setup.read("d.txt"), setup.exists("a.txt")], ["A\n", false]);
  if (Deno.build.os === "windows") return; // an open store cannot be removed there
  Deno.removeSync(setup.store, { recursive: true });
  const gone = await setup.refusal("apply_changes", {
    root: "r",
    changes: [{ op: "delete", path: "d.txt" }],
  });
  assertMatch(gone, /removed.*nothing was changed/);
  assertEquals(setup.read("d.txt"), "A\n");
});

Deno.test({
  ...needs("a user other than root")("if the root may not be written, nothing is changed"),
  fn: async () => {
    await using setup = undoSetup();
    setup.write("a/x.txt", "x\n");
    setup.write("b/y.txt", "y\n");
    Deno.chmodSync(`${setup.root}/b`, 0o500);
    try {
      const changes = [{ op: "delete", path: "a/x.txt" }, { op: "delete", path: "b/y.txt" }];
      assertMatch(await setup.refusal("apply_changes", { root: "r", changes }), /ermission/);
      assertEquals([setup.read("a/x.txt"), setup.read("b/y.txt")], ["x\n", "y\n"]);
    } finally {
      Deno.chmodSync(`${setup.root}/b`, 0o700);
    }
  },
});
