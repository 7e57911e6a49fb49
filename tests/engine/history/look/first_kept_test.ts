/** A restore leaves alone what a person had before it was in the history. */
import { assertEquals, assertMatch } from "@std/assert";
import { withGit } from "../../../support/needs.ts";
import { newWorkspace, REQUEST, type Workspace } from "../workspace.ts";

const RESTORE = { ...REQUEST, tool: "restore" };

/** Does a dry run, then the restore, and returns its report, without the commit in each reason. */
async function restore(work: Workspace, commit: string, path?: string) {
  const query = { commit, maxFiles: 9, ...(path === undefined ? {} : { path }) };
  const planned = await work.history.planRestore(query);
  const { value } = await work.history.restore(RESTORE, query);
  const { diff: _, truncated: __, ...same } = planned;
  assertEquals(value, same);
  for (const { reason } of value.skipped) {
    assertMatch(reason, /^no tool created it, and it was first recorded later, in [0-9a-f]{40}: /);
  }
  return {
    files: value.files.map(({ path, status }) => `${status} ${path}`),
    skipped: value.skipped.map(({ path }) => path),
  };
}

Deno.test(
  withGit(
    "restore of everything leaves files that existed before but are first recorded in a commit that kept them",
  ),
  async () => {
    using work = await newWorkspace();
    const { commit: first } = await work.put("a", "1\n");
    work.write("notes", "theirs\n");
    work.write("sub/notes", "theirs too\n");
    await work.put("notes", "tool\n");
    await work.put("notes", "tool again\n");
    await work.put("sub/notes", "tool\n");
    await work.put("made", "tool\n");
    await work.put("sub/made", "tool\n");
    assertEquals(await restore(work, first), {
      files: ["deleted made", "deleted sub/made"],
      skipped: ["notes", "sub/notes"],
    });
    assertEquals([work.read("notes"), work.read("sub/notes")], ["tool again\n", "tool\n"]);
    work.judge();
  },
);

Deno.test(
  withGit("restore leaves a file that existed before, even if tools have moved it or it is named"),
  async () => {
    using work = await newWorkspace();
    const { commit: first } = await work.put("a", "1\n");
    work.write("d/notes", "theirs\n");
    await work.put("d/made", "tool\n");
    await work.put("d/notes", "tool\n");
    await work.change({ kind: "move", from: work.at("d"), to: work.at("e") });
    await work.change({ kind: "move", from: work.at("e/notes"), to: work.at("f/n") });
    assertEquals(await restore(work, first, "f"), { files: [], skipped: ["f/n"] });
    assertEquals(await restore(work, first, "f/n"), { files: [], skipped: ["f/n"] });
    assertEquals(await restore(work, first), { files: ["deleted e/made"], skipped: ["f/n"] });
    assertEquals(work.read("f/n"), "tool\n");
    work.judge();
  },
);

Deno.test(
  withGit("restore restores what was kept, and removes a file that a tool made even if it was kept since"),
  async () => {
    using work = await newWorkspace();
    const { commit: first } = await work.put("a", "1\n");
    work.write("notes", "theirs\n");
    const { kept } = await work.put("notes", "tool\n");
    await work.put("made", "tool\n");
    work.write("made", "a person's change\n");
    await work.put("made", "tool again\n");
    assertEquals(await restore(work, kept ?? ""), { files: ["deleted made", "modified notes"], skipped: [] });
    assertEquals(work.read("notes"), "theirs\n");
    await restore(work, "HEAD~1"); // and back
    assertEquals(await restore(work, first), { files: ["deleted made"], skipped: ["notes"] });
    work.judge();
  },
);

Deno.test(
  withGit("restore removes what a person had only if the chosen commit needs its place"),
  async () => {
    using work = await newWorkspace();
    await work.put("x/a", "1\n");
    const { commit: first } = await work.put("y", "1\n");
    await work.change({ kind: "remove", path: work.at("x") }, { kind: "remove", path: work.at("y") });
    work.write("x", "theirs\n");
    work.write("y/b", "theirs\n");
    work.write("z", "theirs\n");
    for (const path of ["x", "y/b", "z"]) await work.put(path, "tool\n");
    const { files, skipped } = await restore(work, first);
    assertEquals(skipped, ["z"]);
    assertEquals(files.toSorted(), ["added x/a", "added y", "deleted x", "deleted y/b"]);
    work.judge();
  },
);

Deno.test(
  withGit("a history begins with everything that was there except what git ignores, by a separate author"),
  async () => {
    using work = await newWorkspace();
    work.write("notes", "theirs\n");
    work.write("sub/run.sh", "#!/bin/sh\n");
    Deno.chmodSync(`${work.path}/sub/run.sh`, 0o755);
    work.write(".gitignore", "*.log\n/out/\n");
    work.write("a.log", "ignored\n");
    work.write("out/b", "ignored\n");
    work.write(".git/info/exclude", "private\n");
    work.write("private", "ignored\n");
    work.write("inner/.git/HEAD", "ref: refs/heads/main\n");
    work.write("inner/file", "of another repository\n");
    Deno.symlinkSync("notes", `${work.path}/link`);
    const { commit, kept } = await work.put("notes", "tool\n");
    assertEquals(
      work.git("log", "--format=%H %an, %cn"),
      `${commit} paddock, paddock\n${kept} outside paddock, paddock\n`,
    );
    assertEquals(
      work.git("ls-tree", "-r", "--format=%(objectmode) %(path)", kept ?? ""),
      "100644 .gitignore\n120000 link\n100644 notes\n100755 sub/run.sh\n",
    );
    assertEquals(work.git("show", `${kept}:notes`), "theirs\n");
    assertEquals(work.git("diff", "--stat=80", "--name-status", "HEAD~1"), "M\tnotes\n");
    assertEquals(await restore(work, kept ?? ""), { files: ["modified notes"], skipped: [] });
    assertEquals(work.git("status", "--porcelain"), "?? inner/\n");
  },
);

Deno.test(
  withGit("a history begins without what it cannot record, and says so only for what is changed"),
  async () => {
    using work = await newWorkspace();
    work.write(".gitmodules", '[submodule ".."]\n\turl = -x\n');
    work.write("fine", "1\n");
    const { kept } = await work.put("a", "2\n");
    assertEquals(work.git("ls-tree", "--name-only", kept ?? ""), "fine\n");
    assertEquals(work.git("status", "--porcelain"), "?? .gitmodules\n");
    work.git("fsck", "--strict");
  },
);
