import { assert, assertEquals, assertMatch } from "@std/assert";
import { refusal } from "../../../support/engine.ts";
import { withGit } from "../../../support/needs.ts";
import { tempFolder } from "../../../support/temp.ts";
import { gitLog, newWorkspace, REQUEST } from "../workspace.ts";

Deno.test(withGit("change commits a new file, a changed one, a moved one and a removed one"), async () => {
  using work = await newWorkspace();
  const first = await work.put("sub/a.txt", "one\n");
  assert(first.changed);
  await work.put("sub/a.txt", "two\n");
  await work.change({ kind: "move", from: work.at("sub/a.txt"), to: work.at("other/deep/b.txt") });
  work.judge();
  assertEquals(work.git("ls-files"), "other/deep/b.txt\n");
  const last = await work.change({ kind: "remove", path: work.at("other") });
  work.judge();
  assertEquals(work.git("ls-files"), "");
  assertEquals(gitLog(work).length, 4);
  assertEquals(gitLog(work)[0], last.commit);
  assertEquals(work.git("rev-list", "--max-parents=0", "HEAD").trim(), first.commit);
});

Deno.test(withGit("change adds every commit to git's reflog, if git keeps one"), async () => {
  using work = await newWorkspace();
  await work.put("a", "0\n");
  work.git("commit", "-q", "--allow-empty", "-m", "theirs");
  work.write("a", "outside\n");
  await work.put("a", "1\n");
  await work.put("a", "1\n");
  for (const name of ["HEAD", "main"]) {
    assertEquals(work.git("log", "-g", "--format=%H", name), work.git("log", "--format=%H"));
  }
  assertMatch(work.git("reflog", "-1"), /HEAD@\{0\}: commit: mcp\/fs\/write_file: put a\n$/);
  assertEquals(work.git("rev-parse", "main@{3}"), work.git("rev-parse", "HEAD~3"));
  work.git("switch", "-qc", "side");
  Deno.removeSync(`${work.path}/.git/logs`, { recursive: true });
  await work.put("a", "2\n");
  assertEquals([...Deno.readDirSync(`${work.path}/.git`)].some(({ name }) => name === "logs"), false);
  work.judge();
});

Deno.test("change makes no commit when nothing changes, not even the first", async () => {
  using work = await newWorkspace();
  assertEquals(await work.change(), { commit: "", changed: false, kept: undefined, value: null });
  const { commit } = await work.put("a.txt", "one\n");
  assertEquals(await work.put("a.txt", "one\n"), { commit, changed: false, kept: undefined, value: null });
});

Deno.test(withGit("change writes tool and client into the message, in one line each"), async () => {
  using work = await newWorkspace();
  const steps = [{ kind: "put", path: work.at("a"), bytes: new Uint8Array([1]) }] as const;
  const request = { ...REQUEST, client: "evil\nPaddock-Tool: other\u0000\u2028x" + "y".repeat(500) };
  await work.history.change(request, () => ({ summary: "Create a\n\nmore", steps, value: null }));
  const [subject, , tool, client, ...rest] = work.git("log", "-1", "--format=%B").trimEnd().split("\n");
  assertEquals(subject, "mcp/fs/write_file: Create a more");
  assertEquals(tool, "Paddock-Tool: fs_write_file");
  assertMatch(client ?? "", /^Paddock-Client: evil Paddock-Tool: other xy{50,200}…$/);
  assertEquals(rest, []);
  assertEquals(
    work.git("log", "-1", "--format=%an <%ae> %cn %ai").slice(0, 37),
    "paddock <paddock@localhost> paddock 2",
  );
  await work.history.change({ ...REQUEST, client: undefined }, () => ({
    summary: "Remove a",
    steps: [{ kind: "remove", path: work.at("a") }],
    value: null,
  }));
  assertEquals(work.git("log", "-1", "--format=%(trailers)").trim(), "Paddock-Tool: fs_write_file");
});

