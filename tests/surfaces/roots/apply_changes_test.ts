import { assert, assertEquals, assertMatch } from "@std/assert";
import { onUnix } from "../../support/needs.ts";
import { hexOf } from "../../support/sha256.ts";
import { tempFolder } from "../../support/temp.ts";
import { undoSettings, type UndoSetup, undoSetup } from "../../engine/undo/setup.ts";
import { root, rootsSurface } from "./setup.ts";

type Change = Record<string, unknown>;

const all = (changes: Change[], more: Record<string, unknown> = {}) => ({ root: "r", changes, ...more });
const write = (path: string, content: string): Change => ({ op: "write", path, content });
const edit = (path: string, old_text: string, new_text: string): Change => ({
  op: "edit",
  path,
  edits: [{ old_text, new_text }],
});
const move = (source: string, destination: string): Change => ({ op: "move", source, destination });
const remove = (path: string): Change => ({ op: "delete", path });
const mkdir = (path: string): Change => ({ op: "mkdir", path });

/** Every path below the root, with the content of files. */
function treeOf({ root }: UndoSetup, folder = ""): Record<string, string> {
  const entries = [...Deno.readDirSync(`${root}/${folder}`)].flatMap(({ name, isDirectory, isSymlink }) => {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (isSymlink) return [[path, `-> ${Deno.readLinkSync(`${root}/${path}`)}`]];
    return isDirectory
      ? [[`${path}/`, ""], ...Object.entries(treeOf({ root } as UndoSetup, path))]
      : [[path, Deno.readTextFileSync(`${root}/${path}`)]];
  });
  return Object.fromEntries(entries.sort(([a = ""], [b = ""]) => a < b ? -1 : 1));
}

Deno.test("apply_changes makes changes that build on each other, as one change that one undo undoes", async () => {
  await using setup = undoSetup();
  setup.write("a.txt", "one\ntwo\n");
  setup.write("b/c.txt", "cc\n");
  setup.write("d/e/f.txt", "x\n");
  Deno.chmodSync(`${setup.root}/a.txt`, 0o640);
  const before = treeOf(setup);
  const answer = await setup.call(
    "apply_changes",
    all([
      write("new/deep/x.txt", "hello\n"),
      edit("a.txt", "two", "2"),
      edit("new/deep/x.txt", "hello", "bye"),
      move("b", "bb"),
      edit("bb/c.txt", "cc", "CC"),
      remove("d"),
      write("d", "a file by now\n"),
      mkdir("m/n"),
      move("a.txt", "m"),
    ]),
  );
  const after = {
    "bb/": "",
    "bb/c.txt": "CC\n",
    d: "a file by now\n",
    "m/": "",
    "m/a.txt": "one\n2\n",
    "m/n/": "",
    "new/": "",
    "new/deep/": "",
    "new/deep/x.txt": "bye\n",
  };
  assertEquals(treeOf(setup), after);
  assertEquals((Deno.statSync(`${setup.root}/m/a.txt`).mode ?? 0) & 0o777, 0o640);
  const files: { path: string; status: string; to?: string; hash?: string }[] = answer.files;
  assertEquals(files.find(({ path }) => path === "new/deep/x.txt")?.hash, await hexOf("bye\n"));
  assertEquals(files.at(-1), { path: "a.txt", status: "moved", to: "m/a.txt" });
  assertMatch(answer.diff, /^-two\n\+2$/m);
  assert(!answer.diff.includes("by now"), "what was written is not told again");
  const { changes: [change] } = await setup.call("history", { root: "r" });
  assertEquals([change.id, change.tool, change.path_count], [answer.change, "apply_changes", 11]);
  assertMatch(change.summary, /^apply_changes: write new\/deep\/x\.txt, edit a\.txt, .* and 6 more$/);
  const { diff } = await setup.call("show_change", { root: "r", id: answer.change });
  for (const line of ["rename b => bb", "remove folder d", "+a file by now", "create folder m/n"]) {
    assert(diff.includes(`${line}\n`), diff);
  }
  const undone = await setup.call("undo", { root: "r" });
  assertEquals([undone.undone, treeOf(setup)], [[answer.change], before]);
  assertEquals((Deno.statSync(`${setup.root}/a.txt`).mode ?? 0) & 0o777, 0o640);
  await setup.call("undo", { root: "r", id: undone.change });
  assertEquals(treeOf(setup), after);
});

