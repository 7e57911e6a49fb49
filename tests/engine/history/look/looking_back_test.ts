import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { GitFolder } from "../../../../src/engine/history/git/git_folder.ts";
import { ObjectStore } from "../../../../src/engine/history/objects/object_store.ts";
import { abortedAfter, refusal } from "../../../support/engine.ts";
import { withGit } from "../../../support/needs.ts";
import { tempFolder } from "../../../support/temp.ts";
import { gitLog, newWorkspace, REQUEST, type Workspace, workspaceOn } from "../workspace.ts";

const LIMITS = { maxBytes: 1_000_000, maxFiles: 100 };
const TEXT = Array.from({ length: 12 }, (_, i) => `line ${i} of the text\n`).join("");

async function commits(work: Pick<Workspace, "history">, path?: string): Promise<string[]> {
  const { entries } = await work.history.log({ limit: 100, ...(path !== undefined && { path }) });
  return entries.map(({ commit }) => commit);
}

Deno.test(withGit("log returns the same as git log, in pages"), async () => {
  using work = await newWorkspace();
  assertEquals(await work.history.log({ limit: 5 }), { entries: [], more: false });
  for (let i = 0; i < 5; i++) await work.put("a.txt", `${i}\n`);
  const all = gitLog(work);
  const page = await work.history.log({ limit: 2, skip: 1 });
  assertEquals(page.entries.map(({ commit }) => commit), all.slice(1, 3));
  assert(page.more);
  assertEquals((await work.history.log({ limit: 2, skip: 3 })).more, false);
  const [entry] = page.entries;
  assertEquals(entry?.author, "paddock <paddock@localhost>");
  assertEquals(entry?.date, new Date(work.git("log", "-1", "--format=%aI", "HEAD~1").trim()).toISOString());
  assertEquals(entry?.message, work.git("log", "-1", "--format=%B", "HEAD~1").trimEnd());
});

const RENAMES: [name: string, act: (work: Workspace) => Promise<unknown>, path: string][] = [
  ["a file that moved, and changed after", async (work) => {
    await work.put("a.txt", TEXT);
    await work.change({ kind: "move", from: work.at("a.txt"), to: work.at("sub/b.txt") });
    await work.put("sub/b.txt", TEXT + "more\n");
  }, "sub/b.txt"],
  ["a file that moved with its folder", async (work) => {
    await work.put("sub/a.txt", TEXT);
    await work.change({ kind: "move", from: work.at("sub"), to: work.at("x/y") });
  }, "x/y/a.txt"],
  ["a file that was renamed and edited in one commit by a person", async (work) => {
    await work.put("a.txt", TEXT);
    await work.put("c.txt", TEXT + TEXT);
    work.git("mv", "a.txt", "b.txt");
    work.write("b.txt", TEXT.replace("line 3", "row 3"));
    work.git("commit", "-qam", "theirs");
  }, "b.txt"],
  ["a file that is a copy of another", async (work) => {
    await work.put("a.txt", TEXT);
    await work.put("b.txt", TEXT);
  }, "b.txt"],
  ["a file equally similar to two others, among some empty ones", async (work) => {
    await work.put("a/a", "three of the lines\none of the lines\n");
    await work.put("ü", "one of the lines\nthree of the lines\n");
    for (const path of ["a.b", "a0", "a/a.b"]) await work.put(path, "");
    await work.put("x y", "one of the lines\none of the lines\nthree of the lines\n");
  }, "x y"],
  ["a file similar to no other", async (work) => {
    await work.put("a.txt", TEXT);
    await work.put("b.txt", "quite different\n".repeat(20));
  }, "b.txt"],
  ["a file that was removed and restored", async (work) => {
    await work.put("a.txt", TEXT);
    await work.put("other.txt", "other\n");
    await work.change({ kind: "remove", path: work.at("a.txt") });
    await work.put("a.txt", "something else\n");
  }, "a.txt"],
  ["a folder", async (work) => {
    await work.put("sub/a.txt", "1\n");
    await work.put("other/a.txt", "2\n");
    await work.put("sub/deep/b.txt", "3\n");
  }, "sub"],
  ["a file across a merge", async (work) => {
    await work.put("a.txt", TEXT);
    work.git("checkout", "-qb", "side");
    await work.put("b.txt", "side\n");
    await work.put("a.txt", `${TEXT}side\n`);
    work.git("checkout", "-q", "main");
    await work.put("c.txt", "main\n");
    work.git("merge", "-q", "--no-edit", "side");
    await work.put("a.txt", `${TEXT}main\n`);
  }, "a.txt"],
];