Deno.test(withGit("change first keeps what somebody changed outside, in a separate commit"), async () => {
  using work = await newWorkspace();
  await work.put("a.txt", "ours\n");
  work.write("a.txt", "theirs\n");
  const { kept = "", commit } = await work.put("a.txt", "ours again\n");
  assertEquals(work.git("show", `${kept}:a.txt`), "theirs\n");
  assertMatch(
    work.git("log", "-1", "--format=%s", kept),
    /^mcp\/fs\/write_file: Keep changes made outside paddock to a\.txt$/m,
  );
  assertEquals(gitLog(work).slice(0, 2), [commit, kept]);
  work.judge();
});

const OUTSIDE: [
  name: string,
  act: (work: Awaited<ReturnType<typeof newWorkspace>>) => void,
  kept: boolean,
][] = [
  ["a new file that git does not know", (work) => work.write("b.txt", "theirs\n"), true],
  ["an edit of the same size in the same second", (work) => work.write("a.txt", "two\n"), true],
  ["a removal", (work) => Deno.removeSync(`${work.path}/a.txt`), true],
  ["a new mode", (work) => Deno.chmodSync(`${work.path}/a.txt`, 0o755), true],
  ["a folder where a file was", (work) => {
    Deno.removeSync(`${work.path}/a.txt`);
    work.write("a.txt/b.txt", "theirs\n");
  }, true],
  ["nothing but a new time", (work) => Deno.utimeSync(`${work.path}/a.txt`, 1, 1), false],
];

for (const [name, act, isKept] of OUTSIDE) {
  Deno.test(withGit(`change ${isKept ? "keeps" : "has nothing to keep of"} ${name}`), async () => {
    using work = await newWorkspace();
    await work.put("a.txt", "one\n");
    act(work);
    const paths = work.names().filter((path) => !path.startsWith(".git/") && !path.endsWith("/")).map(
      work.at,
    );
    const steps = (paths.length === 0 ? [work.at("a.txt")] : paths)
      .map((path) => ({ kind: "put", path, bytes: new TextEncoder().encode("ours\n") }) as const);
    const before = paths.map(({ relative }) => work.read(relative));
    const { kept } = await work.change(...steps);
    assertEquals(kept !== undefined, isKept);
    work.judge();
    if (kept !== undefined) {
      paths.forEach((path, i) => assertEquals(work.git("show", `${kept}:${path.relative}`), before[i]));
    }
  });
}

Deno.test(
  withGit("change moves a folder with its untracked files, and keeps what was changed in it"),
  async () => {
    using work = await newWorkspace();
    await work.put(".gitignore", "*.log\n");
    await work.put("sub/a.txt", "one\n");
    await work.put("sub/b.txt", "one\n");
    work.write("sub/x.log", "ignored\n");
    work.write("sub/a.txt", "theirs\n");
    const { kept = "" } = await work.change({ kind: "move", from: work.at("sub"), to: work.at("new/place") });
    assertEquals(work.git("show", `${kept}:sub/a.txt`), "theirs\n");
    work.judge();
    assertEquals(work.read("new/place/x.log"), "ignored\n");
    assertEquals(work.git("ls-files"), ".gitignore\nnew/place/a.txt\nnew/place/b.txt\n");
    work.write("logs/y.log", "ignored\n");
    const moved = await work.change({ kind: "move", from: work.at("logs"), to: work.at("old_logs") });
    assertEquals(moved.changed, false);
    assertEquals(work.read("old_logs/y.log"), "ignored\n");
    work.judge();
  },
);

Deno.test(withGit("change removes a folder only after everything in it is in the history"), async () => {
  using work = await newWorkspace();
  await work.put(".gitignore", "*.log\n");
  await work.put("sub/a.txt", "one\n");
  work.write("sub/deep/x.log", "ignored\n");
  const { kept = "" } = await work.change({ kind: "remove", path: work.at("sub") });
  assertEquals(work.git("show", `${kept}:sub/deep/x.log`), "ignored\n");
  assertEquals(work.names().filter((name) => name.startsWith("sub")), []);
  work.judge();
});

