/** Packs as paddock writes and merges them, with git as judge, and what is left when power fails. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import { GitFolder } from "../../../src/engine/history/git_folder.ts";
import { GitStore } from "../../../src/engine/history/git_store.ts";
import { openHistory, type Step } from "../../../src/engine/history/mod.ts";
import { hashObject, type ObjectType } from "../../../src/engine/history/objects.ts";
import { ObjectStore } from "../../../src/engine/history/object_store.ts";
import { PackMerger } from "../../../src/engine/history/pack_merge.ts";
import { CrashImages } from "./crash_images.ts";
import { gitLog, newWorkspace, REQUEST, type Workspace, workspaceOn } from "./workspace.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const PACKS = ".git/objects/pack";

function packsOf(work: { root: { path: string } }): string[] {
  return Array.from(Deno.readDirSync(`${work.root.path}/${PACKS}`), ({ name }) => name)
    .filter((name) => name.endsWith(".idx")).map((name) => name.slice(0, -4)).sort();
}

/** One pack of these objects. */
async function pack(work: Workspace, contents: readonly [ObjectType, Uint8Array][]): Promise<void> {
  const store = new ObjectStore(new GitFolder(work.root));
  const batch = store.batch();
  for (const [type, data] of contents) await batch.add(type, data);
  batch.stage();
  store.publish();
}

Deno.test("ObjectBatch writes packs that git verifies, whatever the sizes of the objects", async () => {
  using work = await newWorkspace();
  const sizes = [0, 1, 15, 16, 17, 2_047, 2_048, 70_000, 300_000, 3_000_000];
  const blobs = sizes.map((size) => Buffer.alloc(size, `${size} `));
  await pack(work, blobs.map((data) => ["blob", data]));
  const names = packsOf(work);
  assertEquals(names.length, 1);
  assertMatch(work.git("verify-pack", "-v", `${PACKS}/${names[0]}.idx`), /: ok\n$/);
  const store = new ObjectStore(new GitFolder(work.root));
  for (const data of blobs) {
    const oid = hashObject("blob", data);
    assert(Buffer.from(store.blob(oid)).equals(data));
    assertEquals(store.size(oid), data.length);
    assertEquals(work.git("cat-file", "-s", oid).trim(), String(data.length));
  }
  store.close();
});

Deno.test("ObjectBatch holds what is new for reading, in memory or in packs on their way, and leaves nothing", async () => {
  using work = await newWorkspace();
  const store = new ObjectStore(new GitFolder(work.root));
  const batch = store.batch();
  const large = Array.from({ length: 5 }, (_, i) => Buffer.alloc(3_000_000, `${i}`));
  const oids: string[] = [];
  for (const data of large) oids.push(await batch.add("blob", data));
  assert(batch.packs.length > 0, "much at once goes to the disk");
  for (const [i, oid] of oids.entries()) {
    assert(Buffer.from(store.blob(oid)).equals(large[i] ?? Buffer.alloc(0)));
  }
  store.discard();
  assertEquals(packsOf(work), []);
  assertEquals(work.names().filter((name) => /\.(pack|idx)$/.test(name)), []);
  store.close();
});

Deno.test("PackMerger makes one pack of many, each object once, and leaves what is not its own", async () => {
  using work = await newWorkspace();
  const blob = (text: string): [ObjectType, Uint8Array] => ["blob", encode(text)];
  for (let i = 0; i < 5; i++) await pack(work, [blob(`${i}\n`), blob("in all of them\n")]);
  const others = packsOf(work);
  await pack(work, [blob("kept\n")]);
  const before = packsOf(work);
  const kept = before.find((name) => !others.includes(name)) ?? "";
  Deno.writeTextFileSync(`${work.path}/${PACKS}/${kept}.keep`, "");
  const merger = new PackMerger(new GitFolder(work.root));
  assertEquals(await merger.merge({ most: 7 }), false, "there are not that many");
  assertEquals(packsOf(work), before);
  assertEquals(await merger.merge({ most: 3 }), true);
  const after = packsOf(work);
  assertEquals(after.length, 2);
  assert(after.includes(kept));
  for (const text of ["0\n", "4\n", "in all of them\n", "kept\n"]) {
    assertEquals(work.git("cat-file", "blob", hashObject("blob", encode(text))), text);
  }
  for (const name of after) work.git("verify-pack", `${PACKS}/${name}.idx`);
  assertEquals(work.git("fsck", "--strict", "--no-dangling"), "");
});

