/** Packs as paddock writes and merges them, with git as the judge, and what is left after a power failure. */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { Buffer } from "node:buffer";
import { rmSync } from "node:fs";
import { GitFolder } from "../../../../src/engine/history/git/git_folder.ts";
import { GitStore } from "../../../../src/engine/history/git_store.ts";
import { openHistory, type Step } from "../../../../src/engine/history/mod.ts";
import { Journal } from "../../../../src/engine/history/change/journal.ts";
import { hashObject, type ObjectType } from "../../../../src/engine/history/objects/objects.ts";
import { ObjectStore } from "../../../../src/engine/history/objects/object_store.ts";
import { PackMerger } from "../../../../src/engine/history/objects/pack_merge.ts";
import { encodeIndex } from "../../../../src/engine/history/objects/pack_writer.ts";
import { refusal } from "../../../support/engine.ts";
import { onLinux, onUnix, withGit } from "../../../support/needs.ts";
import { CrashImages } from "../change/crash_images.ts";
import { gitLog, newWorkspace, REQUEST, type Workspace, workspaceOn } from "../workspace.ts";
import { openBelow } from "../../../support/open_files.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const PACKS = ".git/objects/pack";

function packsOf(work: { root: { path: string } }): string[] {
  return Array.from(Deno.readDirSync(`${work.root.path}/${PACKS}`), ({ name }) => name)
    .filter((name) => name.endsWith(".idx")).map((name) => name.slice(0, -4)).sort();
}

/** A pack with these objects. */
async function pack(work: Workspace, contents: readonly [ObjectType, Uint8Array][]): Promise<void> {
  const store = new ObjectStore(new GitFolder(work.root));
  const batch = store.batch();
  for (const [type, data] of contents) await batch.add(type, data);
  batch.stage();
  store.publish();
  store.unstage();
}

Deno.test(
  withGit("ObjectBatch writes packs that git verifies, whatever the sizes of the objects"),
  async () => {
    using work = await newWorkspace();
    const sizes = [0, 1, 15, 16, 17, 2_047, 2_048, 4_095, 4_096, 4_097, 70_000, 300_000, 3_000_000];
    const blobs = [
      ...sizes.map((size) => Buffer.alloc(size, `${size} `)),
      Buffer.alloc(4_096, 0xff), // the largest sums that the checksum of uncompressed data can have
    ];
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
  },
);

Deno.test("ObjectBatch makes new objects readable, from memory or from unfinished packs, and leaves nothing behind", async () => {
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
  store.unstage();
  assertEquals(packsOf(work), []);
  assertEquals(work.names().filter((name) => /\.(pack|idx)$/.test(name)), []);
  store.close();
});

Deno.test(
  withGit("PackMerger merges many packs into one, each object once, and leaves packs that are not its own"),
  async () => {
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
  },
);

Deno.test(
  withGit(
    "PackMerger leaves packs with deltas, damaged ones, and all packs where git has a multi-pack-index",
  ),
  async () => {
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
  },
);

Deno.test(withGit("change keeps the number of packs small, and git agrees with every commit"), async () => {
  using work = await newWorkspace();
  const commits: string[] = [];
  for (let i = 0; i < 120; i++) commits.push((await work.put(`d${i % 3}/a.txt`, `${i}\n`)).commit);
  assert(packsOf(work).length < 60, `${packsOf(work).length} packs`);
  assertEquals(gitLog(work), commits.toReversed());
  work.judge();
  const { entries } = await workspaceOn(work.root).history.log({ limit: 200 });
  assertEquals(entries.map(({ commit }) => commit), commits.toReversed());
});

Deno.test(
  withGit("tidy merges packs while a git command holds the index, and empties the journal"),
  async () => {
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
  },
);