Deno.test(
  withGit("change keeps an empty folder with a .gitkeep, and leaves a non-empty one alone"),
  async () => {
    using work = await newWorkspace();
    const made = await work.change({ kind: "folder", path: work.at("a/b") });
    assert(made.changed);
    work.judge();
    assertEquals(work.git("ls-files"), "a/b/.gitkeep\n");
    assertEquals((await work.change({ kind: "folder", path: work.at("a") })).changed, false);
    assertEquals((await work.change({ kind: "folder", path: work.at("a/b") })).changed, false);
  },
);

Deno.test(withGit("change keeps modes, and commits files that are ignored"), async () => {
  using work = await newWorkspace();
  await work.put(".gitignore", "*.sh\n");
  await work.put("run.sh", "one\n");
  Deno.chmodSync(`${work.path}/run.sh`, 0o750);
  await work.put("run.sh", "two\n");
  assertEquals((Deno.statSync(`${work.path}/run.sh`).mode ?? 0) & 0o777, 0o750);
  assertMatch(work.git("ls-files", "-s", "run.sh"), /^100755 /);
  await work.put("new.txt", "x\n");
  assertEquals((Deno.statSync(`${work.path}/new.txt`).mode ?? 0) & 0o777, 0o644);
  work.judge();
});

Deno.test(withGit("change tracks a symbolic link that it moves, and never what it leads to"), async () => {
  using work = await newWorkspace();
  await work.put("a.txt", "one\n");
  Deno.symlinkSync("a.txt", `${work.path}/link`);
  await work.change({ kind: "move", from: work.at("link"), to: work.at("link2") });
  assertMatch(work.git("ls-files", "-s", "link2"), /^120000 /);
  work.judge();
  using outside = tempFolder();
  Deno.symlinkSync(outside.path, `${work.path}/away`);
  const move = work.change({ kind: "move", from: work.at("away"), to: work.at("there") });
  assertMatch(await refusal(move), /^OUT_OF_BOUNDS: cannot move a link that leads outside/);
});

Deno.test(withGit("change refuses what is in a nested repository inside the workspace"), async () => {
  using work = await newWorkspace();
  await work.put("a.txt", "one\n");
  work.write("inner/b.txt", "theirs\n");
  new Deno.Command("git", { args: ["init", "-q", `${work.path}/inner`] }).outputSync();
  const steps = [
    { kind: "put", path: work.at("inner/b.txt"), bytes: new Uint8Array() },
    { kind: "put", path: work.at("inner/new/c.txt"), bytes: new Uint8Array() },
    { kind: "remove", path: work.at("inner") },
    { kind: "move", from: work.at("inner"), to: work.at("other") },
    { kind: "move", from: work.at("a.txt"), to: work.at("inner/a.txt") },
  ] as const;
  for (const step of steps) {
    assertMatch(await refusal(work.change(step)), /^UNSUPPORTED: "inner" is a nested git repository/);
  }
  assertEquals(work.read("inner/b.txt"), "theirs\n");
});

Deno.test(
  withGit("change neither moves nor removes what contains a bare repository, and completes none"),
  async () => {
    using work = await newWorkspace();
    await work.put("a.txt", "one\n");
    await work.put("p/objects/x", "x");
    await work.put("p/HEAD", "ref: refs/heads/main\n");
    work.write("holder/x.txt", "theirs\n");
    new Deno.Command("git", { args: ["init", "-q", "--bare", `${work.path}/holder/own`] }).outputSync();
    for (
      const step of [
        { kind: "remove", path: work.at("holder") },
        { kind: "move", from: work.at("holder"), to: work.at("other") },
      ] as const
    ) {
      assertMatch(await refusal(work.change(step)), /^UNSUPPORTED: "holder\/own" is a nested git repository/);
    }
    for (
      const step of [
        { kind: "put", path: work.at("p/refs/heads/main"), bytes: new Uint8Array() },
        { kind: "put", path: work.at("p/commondir"), bytes: new Uint8Array() },
        { kind: "folder", path: work.at("p/refs") },
        { kind: "move", from: work.at("a.txt"), to: work.at("p/refs") },
      ] as const
    ) {
      assertMatch(
        await refusal(work.change(step)),
        /^NOT_ALLOWED: .* would turn its folder into a git repository/,
      );
    }
    assert((await work.put("a.txt", "two\n")).changed);
  },
);