Deno.test("PackMerger leaves packs with deltas, damaged ones, and all where git has an index of several", async () => {
  using work = await newWorkspace();
  const lines = Array.from({ length: 500 }, (_, i) => `line ${i}`);
  for (let i = 0; i < 4; i++) await work.put("a.txt", [...lines, i].join("\n"));
  work.git("gc", "-q");
  const [deltas = ""] = packsOf(work);
  assertMatch(work.git("verify-pack", "-v", `${PACKS}/${deltas}.idx`), /chain length = 1/);
  for (const text of ["one\n", "two\n", "three\n"]) await pack(work, [["blob", encode(text)]]);
  const damaged = packsOf(work).find((name) => name !== deltas) ?? "";
  const path = `${work.path}/${PACKS}/${damaged}.pack`;
  Deno.chmodSync(path, 0o644);
  const bytes = Deno.readFileSync(path);
  bytes[15] = (bytes[15] ?? 0) ^ 0xff;
  Deno.writeFileSync(path, bytes);
  Deno.writeTextFileSync(`${work.path}/${PACKS}/multi-pack-index`, "");
  const merger = new PackMerger(new GitFolder(work.root));
  assertEquals(await merger.merge({ most: 2 }), false);
  Deno.removeSync(`${work.path}/${PACKS}/multi-pack-index`);
  assertEquals(await merger.merge({ most: 2 }), true);
  const left = packsOf(work);
  assertEquals(left.length, 3);
  assert(left.includes(deltas) && left.includes(damaged));
});

Deno.test("change keeps the number of packs small, and git agrees with every commit", async () => {
  using work = await newWorkspace();
  const commits: string[] = [];
  for (let i = 0; i < 120; i++) commits.push((await work.put(`d${i % 3}/a.txt`, `${i}\n`)).commit);
  assert(packsOf(work).length < 60, `${packsOf(work).length} packs`);
  assertEquals(gitLog(work), commits.toReversed());
  work.judge();
  const { entries } = await workspaceOn(work.root).history.log({ limit: 200 });
  assertEquals(entries.map(({ commit }) => commit), commits.toReversed());
});

Deno.test("tidy puts packs together beside a git command that holds the index, and empties the journal", async () => {
  using work = await newWorkspace();
  const store = new GitStore(work.root);
  for (let i = 0; i < 16; i++) await work.put("a.txt", `${i}\n`);
  const { commit } = await work.put("a.txt", "last\n");
  Deno.writeTextFileSync(`${work.path}/.git/index.lock`, "");
  await store.tidy();
  assertEquals(packsOf(work).length, 1);
  assertEquals(Deno.statSync(`${work.path}/.git/mcp/journal`).size, 0);
  Deno.removeSync(`${work.path}/.git/index.lock`);
  assertEquals(gitLog(work)[0], commit);
  work.judge();
});

Deno.test("change goes on while another process merges the packs that it knows", async () => {
  using work = await newWorkspace();
  const other = workspaceOn(work.root);
  for (let i = 0; i < 6; i++) await work.put("a.txt", `${i}\n`);
  await other.history.log({ limit: 10 });
  assert(await new PackMerger(new GitFolder(work.root)).merge({ most: 2 }));
  for (const one of [work, other]) {
    await one.put("b.txt", `${Math.random()}\n`);
    assertEquals((await one.history.log({ limit: 99 })).entries.map(({ commit }) => commit), gitLog(work));
  }
  work.judge();
});

/**
 * The disk after a power cut: contents and records are there, as they were in the end; of the names, only those that
 * were made before `place`.
 */
function cutAt(work: Workspace, crashes: CrashImages, place: RegExp) {
  const image = crashes.images.find(({ before }) => place.test(before));
  assert(image !== undefined);
  for (const lock of ["index.lock", "refs/heads/main.lock"]) {
    Deno.removeSync(`${image.folder}/.git/${lock}`); // as a person would, to make it no easier
  }
  Deno.copyFileSync(`${work.path}/.git/mcp/journal`, `${image.folder}/.git/mcp/journal`); // it says "done"
  return workspaceOn({ ...work.root, path: image.folder });
}

const NAMES: [name: string, place: RegExp][] = [
  ["of the file", /renameSync .*\.tmp .*\/a\.txt$/],
  ["of the pack", /renameSync .*\.pack .*objects\/pack/],
  ["of the pack's index", /renameSync .*\.idx .*objects\/pack/],
  ["of the branch", /renameSync .*main\.lock .*\/main$/],
];

for (const [name, place] of NAMES) {
  Deno.test(`heal makes an acknowledged change again when a power cut took all names from that ${name} on`, async () => {
    using work = await newWorkspace();
    await work.put("a.txt", "old\n");
    await work.put("sub/b.txt", "old\n");
    using crashes = new CrashImages(work.path);
    const { commit } = await work.put("a.txt", "new\n");
    crashes.stop();
    const cut = cutAt(work, crashes, place);
    await cut.history.heal();
    assertEquals(Deno.readTextFileSync(`${cut.root.path}/a.txt`), "new\n");
    assertEquals(gitLog(cut)[0], commit);
    cut.judge();
  });
}

