import { assertEquals, assertMatch } from "@std/assert";
import { PaddockError } from "../../../../src/base/errors.ts";
import { openHistory } from "../../../../src/engine/history/mod.ts";
import { refusal } from "../../../support/engine.ts";
import { needs, withGit } from "../../../support/needs.ts";
import { CrashImages } from "../change/crash_images.ts";
import { newWorkspace, REQUEST, type Workspace, workspaceOn } from "../workspace.ts";

const RESTORE = { ...REQUEST, tool: "restore" };
const QUERY = { commit: "HEAD", maxFiles: 10 };

function commitAll(work: Workspace): string {
  work.git("add", "-A");
  work.git("commit", "-qm", "theirs");
  return work.git("rev-parse", "HEAD").trim();
}

/** Two states that are in each other's way; each is restored from the other. */
const SHAPES: [name: string, first: Record<string, string>, second: Record<string, string>][] = [
  ["a file and a folder of its name", { x: "0\n" }, { "x/a": "1\n", "x/deep/b": "2\n" }],
  ["a file and a folder further down", { "d/x": "0\n", "d/y": "y\n" }, { "d/x/y/z": "1\n" }],
  ["files whose names sort around it", { x: "0\n", "x.a": "1\n", x0: "2\n" }, {
    "x/a": "3\n",
    "x.a/b": "4\n",
  }],
];

function makeOnly(work: Workspace, files: Record<string, string>): void {
  for (const { name } of [...Deno.readDirSync(work.path)]) {
    if (name !== ".git") Deno.removeSync(`${work.path}/${name}`, { recursive: true });
  }
  for (const [path, content] of Object.entries(files)) work.write(path, content);
}

for (const [name, first, second] of SHAPES) {
  Deno.test(
    withGit(`restore goes back and forth between ${name}, and the dry run says the same`),
    async () => {
      using work = await newWorkspace();
      makeOnly(work, first);
      const one = commitAll(work);
      makeOnly(work, second);
      const two = commitAll(work);
      for (const commit of [one, two, one]) {
        const { diff: _, truncated: __, ...planned } = await work.history.planRestore({ ...QUERY, commit });
        const { value, kept } = await work.history.restore(RESTORE, { ...QUERY, commit });
        assertEquals(value, planned);
        assertEquals([value.skipped, kept], [[], undefined]);
        assertEquals(work.git("diff", "--stat", commit, "HEAD"), "");
        work.judge();
      }
    },
  );
}

Deno.test(
  withGit("restore keeps what a person has in the way of a file or a folder, and then removes it"),
  async () => {
    using work = await newWorkspace();
    await work.put("x", "0\n");
    Deno.removeSync(`${work.path}/x`);
    work.write("x/untracked", "theirs\n");
    const file = await work.history.restore(RESTORE, QUERY);
    assertEquals(work.git("show", `${file.kept}:x/untracked`), "theirs\n");
    work.judge();
    await work.change({ kind: "remove", path: work.at("x") });
    await work.put("x/a", "1\n");
    Deno.removeSync(`${work.path}/x`, { recursive: true });
    work.write("x", "theirs too\n");
    const folder = await work.history.restore(RESTORE, QUERY);
    assertEquals(work.git("show", `${folder.kept}:x`), "theirs too\n");
    assertEquals(work.read("x/a"), "1\n");
    work.judge();
  },
);

Deno.test(
  withGit("heal completes a restore that turns files into folders and the reverse, wherever it was killed"),
  async () => {
    using work = await newWorkspace();
    makeOnly(work, { x: "0\n", "y/a": "1\n" });
    const one = commitAll(work);
    makeOnly(work, { "x/a": "2\n", y: "3\n" });
    const two = commitAll(work);
    using crashes = new CrashImages(work.path);
    const { commit: last } = await work.history.restore(RESTORE, { ...QUERY, commit: one });
    crashes.stop();
    let isDone = false;
    for (const { before: place, folder } of crashes.images) {
      const crashed = workspaceOn({ ...work.root, path: folder });
      await crashed.history.heal();
      const status = crashed.git("status", "--porcelain=v2", "--branch");
      isDone ||= !status.includes(two);
      assertEquals(status, `# branch.oid ${isDone ? last : two}\n# branch.head main\n`, place);
    }
    assertEquals(isDone, true);
  },
);

