import { assert, assertEquals, assertMatch } from "@std/assert";
import { initHistory, openHistory, type Step } from "../../../../src/engine/history/mod.ts";
import { refusal } from "../../../support/engine.ts";
import { needs, withGit } from "../../../support/needs.ts";
import { type TempFolder, tempFolder } from "../../../support/temp.ts";
import { newWorkspace, REQUEST, type Workspace } from "../workspace.ts";

Deno.test(
  withGit("initHistory makes a repository that git accepts, on branch main, without a commit"),
  async () => {
    using work = await newWorkspace();
    assertEquals(work.git("status", "--porcelain", "--branch"), "## No commits yet on main\n");
    assertEquals(work.tryGit("fsck", "--strict").replace(/^notice: .*\n/gm, ""), "");
    assertMatch(await refusal(initHistory(work.root)), /^ALREADY_EXISTS/);
    work.write(
      ".gitattributes",
      "* text=auto eol=crlf ident\n*.txt filter=evil working-tree-encoding=UTF-16\n",
    );
    await work.put("a.txt", "one $Id$\r\ntwo\n");
    work.judge();
    assertEquals(work.git("show", "HEAD:a.txt"), "one $Id$\r\ntwo\n");
  },
);

const REFUSED: [name: string, act: (work: Workspace, outside: TempFolder) => void, expected: RegExp][] = [
  [".git is a link to another repository", (work, outside) => {
    Deno.renameSync(`${work.path}/.git`, `${outside.path}/.git`);
    Deno.symlinkSync(`${outside.path}/.git`, `${work.path}/.git`);
  }, /^UNSUPPORTED: .*its \.git is a link/],
  [".git is a file that points elsewhere", (work, outside) => {
    Deno.renameSync(`${work.path}/.git`, `${outside.path}/.git`);
    work.write(".git", `gitdir: ${outside.path}/.git\n`);
  }, /^UNSUPPORTED: .*its \.git is a file/],
  [
    "there is no .git",
    (work) => Deno.removeSync(`${work.path}/.git`, { recursive: true }),
    /^UNSUPPORTED: .*has no \.git/,
  ],
  ...["objects", "refs", "refs/heads", "mcp", "info", "objects/pack"].map((
    name,
  ): [string, (work: Workspace, outside: TempFolder) => void, RegExp] => [
    `.git/${name} is a link`,
    (work, outside) => {
      Deno.renameSync(`${work.path}/.git/${name}`, `${outside.path}/moved`);
      Deno.symlinkSync(`${outside.path}/moved`, `${work.path}/.git/${name}`);
    },
    /^UNSUPPORTED: .*(not a plain folder|is a link)/,
  ]),
  ["HEAD is a link", (work, outside) => {
    Deno.removeSync(`${work.path}/.git/HEAD`);
    Deno.symlinkSync(outside.write("HEAD", "ref: refs/heads/main\n"), `${work.path}/.git/HEAD`);
  }, /^UNSUPPORTED: "\.git\/HEAD" of the workspace is a link/],
  ["HEAD is a pipe", (work) => {
    Deno.removeSync(`${work.path}/.git/HEAD`);
    new Deno.Command("mkfifo", { args: [`${work.path}/.git/HEAD`] }).outputSync();
  }, /^UNSUPPORTED: "\.git\/HEAD" of the workspace is/],
  [
    "HEAD names a file outside",
    (work) => work.write(".git/HEAD", "ref: refs/heads/../../../x\n"),
    /^UNSUPPORTED: HEAD .* does not name a branch/,
  ],
  ["HEAD is detached", (work) => work.git("checkout", "-q", "--detach"), /^UNSUPPORTED: .*detached HEAD/],
  [
    "a merge is in progress",
    (work) => work.write(".git/MERGE_HEAD", `${"a".repeat(40)}\n`),
    /^CONFLICT: a merge is in progress/,
  ],
  [
    "objects are borrowed",
    (work, outside) => work.write(".git/objects/info/alternates", outside.path),
    /^UNSUPPORTED: .*alternates/,
  ],
  [
    "objects are named by sha256",
    (work) =>
      work.write(
        ".git/config",
        "[core]\nrepositoryformatversion = 1\n[Extensions]\n\tObjectFormat = sha256\n",
      ),
    /^UNSUPPORTED: .*"sha256"/,
  ],
  [
    "branches are kept as a reftable",
    (work) => work.write(".git/config", "[extensions] refStorage = reftable\n"),
    /^UNSUPPORTED: .*"reftable"/,
  ],
  [
    "an extension is unknown",
    (work) => work.write(".git/config", "[extensions]\n\tnew = 1\n"),
    /^UNSUPPORTED: .*extension "new"/,
  ],
  [
    "the files are elsewhere",
    (work) => work.write(".git/config", "[core]\n\tworktree = /\n"),
    /^UNSUPPORTED: .*core\.worktree/,
  ],
  ["the index is split", (work) => work.git("update-index", "--split-index"), /^UNSUPPORTED: .*split index/],
  ["the index has folders as entries", (work) => {
    work.git("sparse-checkout", "set", "--cone", "--sparse-index", "sub");
  }, /^UNSUPPORTED: .*sparse-checkout disable/],
];