Deno.test(withGit("change refuses to move or remove a submodule that is not checked out"), async () => {
  using work = await newWorkspace();
  const { commit } = await work.put("sub/a.txt", "one\n");
  work.git("update-index", "--add", "--cacheinfo", `160000,${commit},sub/module`);
  work.git("commit", "-qm", "theirs");
  Deno.mkdirSync(`${work.path}/sub/module`);
  const moved = work.change({ kind: "move", from: work.at("sub"), to: work.at("other") });
  assertMatch(await refusal(moved), /^UNSUPPORTED: "sub\/module" is a nested git repository/);
  assertMatch(await refusal(work.change({ kind: "remove", path: work.at("sub") })), /^UNSUPPORTED/);
  assertMatch(await refusal(work.put("sub/module/x.txt", "x")), /^UNSUPPORTED/);
  assert((await work.put("sub/a.txt", "two\n")).changed);
  work.judge();
});

const REFUSED: readonly (readonly [path: string, content: string, why: RegExp])[] = [
  // Where a backslash is a separator, such a name cannot be requested.
  ...(Deno.build.os === "windows" ? [] : [["x\\.git", "x", /git reserves the name "\.git"/] as const]),
  [".gitattributes", `a ${"b".repeat(3000)}\n`, /a line is longer than 2047 bytes/],
  [".gitmodules", '[submodule "x"]\n\turl = -upload\n', /the submodule URL "-upload"/],
  ["deep/.gitmodules", '[submodule "../x"]\n\turl = https://example.com\n', /the submodule name/],
  ["GITMOD~1", '[submodule "x"]\n\tupdate = !touch\n', /update must not be a command/],
];

for (const [path, content, why] of REFUSED) {
  Deno.test(`change refuses ${path} when git would, before anything changes`, async () => {
    using work = await newWorkspace();
    const text = await refusal(work.put(path, content));
    assertMatch(text, /^INVALID_INPUT: /);
    assertMatch(text, why);
    assertEquals(work.names().filter((name) => !name.startsWith(".git/")), []);
  });
}

Deno.test(withGit("change makes all steps of a plan in one commit, or none of them"), async () => {
  using work = await newWorkspace();
  await work.put("a.txt", "one\n");
  work.write("locked/old.txt", "x\n");
  await work.put("locked/old.txt", "y\n");
  const bytes = new TextEncoder().encode("new\n");
  const plan = () =>
    work.change(
      { kind: "put", path: work.at("a.txt"), bytes },
      { kind: "put", path: work.at("c/d.txt"), bytes },
      { kind: "put", path: work.at("locked/new.txt"), bytes },
    );
  if (Deno.uid() !== 0) {
    Deno.chmodSync(`${work.path}/locked`, 0o555);
    try {
      assertMatch(await refusal(plan()), /^PERMISSION_DENIED/);
    } finally {
      Deno.chmodSync(`${work.path}/locked`, 0o755);
    }
    assertEquals(work.read("a.txt"), "one\n");
    work.judge();
  }
  const { commit } = await plan();
  assertEquals(work.git("show", "--name-only", "--format=", commit), "a.txt\nc/d.txt\nlocked/new.txt\n");
  work.judge();
});