Deno.test(
  withGit("restore rolls back its changes to files and folders when a later step fails"),
  async () => {
    using work = await newWorkspace();
    makeOnly(work, { x: "0\n", "y/a": "1\n", "z/last": "old\n" });
    const one = commitAll(work);
    makeOnly(work, { "x/a": "2\n", y: "3\n", "z/last": "new\n" });
    commitAll(work);
    const failing = openHistory(work.root, {
      onStep: (step) => {
        // A folder replaces the last file, so that nothing can be renamed to it.
        if (step !== "working tree" || !work.names().includes("y/a")) return;
        Deno.removeSync(`${work.path}/z`, { recursive: true });
        work.write("z", "");
      },
    });
    assertMatch(await refusal(failing.restore(RESTORE, { ...QUERY, commit: one })), /./);
    Deno.removeSync(`${work.path}/z`);
    work.write("z/last", "new\n");
    work.judge();
  },
);

Deno.test(
  needs("git", "mkfifo")(
    "restore leaves no file in the commit that the chosen one lacks, whatever happened to it on disk",
  ),
  async () => {
    using work = await newWorkspace();
    await work.put("a", "0\n");
    const target = work.git("rev-parse", "HEAD").trim();
    for (const path of ["deleted", "pipe", "folder", "same"]) await work.put(path, "1\n");
    await work.put("a", "1\n");
    for (const path of ["deleted", "pipe", "folder"]) Deno.removeSync(`${work.path}/${path}`);
    work.write("folder/untracked", "theirs\n");
    work.write("a", "0\n"); // as it was then, but the last commit differs
    const pipe = await new Deno.Command("mkfifo", { args: [`${work.path}/pipe`] }).output();
    assertEquals(pipe.success, true);
    const { value } = await work.history.restore(RESTORE, { ...QUERY, commit: target });
    assertEquals(value.files.map(({ path, status }) => `${status} ${path}`), [
      "modified a",
      "deleted deleted",
      "deleted folder",
      "deleted pipe",
      "deleted same",
    ]);
    assertEquals(work.git("diff", "--stat", target, "HEAD"), "");
    assertEquals(work.git("status", "--porcelain"), "?? folder/\n");
    assertEquals(Deno.lstatSync(`${work.path}/pipe`).isFifo, true);
    assertEquals(work.read("folder/untracked"), "theirs\n");
  },
);

Deno.test(
  withGit("restore removes the entry of a submodule and adds it again, and leaves its folder alone"),
  async () => {
    using work = await newWorkspace();
    await work.put("a", "0\n");
    const without = work.git("rev-parse", "HEAD").trim();
    work.write("sub/inner", "inner\n");
    work.git("init", "-q", "sub");
    work.git("-C", "sub", "add", "-A");
    work.git("-C", "sub", "commit", "-qm", "inner");
    work.git("-c", "advice.addEmbeddedRepo=false", "add", "sub");
    work.git("commit", "-qm", "with sub");
    const withIt = work.git("rev-parse", "HEAD").trim();
    await work.history.restore(RESTORE, { ...QUERY, commit: without });
    assertEquals(work.git("diff", "--stat", without, "HEAD"), "");
    assertEquals([work.git("status", "--porcelain"), work.read("sub/inner")], ["?? sub/\n", "inner\n"]);
    await work.history.restore(RESTORE, { ...QUERY, commit: withIt });
    assertEquals(work.git("diff", "--stat", withIt, "HEAD"), "");
    work.judge();
    await work.history.restore(RESTORE, { ...QUERY, commit: without });
    Deno.removeSync(`${work.path}/sub`, { recursive: true });
    await work.history.restore(RESTORE, { ...QUERY, commit: withIt });
    work.judge();
  },
);

Deno.test(
  withGit("restore leaves links that it cannot create as they are, says so, and restores everything else"),
  async () => {
    using work = await newWorkspace();
    work.write("a", "0\n");
    Deno.symlinkSync("a", `${work.path}/gone`);
    Deno.symlinkSync("a", `${work.path}/other`);
    Deno.symlinkSync("a", `${work.path}/same`);
    Deno.symlinkSync("a", `${work.path}/folder`);
    const target = commitAll(work);
    for (const name of ["gone", "other", "folder"]) Deno.removeSync(`${work.path}/${name}`);
    Deno.symlinkSync("same", `${work.path}/other`);
    work.write("folder/b", "b\n");
    work.write("a", "1\n");
    commitAll(work);
    const reason = "symbolic links cannot be created here";
    const skipped = ["folder", "gone", "other"].map((path) => ({ path, reason }));
    const { diff: _, truncated: __, ...planned } = await work.history.planRestore({
      ...QUERY,
      commit: target,
    });
    const { value } = await work.history.restore(RESTORE, { ...QUERY, commit: target });
    assertEquals(value, planned);
    assertEquals([value.skipped, value.count], [skipped, 1]);
    assertEquals(work.git("diff", "--name-only", target, "HEAD"), "folder\nfolder/b\ngone\nother\n");
    assertEquals(work.read("a"), "0\n");
    work.judge();
  },
);