Deno.test("heal makes several acknowledged changes again, in their order", async () => {
  using work = await newWorkspace();
  await work.put("a.txt", "0\n");
  using crashes = new CrashImages(work.path);
  await work.put("a.txt", "1\n");
  await work.change({ kind: "move", from: work.at("a.txt"), to: work.at("b.txt") });
  await work.put("a.txt", "2\n");
  await work.change({ kind: "remove", path: work.at("b.txt") });
  crashes.stop();
  // The packs of the later changes were synced as contents as well.
  const cut = cutAt(work, crashes, /renameSync .*\.tmp .*\/a\.txt$/);
  for (const name of packsOf(work).filter((name) => !packsOf(cut).includes(name))) {
    for (const ending of [".pack", ".idx"]) {
      Deno.copyFileSync(
        `${work.path}/${PACKS}/${name}${ending}`,
        `${cut.root.path}/.git/mcp/${name}${ending}`,
      );
    }
  }
  await cut.history.heal();
  assertEquals(gitLog(cut), gitLog(work));
  assertEquals(Deno.readTextFileSync(`${cut.root.path}/a.txt`), "2\n");
  cut.judge();
});

Deno.test("heal keeps an acknowledged commit aside when somebody went on without it after a power cut", async () => {
  using work = await newWorkspace();
  await work.put("a.txt", "old\n");
  using crashes = new CrashImages(work.path);
  const { commit } = await work.put("a.txt", "new\n");
  crashes.stop();
  const cut = cutAt(work, crashes, NAMES[0]?.[1] ?? /./);
  cut.git("commit", "-q", "--allow-empty", "-m", "theirs");
  await cut.history.heal();
  cut.judge();
  assertMatch(cut.git("log", "-1", "--format=%s"), /^theirs/);
  assertEquals(cut.git("show", `refs/paddock/kept/${commit}:a.txt`), "new\n");
});

Deno.test("heal does not bring back what a person has undone with git", async () => {
  using work = await newWorkspace();
  const { commit } = await work.put("a.txt", "one\n");
  await work.put("a.txt", "two\n");
  work.git("reset", "-q", "--hard", commit);
  const later = workspaceOn(work.root);
  await later.history.heal();
  assertEquals(work.read("a.txt"), "one\n");
  await later.put("b.txt", "next\n");
  assertEquals(work.read("a.txt"), "one\n");
  assertEquals(gitLog(work).length, 2);
  work.judge();
});

Deno.test("change drops a record whose pack did not come to the disk", async () => {
  using work = await newWorkspace();
  await work.put("a.txt", "old\n");
  using crashes = new CrashImages(work.path);
  await work.put("a.txt", "new\n");
  crashes.stop();
  const image = crashes.images.find(({ before }) => /renameSync .*\.tmp .*\/a\.txt$/.test(before));
  assert(image !== undefined);
  for (const { name } of Deno.readDirSync(`${image.folder}/.git/mcp`)) {
    if (!name.endsWith(".pack")) continue;
    Deno.chmodSync(`${image.folder}/.git/mcp/${name}`, 0o644);
    Deno.truncateSync(`${image.folder}/.git/mcp/${name}`, 20);
  }
  const cut = workspaceOn({ ...work.root, path: image.folder });
  await cut.history.heal();
  assertEquals(Deno.readTextFileSync(`${image.folder}/a.txt`), "old\n");
  assert((await cut.put("b.txt", "next\n")).changed);
  cut.judge();
});

Deno.test("change writes the index anew when the second has gone by that it was foreseen for", async () => {
  using work = await newWorkspace();
  await work.put("a.txt", "old\n");
  const onStep = (step: string) => {
    if (step !== "synced") return;
    const until = Math.ceil((Date.now() + 1) / 1000) * 1000;
    while (Date.now() < until + 5);
  };
  const steps: Step[] = [{ kind: "put", path: work.at("a.txt"), bytes: encode("new\n") }];
  await openHistory(work.root, { onStep }).change(REQUEST, () => ({ summary: "x", steps, value: null }));
  work.judge();
});

Deno.test({
  name: "ObjectStore holds few files open however many large packs there are, and none after close",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    using work = await newWorkspace();
    const random = () => crypto.getRandomValues(new Uint8Array(65_536));
    const blobs = Array.from({ length: 12 }, () => Buffer.concat([random(), random()]));
    for (const data of blobs) await pack(work, [["blob", data]]);
    const store = new ObjectStore(new GitFolder(work.root));
    const openFiles = () =>
      [...Deno.readDirSync("/proc/self/fd")].filter(({ name }) => {
        try {
          return Deno.readLinkSync(`/proc/self/fd/${name}`).startsWith(work.path);
        } catch {
          return false;
        }
      }).length;
    for (let round = 0; round < 2; round++) {
      for (const data of blobs) assert(Buffer.from(store.blob(hashObject("blob", data))).equals(data));
      assert(openFiles() <= 4, `${openFiles()} files`);
      store.close();
      assertEquals(openFiles(), 0);
    }
  },
});