for (const [name, act, path] of RENAMES) {
  Deno.test(
    withGit(`log returns the same as git log --follow for ${name}, packed or not, cached or not`),
    async () => {
      using work = await newWorkspace();
      await act(work);
      const expected = gitLog(work, "--follow", "--", path);
      assertEquals(await commits(work, path), expected);
      assertEquals(await commits(work), gitLog(work));
      Deno.removeSync(`${work.path}/.git/mcp/changes`);
      work.git("gc", "-q", "--prune=now");
      assertEquals(await commits(work, path), expected);
      assertEquals(await commits(workspaceOn(work.root), path), expected);
    },
  );
}

Deno.test(
  withGit("show returns what a commit changed, in a form that git apply applies in both directions"),
  async () => {
    using work = await newWorkspace();
    await work.put("a b.txt", TEXT);
    await work.put("gone.txt", "x\n");
    await work.put("run.sh", "x\n");
    await work.put("ü.txt", "no newline");
    await work.put("move.txt", TEXT + TEXT);
    work.git("mv", "move.txt", "moved.txt");
    work.write("moved.txt", TEXT + TEXT + "more\n");
    work.write("a b.txt", TEXT.replace("line 7", "row 7"));
    work.write("ü.txt", "no newline either");
    work.write("new\ttab.txt", "new\n");
    work.write("empty.txt", "");
    Deno.removeSync(`${work.path}/gone.txt`);
    Deno.chmodSync(`${work.path}/run.sh`, 0o755);
    work.git("add", "-A");
    work.git("commit", "-qm", "all kinds");
    const { files, diff, parents, message, truncated } = await work.history.show("HEAD", LIMITS);
    assertEquals(message, "all kinds");
    assertEquals(parents, [work.git("rev-parse", "HEAD~1").trim()]);
    assertEquals(truncated, false);
    assertEquals(files.map(({ path, status, from }) => `${status} ${from ?? ""}>${path}`), [
      "modified >a b.txt",
      "added >empty.txt",
      "deleted >gone.txt",
      "renamed move.txt>moved.txt",
      "added >new\ttab.txt",
      "modified >run.sh",
      "modified >ü.txt",
    ]);
    using aside = tempFolder();
    const patch = aside.write("patch", diff);
    work.git("apply", "--index", "-R", patch);
    assertEquals(work.git("diff", "--stat", "HEAD~1"), "");
    work.git("apply", "--index", patch);
    assertEquals(work.git("diff", "--stat", "HEAD"), "");
  },
);

Deno.test("show leaves out whole files beyond its limits, and says so", async () => {
  using work = await newWorkspace();
  const encode = (text: string) => new TextEncoder().encode(text);
  await work.change(
    { kind: "put", path: work.at("a.txt"), bytes: encode("a\n".repeat(500)) },
    { kind: "put", path: work.at("b.txt"), bytes: encode("b\n") },
    { kind: "put", path: work.at("c.bin"), bytes: new Uint8Array([0, 1, 2]) },
  );
  const cut = await work.history.show("HEAD", { maxBytes: 400, maxFiles: 2 });
  assertEquals(cut.files.map(({ path }) => path), ["a.txt", "b.txt"]);
  assertEquals([cut.count, cut.truncated], [3, true]);
  assert(!cut.diff.includes("a.txt") && cut.diff.includes("b.txt"));
  const whole = await work.history.show("HEAD", LIMITS);
  assertMatch(whole.diff, /Binary files \/dev\/null and b\/c\.bin differ\n$/);
  assertEquals(whole.truncated, false);
});

Deno.test(
  withGit("show returns binary and large files in a form that git apply accepts, without reading large ones"),
  async () => {
    using work = await newWorkspace();
    await work.put("changed.bin", new Uint8Array([0, 1, 2]));
    await work.put("gone.bin", new Uint8Array([0, 3]));
    await work.put("text.txt", TEXT);
    work.write("big.txt", "x\n".repeat(2_500_000));
    work.write("changed.bin", "\0other");
    work.write("new.bin", "\0new");
    work.write("text.txt", TEXT.replace("line 7", "row 7"));
    Deno.removeSync(`${work.path}/gone.bin`);
    work.git("add", "-A");
    work.git("commit", "-qm", "binary");
    const { diff, truncated, count } = await work.history.show("HEAD", LIMITS);
    assertEquals([truncated, count], [true, 5]);
    assertMatch(diff, /^Binary files \/dev\/null and b\/big\.txt differ\n# too large to show/m);
    using aside = tempFolder();
    const patch = aside.write("patch", diff);
    work.git("apply", "--index", "-R", patch);
    assertEquals(work.git("diff", "--stat", "HEAD~1"), "");
    work.git("apply", "--index", patch);
    assertEquals(work.git("diff", "--stat", "HEAD"), "");
  },
);

Deno.test(
  withGit("ObjectStore.size agrees with git, for loose and packed objects, whole or as a delta"),
  async () => {
    using work = await newWorkspace();
    const lines = Array.from({ length: 3_000 }, (_, i) => `${i} ${crypto.randomUUID()}\n`).join("");
    await work.put("a", lines);
    await work.put("a", `${lines}more\n`);
    await work.put("empty", "");
    await work.put("noise", crypto.getRandomValues(new Uint8Array(5_000)));
    const objects = () =>
      work.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objectsize) %(deltabase)")
        .trim().split("\n").map((line) => line.split(" "));
    for (const packed of [false, true]) {
      if (packed) work.git("repack", "-adq");
      const store = new ObjectStore(new GitFolder(work.root));
      for (const [oid = "", size] of objects()) assertEquals(store.size(oid), Number(size));
      store.close();
    }
    assert(objects().some(([, , base = ""]) => /[1-9a-f]/.test(base)), "nothing is a delta");
  },
);