Deno.test("apply_changes leaves everything as it was if one of them does not apply, and says which", async () => {
  await using setup = undoSetup();
  setup.write("a.txt", "one\n");
  setup.write("folder/b.txt", "b\n");
  Deno.mkdirSync(`${setup.root}/.git`);
  const before = treeOf(setup);
  const WRONG: [Change, RegExp][] = [
    [edit("a.txt", "two", "2"), /^changes\[1\]\.edits\[0\]\.old_text is not in "a\.txt"/],
    [edit("missing.txt", "a", "b"), /^changes\[1\] \(edit\): file not found: "missing\.txt"; nothing/],
    [edit("folder", "a", "b"), /path is a directory, not a file: "folder"/],
    [write("folder", ""), /path is a directory, not a file: "folder"/],
    [write("a.txt/b.txt", ""), /changes\[1\] \(write\): .*a\.txt/],
    [write("x/", ""), /names a folder, not a file: "x\/"; leave out the trailing slash/],
    [write("../x", ""), /changes\[1\] \(write\): path resolves outside root boundary/],
    [write(".git/config", ""), /inside a \.git/],
    [remove("."), /cannot remove root directory/],
    [remove("nothing"), /file not found: "nothing"/],
    [move("folder", "folder/in/itself"), /cannot move "folder" into itself \("folder\/in\/itself"\)/],
    [move(".", "x"), /cannot move root directory/],
    [move("a.txt", "/etc/x"), /outside root boundary.*; only move goes to another root; nothing was changed/],
    [move("folder", "a.txt"), /destination exists and is a file: "a\.txt"/],
    [move("a.txt", "new/"), /names a folder, not a file: "new\/"/],
    [mkdir("a.txt"), /path exists and is a file: "a\.txt"/],
    [{ ...edit("a.txt", "one", "1"), expected_hash: "0".repeat(64) }, /its hash is now [0-9a-f]{64}/],
    [{ ...write("n", ""), expected_hash: "0".repeat(64) }, /there is no such file now/],
    [{ op: "write", path: "n" }, /^changes\[1\]\.content is required \(write takes path, content/],
    [
      { op: "move", path: "a.txt", destination: "n" },
      /changes\[1\]\.source is required .*\[1\]\.path does not/,
    ],
    [{ op: "rename", path: "a.txt" }, /changes\[1\]\.op must be one of: write, edit, delete, move, mkdir/],
  ];
  for (const [change, words] of WRONG) {
    const text = await setup.refusal("apply_changes", all([write("first.txt", "first\n"), change]));
    assertMatch(text, words, JSON.stringify(change));
    assertEquals(treeOf(setup), before, text);
  }
  assertEquals((await setup.call("history", { root: "r" })).changes, []);
});

Deno.test("apply_changes lets each operation see those before it, including their removals", async () => {
  await using setup = undoSetup();
  setup.write("a.txt", "a\n");
  setup.write("b.txt", "b\n");
  const gone = await setup.refusal("apply_changes", all([move("a.txt", "c.txt"), edit("a.txt", "a", "A")]));
  assertMatch(
    gone,
    /^changes\[1\] \(edit\): file not found: "a\.txt"; changes\[0\] moved it to "c\.txt"/,
  );
  assertMatch(
    await setup.refusal("apply_changes", all([remove("a.txt"), edit("a.txt", "a", "A")])),
    /changes\[0\] deleted it/,
  );
  await setup.call("apply_changes", all([move("a.txt", "t"), move("b.txt", "a.txt"), move("t", "b.txt")]));
  assertEquals(treeOf(setup), { "a.txt": "b\n", "b.txt": "a\n" });
  await setup.call("apply_changes", all([remove("a.txt"), write("a.txt/in/it.txt", "deep\n")]));
  assertEquals(setup.read("a.txt/in/it.txt"), "deep\n");
  await setup.call("apply_changes", all([write("b.txt", "1"), edit("b.txt", "1", "2"), remove("b.txt")]));
  assertEquals(setup.exists("b.txt"), false);
  const { change } = await setup.call("apply_changes", all([mkdir("a.txt"), move("a.txt", "a.txt")]));
  assertEquals(change, undefined, "what is so already is no change");
  for (let i = 0; i < 3; i++) await setup.call("undo", { root: "r" });
  assertEquals(treeOf(setup), { "a.txt": "a\n", "b.txt": "b\n" });
});

Deno.test("apply_changes with dry_run shows everything and changes nothing", async () => {
  await using setup = undoSetup();
  setup.write("a.txt", "one\n");
  const before = treeOf(setup);
  const changes = [write("b.txt", "new\n"), edit("a.txt", "one", "1"), move("a.txt", "c.txt")];
  const answer = await setup.call("apply_changes", all(changes, { dry_run: true }));
  assertEquals([answer.dry_run, answer.change, treeOf(setup)], [true, undefined, before]);
  for (const line of ["+new", "-one", "+1", "rename a.txt => c.txt"]) {
    assert(answer.diff.includes(`${line}\n`));
  }
  assertMatch(await setup.refusal("apply_changes", all([remove("x")], { dry_run: true })), /not found/);
});

Deno.test("apply_changes accepts 1,000 operations, and no more", async () => {
  await using setup = undoSetup({ inMemory: true });
  setup.write("a.txt", "0\n");
  const many = Array.from({ length: 1_001 }, (_, i) => {
    return i % 10 === 0 ? write(`f${i % 7}/file${i}.txt`, `${i}\n`) : edit("a.txt", "\n", "!\n");
  });
  const text = await setup.refusal("apply_changes", all(many));
  assertMatch(text, /changes must be a list with a length of at most 1000/);
  const { files } = await setup.call("apply_changes", all(many.slice(1)));
  assertEquals(files.length, 1 + 100 + 7);
  assertEquals(setup.read("a.txt"), `0${"!".repeat(900)}\n`);
  await setup.call("undo", { root: "r" });
  assertEquals(treeOf(setup), { "a.txt": "0\n" });
});

Deno.test("apply_changes writes and replaces files of megabytes, and undoes that", async () => {
  await using setup = undoSetup({ config: { maxSize: 20_000_000 } });
  const large = "0123456789abcdef".repeat(200_000);
  setup.write("old.bin", large);
  const changes = [write("old.bin", "small"), write("new.bin", `${large}!`), move("new.bin", "moved.bin")];
  const { change } = await setup.call("apply_changes", all(changes));
  assertEquals([setup.read("old.bin"), setup.read("moved.bin").length], ["small", large.length + 1]);
  const { change: undo } = await setup.call("undo", { root: "r", id: change });
  assertEquals([setup.read("old.bin") === large, setup.exists("moved.bin")], [true, false]);
  await setup.call("undo", { root: "r", id: undo });
  assertEquals([setup.read("old.bin"), setup.read("moved.bin") === `${large}!`], ["small", true]);
});

Deno.test("apply_changes is refused with the reason if there is no undo", async () => {
  using folder = tempFolder();
  folder.write("r/a.txt", "a");
  const off = { ...root("r", `${folder.path}/r`), undo: { off: "there is no home directory" } };
  const other = { ...root("s", `${folder.path}/r`), undo: undoSettings(`${folder.path}/store`) };
  const { call, surface } = rootsSurface([off, other]);
  const result = await call("apply_changes", all([remove("a.txt")]));
  assertMatch(
    result.content[0].text,
    /^apply_changes needs undo .* undo is off for root r: there is no home directory; make the changes one by one/,
  );
  assertEquals(folder.read("r/a.txt"), "a");
  await surface.close();
});

Deno.test("apply_changes is named in allowed_tools like any other tool, and stays in its root", async () => {
  using folder = tempFolder();
  for (const path of ["r/in/a.txt", "r/b.txt", "s/c.txt"]) folder.write(path, "x");
  const undo = (name: string) => undoSettings(`${folder.path}/store-${name}`);
  const roots = [
    { ...root("r", `${folder.path}/r`, ["apply_changes"]), undo: undo("r") },
    { ...root("in", `${folder.path}/r/in`), undo: undo("in") },
    { ...root("s", `${folder.path}/s`, ["read_file"]), undo: undo("s") },
  ];
  const { call, surface } = rootsSurface(roots);
  const said = async (where: string, ...changes: Change[]) =>
    (await call("apply_changes", { root: where, changes })).content[0].text;
  assertMatch(
    await said("s", remove("c.txt")),
    /apply_changes not allowed on root s; allowed there: read_file/,
  );
  assertMatch(
    await said("r", remove("in/a.txt")),
    /"in\/a\.txt" is in root in; change it in a call for that/,
  );
  assertMatch(await said("r", remove("in")), /is in root in|contains the directory of root in/);
  assertMatch(await said("r", move("b.txt", `${folder.path}/s/b.txt`)), /outside root boundary/);
  assertMatch(
    await said("r", edit("c.txt", "x", "y")),
    /file not found: "c\.txt"; nothing/,
    "no names are revealed",
  );
  assertMatch(await said("r", move("r/b.txt", "b2.txt")), /"status":"moved"/);
  assertEquals([folder.read("r/b2.txt"), folder.read("r/in/a.txt"), folder.read("s/c.txt")], ["x", "x", "x"]);
  await surface.close();
});

Deno.test("apply_changes refuses paths that the operator has excluded from undo", async () => {
  await using setup = undoSetup({ exclude: ["*.log"] });
  const text = await setup.refusal("apply_changes", all([write("a.txt", "a"), write("x.log", "x")]));
  assertMatch(text, /changes\[1\] \(write\): the operator has excluded "x\.log" from undo/);
  assertEquals(treeOf(setup), {});
});

Deno.test({
  ...onUnix("apply_changes follows links as they are, and never out of the root"),
  fn: async () => {
    await using setup = undoSetup();
    setup.write("real/a.txt", "a\n");
    setup.base.write("outside.txt", "outside\n");
    Deno.symlinkSync("real", `${setup.root}/link`);
    Deno.symlinkSync("../outside.txt", `${setup.root}/out`);
    await setup.call("apply_changes", all([edit("link/a.txt", "a", "b"), write("link/new.txt", "n\n")]));
    assertEquals([setup.read("real/a.txt"), setup.read("real/new.txt")], ["b\n", "n\n"]);
    for (const change of [write("out", "x"), edit("out", "outside", "x"), move("out", "out2")]) {
      assertMatch(await setup.refusal("apply_changes", all([change])), /outside/);
    }
    await setup.call("apply_changes", all([remove("link"), write("link/x.txt", "a folder by now\n")]));
    assertEquals([setup.read("link/x.txt"), setup.exists("real/x.txt")], ["a folder by now\n", false]);
    await setup.call("undo", { root: "r" });
    assertEquals(Deno.readLinkSync(`${setup.root}/link`), "real");
    const text = await setup.refusal("apply_changes", all([move("link", "l2"), write("l2/x.txt", "x")]));
    assertMatch(text, /"l2" is a link that was moved here, not a folder/);
    await setup.call("apply_changes", all([remove("out")]));
    assertEquals([setup.exists("out"), setup.base.read("outside.txt")], [false, "outside\n"]);
  },
});

Deno.test("apply_changes tells a model what it did in a few lines", async () => {
  const { applyChanges } = await import("../../../src/surfaces/roots/tools/apply_changes.ts");
  await using setup = undoSetup();
  setup.write("a.txt", "one\n");
  const changes = [write("b.txt", "new\n"), edit("a.txt", "one", "1"), move("b.txt", "c.txt")];
  const answer = await setup.call("apply_changes", all(changes));
  assertEquals(
    applyChanges.compact?.(answer, {}),
    `change: ${answer.change}\ncreated b.txt\nchanged a.txt\nmoved b.txt to c.txt\n` +
      "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+1\n",
  );
  const none = await setup.call("apply_changes", all([edit("a.txt", "1", "1")]));
  assertEquals(applyChanges.compact?.(none, {}), "nothing changed: everything is already so");
});