for (const [name, act, expected] of REFUSED) {
  Deno.test(
    needs("mkfifo", "git")(`change refuses when ${name}, and touches nothing, here or there`),
    async () => {
      using work = await newWorkspace();
      using outside = tempFolder();
      await work.put("a.txt", "one\n");
      await work.put("sub/b.txt", "one\n");
      await work.put("other/c.txt", "one\n");
      act(work, outside);
      const before = [outside.names(), work.read("a.txt")];
      assertMatch(await refusal(work.put("a.txt", "two\n")), expected);
      assertEquals([outside.names(), work.read("a.txt")], before);
    },
  );
}

Deno.test(withGit("heal and change continue at once when the file they lock has been replaced"), async () => {
  using work = await newWorkspace();
  await work.put("a.txt", "one\n");
  const lock = `${work.path}/.git/mcp/lock`;
  const mark = `${work.path}/.git/mcp/mine`;
  for (const content of ["two\n", "three\n"]) {
    Deno.writeTextFileSync(`${lock}.new`, "");
    Deno.renameSync(`${lock}.new`, lock);
    Deno.linkSync(mark, `${work.path}/.git/index.lock`); // as a killed process leaves it
    await work.history.heal();
    assertEquals(work.names().filter((name) => name.endsWith("index.lock")), []);
    Deno.removeSync(lock);
    const steps: Step[] = [{ kind: "put", path: work.at("a.txt"), bytes: new TextEncoder().encode(content) }];
    const request = { ...REQUEST, waitMs: 0 };
    assert((await work.history.change(request, () => ({ summary: "x", steps, value: null }))).changed);
    work.judge();
  }
});

for (const folder of ["mcp", "objects/pack", "refs/heads"]) {
  Deno.test(`change writes nothing through .git/${folder} when it is swapped for a link meanwhile`, async () => {
    using work = await newWorkspace();
    using outside = tempFolder();
    await work.put("a.txt", "one\n");
    const path = `${work.path}/.git/${folder}`;
    const onStep = (step: string) => {
      if (step !== "locked") return;
      Deno.renameSync(path, `${path}.real`);
      Deno.symlinkSync(outside.path, path);
    };
    const steps: Step[] = [{
      kind: "put",
      path: work.at("a.txt"),
      bytes: new TextEncoder().encode("two\n"),
    }];
    const plan = () => ({ summary: "x", steps, value: null });
    assertMatch(
      await refusal(openHistory(work.root, { onStep }).change(REQUEST, plan)),
      /^(UNSUPPORTED|OUT_OF_BOUNDS): /,
    );
    assertEquals(outside.names(), []);
    assertEquals(work.read("a.txt"), "one\n");
  });
}