Deno.test(
  needs("Linux", "git")(
    "files whose names are not UTF-8 are left alone by diff and restore, and their folder is not moved or removed",
  ),
  async () => {
    using work = await newWorkspace();
    await work.put("d/a", "0\n");
    const script = `printf 'bad\\n' > "$(printf 'd/b\\377')" && git add -A && git commit -qm bad`;
    const run = await new Deno.Command("sh", {
      args: ["-c", script],
      cwd: work.path,
      env: {
        GIT_AUTHOR_NAME: "p",
        GIT_AUTHOR_EMAIL: "p@x",
        GIT_COMMITTER_NAME: "p",
        GIT_COMMITTER_EMAIL: "p@x",
      },
    }).output();
    assertEquals(run.success, true);
    const head = work.git("rev-parse", "HEAD").trim();
    assertEquals((await work.history.diff({ from: "HEAD", maxBytes: 1000, maxFiles: 9 })).files, []);
    assertEquals((await work.history.restore(RESTORE, QUERY)).changed, false);
    const { value } = await work.history.restore(RESTORE, { ...QUERY, commit: "HEAD~1" });
    assertEquals(value.skipped, [{ path: "d/b\ufffd", reason: "its name is not valid UTF-8" }]);
    for (
      const step of [
        { kind: "move", from: work.at("d"), to: work.at("e") } as const,
        { kind: "remove", path: work.at("d") } as const,
      ]
    ) assertMatch(await refusal(work.change(step)), /^UNSUPPORTED: .*not valid UTF-8/);
    assertEquals(work.git("rev-parse", "HEAD").trim(), head);
    work.judge();
  },
);

Deno.test(
  withGit(
    "restore of many files writes several at a time, and rolls all of them back if one fails",
  ),
  async () => {
    using work = await newWorkspace();
    const names = Array.from({ length: 70 }, (_, i) => `d/${String(i).padStart(2, "0")}`);
    for (const name of names) work.write(name, "0\n");
    const target = commitAll(work);
    for (const name of names) work.write(name, "1\n");
    commitAll(work);
    const onTheirWay = () => work.names().filter((name) => /\/\.paddock-.*\.tmp$/.test(name)).length;
    const counts: number[] = [];
    const failing = openHistory(work.root, {
      onStep: (step) => {
        if (step !== "working tree") return;
        counts.push(onTheirWay());
        if (counts.length === 40) throw new PaddockError("INTERNAL", "no more");
      },
    });
    assertEquals(await refusal(failing.restore(RESTORE, { ...QUERY, commit: target })), "INTERNAL: no more");
    assertEquals([counts[0], counts[31], counts[32], onTheirWay()], [31, 0, 31, 0]);
    work.judge();
    assertEquals((await work.history.restore(RESTORE, { ...QUERY, commit: target })).value.count, 70);
    assertEquals(work.git("diff", "--stat", target, "HEAD"), "");
    work.judge();
  },
);

Deno.test(
  withGit("restore leaves a bare repository inside the workspace alone, and never restores a complete one"),
  async () => {
    using work = await newWorkspace();
    await work.put("a.txt", "one\n");
    const files = {
      "p/HEAD": "ref: refs/heads/main\n",
      "p/config": "[core]\n",
      "p/objects/x": "",
      "p/refs/x": "",
    };
    for (const [path, content] of Object.entries(files)) work.write(path, content);
    const whole = commitAll(work);
    work.write("p/config", "[user]\n");
    const other = commitAll(work);
    const target = { ...QUERY, commit: whole };
    const inPlace = await work.history.restore(RESTORE, target);
    assertEquals(inPlace.value.skipped.map(({ path, reason }) => [path, reason]), [
      ["p/config", "p is a nested git repository"],
    ]);
    assertEquals(work.read("p/config"), "[user]\n");
    Deno.removeSync(`${work.path}/p`, { recursive: true });
    const brought = await work.history.restore(RESTORE, { ...target, commit: other });
    assertEquals(brought.value.skipped.map(({ path, reason }) => [path, reason]), [
      ["p/refs/x", "it would turn p into a git repository"],
    ]);
    assertEquals(work.names().filter((name) => name.startsWith("p/")), [
      "p/",
      "p/HEAD",
      "p/config",
      "p/objects/",
      "p/objects/x",
    ]);
  },
);