Deno.test(withGit("change continues while another process merges the packs that it knows"), async () => {
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

/** What a kill or a power failure leaves right before a step; without git's locks, as if a person had removed them. */
function cutAt(work: Workspace, crashes: CrashImages, place: RegExp) {
  const image = crashes.images.find(({ before }) => place.test(before));
  assert(image !== undefined, String(place));
  for (const lock of ["index.lock", "refs/heads/main.lock"]) {
    try {
      Deno.removeSync(`${image.folder}/.git/${lock}`);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return workspaceOn({ ...work.root, path: image.folder });
}

const FILE_STEP = /renameSync .*\.tmp .*\/a\.txt$/;
/** Everything after the record was written: names reach the disk in this order. */
const STEPS: [name: string, place: RegExp][] = [
  ["the file", FILE_STEP],
  ["the pack", /linkSync .*\.pack .*objects\/pack/],
  ["the pack's index", /linkSync .*\.idx .*objects\/pack/],
  ["the branch", /renameSync .*main\.lock .*\/main$/],
  ["git's index", /renameSync .*index\.tmp/],
  ["the end", /removeSync .*mcp\/branch/],
];

for (
  const place of [
    /removeSync .*mcp\/pack-.*\.pack/,
    /removeSync .*mcp\/pack-.*\.idx/,
    /removeSync .*mcp\/branch/,
  ]
) {
  Deno.test(
    withGit(`heal leaves no .keep for a pack of a change that ended before ${place}`),
    async () => {
      using work = await newWorkspace();
      await work.put("a.txt", "old\n");
      using crashes = new CrashImages(work.path);
      await work.put("a.txt", "new\n");
      crashes.stop();
      const cut = cutAt(work, crashes, place);
      await cut.history.heal();
      const names = Array.from(Deno.readDirSync(`${cut.root.path}/${PACKS}`), ({ name }) => name);
      assertEquals(names.filter((name) => name.endsWith(".keep")), []);
      cut.judge();
    },
  );
}

for (const [name, place] of STEPS) {
  Deno.test(
    withGit(`heal completes a change that ended before ${name}, even if git has cleaned up since`),
    async () => {
      using work = await newWorkspace();
      await work.put("a.txt", "old\n");
      work.write("a.txt", "person\n"); // kept in a separate commit, which nothing refers to before the end
      using crashes = new CrashImages(work.path);
      const { commit } = await work.put("a.txt", "new\n");
      crashes.stop();
      const cut = cutAt(work, crashes, place);
      cut.git("repack", "-adq");
      cut.git("prune", "--expire=now");
      await cut.history.heal();
      assertEquals(Deno.readTextFileSync(`${cut.root.path}/a.txt`), "new\n");
      assertEquals(gitLog(cut)[0], commit);
      assertEquals(cut.git("show", "HEAD^:a.txt"), "person\n");
      cut.judge();
      const left = Array.from(Deno.readDirSync(`${cut.root.path}/${PACKS}`), ({ name }) => name);
      assertEquals(left.filter((name) => name.endsWith(".keep")), []);
      assertEquals(cut.git("for-each-ref", "refs/paddock"), "");
    },
  );

  Deno.test(
    withGit(`heal keeps a commit that ended before ${name} aside if somebody continued without it`),
    async () => {
      using work = await newWorkspace();
      await work.put("a.txt", "old\n");
      using crashes = new CrashImages(work.path);
      const { commit } = await work.put("a.txt", "new\n");
      crashes.stop();
      const cut = cutAt(work, crashes, place);
      const isMoved = gitLog(cut)[0] === commit;
      cut.git("commit", "-q", "--allow-empty", "-m", "theirs");
      await cut.history.heal();
      assertMatch(cut.git("log", "-1", "--format=%s"), /^theirs/);
      if (!isMoved) assertEquals(cut.git("show", `refs/paddock/kept/${commit}:a.txt`), "new\n");
      assertEquals(cut.git("fsck", "--strict", "--no-dangling"), "");
    },
  );
}

Deno.test(
  withGit(
    "heal repeats several acknowledged changes, in order, even if the reflog has all of them",
  ),
  async () => {
    using work = await newWorkspace();
    await work.put("a.txt", "0\n");
    using crashes = new CrashImages(work.path);
    await work.put("a.txt", "1\n");
    await work.change({ kind: "move", from: work.at("a.txt"), to: work.at("b.txt") });
    await work.put("a.txt", "2\n");
    await work.change({ kind: "remove", path: work.at("b.txt") });
    crashes.stop();
    // All names are lost from the first change on; contents are as they were at the end.
    const cut = cutAt(work, crashes, FILE_STEP);
    for (const name of packsOf(work).filter((name) => !packsOf(cut).includes(name))) {
      for (const ending of [".pack", ".idx"]) {
        const copy = `${cut.root.path}/.git/mcp/${name}${ending}`;
        rmSync(copy, { force: true }); // it may exist already, cut short and read-only
        Deno.copyFileSync(`${work.path}/${PACKS}/${name}${ending}`, copy);
      }
    }
    for (const file of ["mcp/journal", "logs/HEAD", "logs/refs/heads/main"]) {
      Deno.copyFileSync(`${work.path}/.git/${file}`, `${cut.root.path}/.git/${file}`);
    }
    await cut.history.heal();
    assertEquals(gitLog(cut), gitLog(work));
    assertEquals(Deno.readTextFileSync(`${cut.root.path}/a.txt`), "2\n");
    cut.judge();
    assertEquals(cut.git("for-each-ref", "refs/paddock"), "");
  },
);

for (const [name, place] of STEPS.slice(4)) {
  Deno.test(
    withGit(`heal does not repeat a change that ended before ${name} and that a person has reset`),
    async () => {
      using work = await newWorkspace();
      await work.put("a.txt", "old\n");
      using crashes = new CrashImages(work.path);
      const { commit } = await work.put("a.txt", "new\n");
      crashes.stop();
      const cut = cutAt(work, crashes, place);
      cut.git("reset", "-q", "--hard", "HEAD^");
      await cut.history.heal();
      assertEquals(Deno.readTextFileSync(`${cut.root.path}/a.txt`), "old\n");
      cut.judge();
      assertEquals(cut.git("show", `refs/paddock/kept/${commit}:a.txt`), "new\n");
    },
  );
}

Deno.test(
  withGit("heal completes a change without a commit, and none that a person undid before it"),
  async () => {
    using work = await newWorkspace();
    await work.put("a.txt", "a\n");
    const { commit } = await work.put("b.txt", "b\n");
    work.git("reset", "-q", "--hard", "HEAD^");
    work.write("loose/c.txt", "c\n");
    using crashes = new CrashImages(work.path);
    await work.change({ kind: "move", from: work.at("loose"), to: work.at("moved") });
    crashes.stop();
    const begun = crashes.images.findIndex(({ before }) => /renameSync \/loose /.test(before));
    assert(begun > 0);
    for (const { before, folder } of crashes.images.slice(begun)) {
      const cut = workspaceOn({ ...work.root, path: folder });
      await cut.history.heal();
      assertEquals(Deno.readTextFileSync(`${folder}/moved/c.txt`), "c\n", before);
      assertEquals(gitLog(cut).includes(commit), false, before);
      assertEquals(cut.git("status", "--porcelain"), "?? moved/\n", before);
    }
  },
);

Deno.test(
  withGit("heal removes its locks and completes the index if a person has switched branches since"),
  async () => {
    using work = await newWorkspace();
    await work.put("a.txt", "old\n");
    using crashes = new CrashImages(work.path);
    const { commit } = await work.put("a.txt", "new\n");
    crashes.stop();
    for (const [, place] of STEPS.slice(3, 5)) {
      const image = crashes.images.find(({ before }) => place.test(before));
      assert(image !== undefined);
      const cut = workspaceOn({ ...work.root, path: image.folder });
      cut.git("symbolic-ref", "HEAD", "refs/heads/topic");
      cut.git("update-ref", "refs/heads/topic", cut.git("rev-parse", "main").trim());
      await cut.history.heal();
      const locks = Array.from(Deno.readDirSync(`${image.folder}/.git/refs/heads`), ({ name }) => name);
      assertEquals(locks.filter((name) => name.endsWith(".lock")), []);
      if (gitLog(cut)[0] === commit) cut.judge();
      assertEquals(cut.git("fsck", "--strict", "--no-dangling"), "");
    }
  },
);

Deno.test(withGit("change starts again if a person switches branches before it is recorded"), async () => {
  using work = await newWorkspace();
  await work.put("a.txt", "old\n");
  let isSwitched = false;
  const onStep = (step: string) => {
    if (step !== "staged" || isSwitched) return;
    isSwitched = true;
    work.git("branch", "topic");
    work.git("symbolic-ref", "HEAD", "refs/heads/topic");
  };
  const steps: Step[] = [{ kind: "put", path: work.at("a.txt"), bytes: encode("new\n") }];
  const plan = () => ({ summary: "x", steps, value: null });
  const { commit } = await openHistory(work.root, { onStep }).change(REQUEST, plan);
  assertEquals(work.git("rev-parse", "topic").trim(), commit);
  assertEquals(gitLog(work, "main").length, 1);
  work.judge();
});

Deno.test(withGit("heal leaves what a person has staged after a crash"), async () => {
  using work = await newWorkspace();
  await work.put("a.txt", "old\n");
  using crashes = new CrashImages(work.path);
  await work.put("a.txt", "new\n");
  crashes.stop();
  const cut = cutAt(work, crashes, STEPS[4]?.[1] ?? FILE_STEP);
  Deno.writeTextFileSync(`${cut.root.path}/a.txt`, "staged\n");
  cut.git("add", "a.txt");
  Deno.writeTextFileSync(`${cut.root.path}/a.txt`, "later\n");
  await cut.history.heal();
  assertEquals(cut.git("show", ":a.txt"), "staged\n");
  assertEquals(Deno.readTextFileSync(`${cut.root.path}/a.txt`), "later\n");
});

Deno.test(withGit("change keeps what it could not restore when a later step fails"), async () => {
  using work = await newWorkspace();
  await work.put("sub/b.txt", "b\n");
  Deno.symlinkSync("b.txt", `${work.path}/sub/link`); // in no commit, and a link cannot be created again
  const onStep = (step: string) => step === "journal" && work.write("in_the_way", "theirs\n");
  const steps: Step[] = [
    { kind: "remove", path: work.at("sub") },
    { kind: "put", path: work.at("in_the_way/new.txt"), bytes: encode("new\n") },
  ];
  const plan = () => ({ summary: "x", steps, value: null });
  assertMatch(await refusal(openHistory(work.root, { onStep }).change(REQUEST, plan)), /exists/);
  assertEquals(work.read("sub/b.txt"), "b\n");
  const [kept = ""] = work.git("for-each-ref", "--format=%(refname)", "refs/paddock/kept").split("\n");
  assertEquals(work.git("show", `${kept}:sub/link`), "b.txt");
});

Deno.test(onUnix("change restores a file's mode when a later step fails"), async () => {
  using work = await newWorkspace();
  await work.put("a.txt", "old\n");
  Deno.chmodSync(`${work.path}/a.txt`, 0o600);
  const onStep = (step: string) => step === "journal" && work.write("in_the_way", "theirs\n");
  const steps: Step[] = [
    { kind: "put", path: work.at("a.txt"), bytes: encode("new\n") },
    { kind: "put", path: work.at("in_the_way/new.txt"), bytes: encode("new\n") },
  ];
  const plan = () => ({ summary: "x", steps, value: null });
  assertMatch(await refusal(openHistory(work.root, { onStep }).change(REQUEST, plan)), /exists/);
  assertEquals(work.read("a.txt"), "old\n");
  assertEquals((Deno.statSync(`${work.path}/a.txt`).mode ?? 0) & 0o777, 0o600);
});

Deno.test(
  withGit("change loses no object to a git repack that sees its pack before the branch refers to it"),
  async () => {
    using work = await newWorkspace();
    await work.put("a.txt", "old\n");
    const onStep = (step: string) => void (step === "objects" && work.git("repack", "-adq"));
    const steps: Step[] = [{ kind: "put", path: work.at("a.txt"), bytes: encode("new\n") }];
    await openHistory(work.root, { onStep }).change(REQUEST, () => ({ summary: "x", steps, value: null }));
    work.judge();
    assertEquals(work.names().filter((name) => name.endsWith(".keep")), []);
  },
);

Deno.test(
  withGit("change adds its record after those of another process, and recovery works after a crash"),
  async () => {
    using work = await newWorkspace();
    const other = workspaceOn(work.root);
    await work.put("a.txt", "1\n");
    await other.put("b.txt", "other\n");
    using crashes = new CrashImages(work.path);
    const { commit } = await work.put("a.txt", "2\n");
    crashes.stop();
    assertEquals(new Journal(new GitFolder(work.root)).read().length, 2); // the first one of a process clears it
    for (const [, place] of STEPS) {
      const cut = cutAt(work, crashes, place);
      await cut.history.heal();
      assertEquals(gitLog(cut)[0], commit);
      cut.judge();
    }
  },
);

Deno.test(
  withGit("heal drops a planted record that would move the branch to something other than a commit"),
  async () => {
    using work = await newWorkspace();
    await work.put("a.txt", "old\n");
    const [head = ""] = gitLog(work);
    const blob = work.git("rev-parse", "HEAD:a.txt").trim();
    const git = new GitFolder(work.root);
    const journal = new Journal(git);
    journal.read();
    const record = { ref: "refs/heads/main", old: head, base: head, packs: [], work: [], touched: [] };
    journal.add({ ...record, mark: blob, new: blob }).file.close();
    Deno.writeTextFileSync(`${work.path}/.git/mcp/branch`, `${blob}\n`);
    await workspaceOn(work.root).history.heal();
    assertEquals(gitLog(work), [head]);
    assert((await work.put("a.txt", "new\n")).changed);
    work.judge();
  },
);

Deno.test(withGit("PackMerger makes no pack larger than the limit"), async () => {
  using work = await newWorkspace();
  for (let i = 0; i < 9; i++) await pack(work, [["blob", crypto.getRandomValues(new Uint8Array(1_000))]]);
  const merger = new PackMerger(new GitFolder(work.root), { mostMerged: 3_500 });
  assert(await merger.merge({ most: 9 }));
  assertEquals(packsOf(work).length, 3);
  for (const name of packsOf(work)) {
    assert(Deno.statSync(`${work.path}/${PACKS}/${name}.pack`).size < 3_500);
    work.git("verify-pack", `${PACKS}/${name}.idx`);
  }
});

Deno.test("encodeIndex refuses an offset that its index format cannot store", () => {
  const entry = { oid: "a".repeat(40), crc: 0, at: 0x80000000 };
  assertThrows(() => encodeIndex([entry], Buffer.alloc(20)), RangeError);
});

Deno.test(withGit("heal does not restore what a person has undone with git"), async () => {
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

Deno.test(withGit("change drops a record whose pack did not reach the disk"), async () => {
  using work = await newWorkspace();
  await work.put("a.txt", "old\n");
  using crashes = new CrashImages(work.path);
  await work.put("a.txt", "new\n");
  crashes.stop();
  const cut = cutAt(work, crashes, FILE_STEP);
  for (const { name } of Deno.readDirSync(`${cut.root.path}/.git/mcp`)) {
    if (!name.endsWith(".pack")) continue;
    Deno.chmodSync(`${cut.root.path}/.git/mcp/${name}`, 0o644);
    Deno.truncateSync(`${cut.root.path}/.git/mcp/${name}`, 20);
  }
  await cut.history.heal();
  assertEquals(Deno.readTextFileSync(`${cut.root.path}/a.txt`), "old\n");
  assert((await cut.put("b.txt", "next\n")).changed);
  cut.judge();
});

Deno.test(
  withGit("change writes the index again if the second it was predicted for has passed"),
  async () => {
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
  },
);

Deno.test({
  ...onLinux("ObjectStore keeps few files open however many large packs there are, and none after close"),
  fn: async () => {
    using work = await newWorkspace();
    const random = () => crypto.getRandomValues(new Uint8Array(65_536));
    const blobs = Array.from({ length: 12 }, () => Buffer.concat([random(), random()]));
    for (const data of blobs) await pack(work, [["blob", data]]);
    const store = new ObjectStore(new GitFolder(work.root));
    const count = () => openBelow(work.path).length;
    for (let round = 0; round < 2; round++) {
      for (const data of blobs) assert(Buffer.from(store.blob(hashObject("blob", data))).equals(data));
      assert(count() <= 4, `${count()} files`);
      store.close();
      assertEquals(count(), 0);
    }
  },
});