Deno.test(
  withGit("log, show, diff and planRestore work with a detached HEAD; only changes are refused"),
  async () => {
    using work = await newWorkspace();
    await work.put("a.txt", "one\n");
    await work.put("a.txt", "two\n");
    work.git("checkout", "-q", "--detach", "HEAD~1");
    work.write("a.txt", "three\n");
    assertEquals(await commits(work), gitLog(work));
    assertEquals(await commits(work, "a.txt"), gitLog(work));
    assertEquals((await work.history.show("HEAD", LIMITS)).commit, gitLog(work)[0]);
    assertMatch((await work.history.diff({ from: "HEAD", ...LIMITS })).diff, /-one\n\+three\n$/);
    assertEquals((await work.history.planRestore({ commit: "HEAD", maxFiles: 1 })).count, 1);
    assertMatch(await refusal(work.put("a.txt", "four\n")), /^UNSUPPORTED: .*not on a branch/);
  },
);

Deno.test("diff compares commits with each other and with the disk, below a path", async () => {
  using work = await newWorkspace();
  await work.put("sub/a.txt", "one\n");
  await work.put("b.txt", "one\n");
  await work.put("sub/a.txt", "two\n");
  const between = await work.history.diff({ from: "HEAD~2", to: "HEAD", ...LIMITS });
  assertEquals(between.files.map(({ path, status }) => `${status} ${path}`), [
    "added b.txt",
    "modified sub/a.txt",
  ]);
  const below = await work.history.diff({ from: "HEAD~2", to: "HEAD", path: "sub/", ...LIMITS });
  assertEquals(below.files.map(({ path }) => path), ["sub/a.txt"]);
  work.write("sub/a.txt", "three\n");
  work.write("untracked.txt", "x\n");
  const disk = await work.history.diff({ from: "HEAD", ...LIMITS });
  assertEquals(disk.files, [{ path: "sub/a.txt", status: "modified" }]);
  assertMatch(disk.diff, /-two\n\+three\n$/);
});

Deno.test(
  withGit(
    "restore restores a file, a folder or everything as a new commit, and the dry run shows it beforehand",
  ),
  async () => {
    using work = await newWorkspace();
    const encode = (text: string) => new TextEncoder().encode(text);
    const first = await work.change(
      { kind: "put", path: work.at("a.txt"), bytes: encode("one\n") },
      { kind: "put", path: work.at("sub/b.txt"), bytes: encode("one\n") },
    );
    await work.put("a.txt", "two\n");
    await work.change({ kind: "remove", path: work.at("sub") });
    await work.put("new/c.txt", "new\n");
    work.write("a.txt", "theirs\n");
    const query = { commit: first.commit.slice(0, 8), maxFiles: 10 };
    const plan = await work.history.planRestore(query);
    assertEquals(plan.files.map(({ path, status }) => `${status} ${path}`), [
      "modified a.txt",
      "deleted new/c.txt",
      "added sub/b.txt",
    ]);
    assertEquals(work.read("a.txt"), "theirs\n");
    const part = await work.history.restore({ ...REQUEST, tool: "restore" }, { ...query, path: "sub" });
    assertEquals(part.value.files, [{ path: "sub/b.txt", status: "added" }]);
    const { kept = "", value } = await work.history.restore({ ...REQUEST, tool: "restore" }, query);
    assertEquals(value.count, 2);
    assertEquals(work.git("show", `${kept}:a.txt`), "theirs\n");
    work.judge();
    assertEquals(work.git("diff", "--stat", first.commit), "");
    assertEquals(
      work.names().filter((name) => !name.startsWith(".git/")),
      [".git/", "a.txt", "sub/", "sub/b.txt"].filter((name) => name !== ".git/"),
    );
    assertMatch(
      work.git("log", "-1", "--format=%s"),
      /^mcp\/fs\/restore: Restore workspace to [0-9a-f]{10}$/m,
    );
    const again = await work.history.restore({ ...REQUEST, tool: "restore" }, query);
    assertEquals([again.changed, again.value.count], [false, 0]);
  },
);