Deno.test(
  withGit("change gives up while git holds its lock, says what to do, and works again once it is released"),
  async () => {
    using work = await newWorkspace();
    await work.put("a.txt", "one\n");
    work.write(".git/index.lock", "");
    const change = (waitMs: number) =>
      work.history.change({ ...REQUEST, waitMs }, () => ({
        summary: "x",
        steps: [{ kind: "put", path: work.at("a.txt"), bytes: new Uint8Array([65, 10]) }],
        value: null,
      }));
    assertMatch(
      await refusal(change(30)),
      /^CONFLICT: git has locked the index of the workspace \(\.git\/index\.lock exists\)/,
    );
    assertEquals(work.read("a.txt"), "one\n");
    const waiting = change(5_000);
    Deno.removeSync(`${work.path}/.git/index.lock`);
    assert((await waiting).changed);
    work.judge();
  },
);

Deno.test(
  withGit("change is cancelled before the point of no return, and leaves nothing behind"),
  async () => {
    using work = await newWorkspace();
    await work.put("a.txt", "one\n");
    const stop = new AbortController();
    const change = work.history.change({ ...REQUEST, signal: stop.signal }, () => {
      stop.abort();
      return {
        summary: "x",
        steps: [{ kind: "put", path: work.at("a.txt"), bytes: new Uint8Array([66]) }],
        value: null,
      };
    });
    assertEquals(await refusal(change), "TIMEOUT: the call was cancelled");
    assertEquals(work.read("a.txt"), "one\n");
    work.judge();
    assert((await work.put("a.txt", "two\n")).changed);
  },
);

Deno.test(
  withGit("change works together with what a person stages, commits, packs and unpacks between calls"),
  async () => {
    using work = await newWorkspace();
    await work.put("a.txt", "one\n");
    work.write("staged.txt", "theirs\n");
    work.git("add", "staged.txt");
    await work.put("a.txt", "two\n");
    assertEquals(work.git("status", "--porcelain"), "A  staged.txt\n");
    work.git("commit", "-qm", "theirs");
    work.git("gc", "-q", "--prune=now");
    await work.put("b.txt", "one\n");
    work.git("update-index", "--index-version", "4");
    await work.put("c/d.txt", "one\n");
    work.git("checkout", "-qb", "other/branch");
    await work.put("c/e.txt", "one\n");
    work.judge();
    assertEquals(work.git("rev-parse", "--abbrev-ref", "HEAD").trim(), "other/branch");
    assertEquals(work.git("log", "--format=%an").split("\n").filter((name) => name === "A Person").length, 1);
  },
);

Deno.test(
  withGit(
    "change notices what a person wrote in the same second as its own last write, after another commit",
  ),
  async () => {
    using work = await newWorkspace();
    await new Promise((resolve) => setTimeout(resolve, 1_010 - Date.now() % 1000)); // a second begins
    for (const path of ["a.txt", "old_time.txt", "mode.txt", "same.txt"]) await work.put(path, "one\n");
    const { atime, mtime } = Deno.statSync(`${work.path}/old_time.txt`);
    for (const path of ["a.txt", "old_time.txt", "same.txt"]) {
      Deno.writeTextFileSync(`${work.path}/${path}`, path === "same.txt" ? "one\n" : "two\n", {
        create: false,
      });
    }
    Deno.utimeSync(`${work.path}/old_time.txt`, atime ?? 0, mtime ?? 0);
    Deno.chmodSync(`${work.path}/mode.txt`, 0o755);
    await new Promise((resolve) => setTimeout(resolve, 1_010 - Date.now() % 1000));
    await work.put("b.txt", "x\n");
    assertEquals(work.git("status", "--porcelain"), " M a.txt\n M mode.txt\n M old_time.txt\n");
    for (const path of ["a.txt", "old_time.txt", "mode.txt"]) {
      assert((await work.put(path, "ours\n")).kept !== undefined, path);
    }
    work.judge();
  },
);