Deno.test(withGit("change runs nothing and includes nothing that the configuration names"), async () => {
  using work = await newWorkspace();
  using outside = tempFolder();
  await work.put("a.txt", "one\n");
  const mark = `${outside.path}/ran`;
  for (
    const hook of ["pre-commit", "post-commit", "commit-msg", "reference-transaction", "post-index-change"]
  ) {
    Deno.chmodSync(work.write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch ${mark}\n`), 0o755);
  }
  const program = outside.write("program", `#!/bin/sh\ntouch ${mark}\n`);
  Deno.chmodSync(program, 0o755);
  outside.write("included", "[core]\n\tworktree = /\n");
  const config = work.read(".git/config");
  work.write(
    ".git/config",
    `${config}\tfsmonitor = ${program}\n\teditor = ${program}\n[include]\n\tpath = ${outside.path}/included\n`,
  );
  assert((await work.put("a.txt", "two\n")).changed);
  await work.history.log({ limit: 5, path: "a.txt" });
  assertEquals(outside.names(), ["included", "program"]);
  work.write(".git/config", config);
  work.judge();
});

Deno.test(withGit("change writes an object again that git has pruned since"), async () => {
  using work = await newWorkspace();
  await work.put("a.txt", "one\n");
  await work.put("b.txt", "only here\n");
  work.git("gc", "-q");
  await work.history.show("HEAD", { maxBytes: 1_000, maxFiles: 5 }); // so that the pack is known
  work.git("reset", "-q", "--hard", "HEAD~1");
  work.git("reflog", "expire", "--expire=now", "--all");
  work.git("gc", "-q", "--prune=now");
  await work.put("b.txt", "only here\n");
  work.judge();
});

Deno.test(withGit("change rebuilds an index that is lost or damaged"), async () => {
  using work = await newWorkspace();
  await work.put("a.txt", "one\n");
  await work.put("sub/b.txt", "one\n");
  Deno.removeSync(`${work.path}/.git/index`);
  await work.put("a.txt", "two\n");
  work.judge();
  for (const damage of ["", "DIRC", "x".repeat(100)]) {
    work.write(".git/index", damage);
    await work.put("a.txt", `${damage}three\n`);
    work.judge();
  }
});

Deno.test(
  withGit("change keeps a damaged index aside, so that what was staged in it can be recovered"),
  async () => {
    using work = await newWorkspace();
    await work.put("a.txt", "one\n");
    work.write("a.txt", "STAGED\n");
    work.git("add", "a.txt");
    work.write("a.txt", "one\n");
    const index = `${work.path}/.git/index`;
    const whole = Deno.readFileSync(index);
    const kept = () => work.names().filter((name) => /\/index\.damaged-[0-9a-f]{10}$/.test(name));
    const damaged = whole.with(whole.length - 1, (whole.at(-1) ?? 0) ^ 1);
    for (const content of [damaged, whole.subarray(0, 50), damaged]) {
      Deno.writeFileSync(index, content);
      await work.put("a.txt", `${Math.random()}\n`);
      work.judge();
      assert(kept().some((name) => work.read(name) === new TextDecoder().decode(content)));
    }
    assertEquals(kept().length, 2);
    await work.history.heal();
    assertEquals(kept().length, 2);
    const [hash = ""] = work.tryGit("fsck", "--unreachable").match(/(?<=blob )[0-9a-f]{40}/) ?? [];
    const oid = Uint8Array.fromHex(hash);
    assertEquals(work.git("cat-file", "blob", hash), "STAGED\n");
    assert(kept().some((name) => includes(Deno.readFileSync(`${work.path}/${name}`), oid)));
  },
);

function includes(bytes: Uint8Array, part: Uint8Array): boolean {
  return bytes.toHex().includes(part.toHex());
}

Deno.test(withGit("change finds the branch wherever git has stored it"), async () => {
  using work = await newWorkspace();
  await work.put("a.txt", "one\n");
  work.git("pack-refs", "--all");
  await work.put("a.txt", "two\n");
  work.git("branch", "feature/x");
  work.git("pack-refs", "--all");
  work.git("checkout", "-q", "feature/x");
  await work.put("a.txt", "three\n");
  work.judge();
  assertEquals(work.git("rev-list", "--count", "HEAD").trim(), "3");
  assertEquals(work.git("rev-list", "--count", "main").trim(), "2");
});