Deno.test(withGit("restore restores many files with their modes"), async () => {
  using work = await newWorkspace();
  for (let i = 0; i < 50; i++) work.write(`many/${i}.txt`, `${i}\n`);
  Deno.chmodSync(`${work.path}/many/7.txt`, 0o755);
  work.git("add", "-A");
  work.git("commit", "-qm", "many");
  await work.change({ kind: "remove", path: work.at("many") });
  await work.history.restore({ ...REQUEST, tool: "restore" }, { commit: "HEAD~1", maxFiles: 5 });
  work.judge();
  assertEquals(work.git("diff", "--stat", "HEAD~2"), "");
});

const UNKNOWN: [name: string, expected: RegExp][] = [
  ["deadbeef", /^NOT_FOUND: commit not found/],
  ["f".repeat(40), /^NOT_FOUND: commit not found/],
  ["HEAD~9", /^NOT_FOUND: commit not found: "HEAD~9"; the history does not go back that far/],
  ["abc", /^INVALID_INPUT: not a commit/],
  ["main", /^INVALID_INPUT: not a commit/],
  ["--help", /^INVALID_INPUT: not a commit/],
  ["HEAD@{1}", /^INVALID_INPUT: not a commit/],
];

Deno.test(
  withGit("show refuses what is not the name of a commit, and accepts all names that are"),
  async () => {
    using work = await newWorkspace();
    assertMatch(await refusal(work.history.show("HEAD", LIMITS)), /the workspace has no commits yet/);
    const { commit } = await work.put("a.txt", "one\n");
    const { commit: last } = await work.put("a.txt", "two\n");
    for (const [name, expected] of UNKNOWN) {
      assertMatch(await refusal(work.history.show(name, LIMITS)), expected);
    }
    for (
      const name of [commit, commit.slice(0, 6), commit.toUpperCase(), "HEAD~1", "HEAD^", "@~", `${last}~`]
    ) {
      assertEquals((await work.history.show(name, LIMITS)).commit, commit);
    }
    const blob = work.git("rev-parse", "HEAD:a.txt").trim();
    assertMatch(await refusal(work.history.show(blob, LIMITS)), /^NOT_FOUND/);
  },
);

Deno.test("HEAD~1 is not found where a shallow clone ends, as in git", async () => {
  using work = await newWorkspace();
  await work.put("a.txt", "one\n");
  const { commit } = await work.put("a.txt", "two\n");
  work.write(".git/shallow", `${commit}\n`);
  assertEquals((await work.history.show("HEAD", LIMITS)).commit, commit);
  for (const name of ["HEAD~1", `${commit}^`, "HEAD~9"]) {
    assertMatch(
      await refusal(work.history.show(name, LIMITS)),
      /^NOT_FOUND: .*the history does not go back that far/,
    );
  }
});

Deno.test("diff and show can be cancelled in the middle of one large file", async () => {
  using work = await newWorkspace();
  const text = (seed: number) => {
    let x = seed;
    return Array.from({ length: 100_000 }, () => `${(x = (x * 48_271) % 0x7fffffff) % 997}\n`).join("");
  };
  const { commit } = await work.put("large.txt", text(1));
  await work.put("large.txt", text(2));
  for (
    const look of [
      (signal: AbortSignal) => work.history.diff({ from: commit ?? "", to: "HEAD", ...LIMITS, signal }),
      (signal: AbortSignal) => work.history.show("HEAD", { ...LIMITS, signal }),
    ]
  ) {
    await look(new AbortController().signal);
    await assertRejects(() => look(abortedAfter(15)));
  }
});

Deno.test(withGit("show pairs thousands of equal files by their names, then in order"), async () => {
  using work = await newWorkspace();
  const count = 3_000;
  for (let i = 0; i < count; i++) work.write(`old/${i}.txt`, "same\n");
  work.git("add", "-A");
  work.git("commit", "-qm", "theirs");
  await work.change({ kind: "move", from: work.at("old"), to: work.at("new") });
  const { files } = await work.history.show("HEAD", { maxBytes: 1_000, maxFiles: count });
  assertEquals(files.length, count);
  assert(files.every((file) => file.status === "renamed" && file.from === file.path.replace("new/", "old/")));
});
