/** What git was told about files (sparse checkout, assume-unchanged) still holds after a tool has changed something. */
import { assertEquals, assertMatch } from "@std/assert";
import type { Step } from "../../../../src/engine/history/mod.ts";
import { refusal } from "../../../support/engine.ts";
import { withGit } from "../../../support/needs.ts";
import { CrashImages } from "../change/crash_images.ts";
import { newWorkspace, REQUEST, type Workspace, workspaceOn } from "../workspace.ts";

const RESTORE = { ...REQUEST, tool: "restore" };

/** In d all but one file is checked out, and of far nothing. */
async function sparse(): Promise<Workspace> {
  const work = await newWorkspace();
  for (const path of ["d/a", "d/left", "d/sub/b", "far/c", "far/e"]) await work.put(path, `${path}\n`);
  work.git("update-index", "-q", "--refresh"); // otherwise git may keep a file that was written in this second
  work.git("sparse-checkout", "set", "--no-cone", "/*", "!/d/left", "!/far/");
  assertEquals(work.names().filter((name) => /^(d|far)\//.test(name)), ["d/", "d/a", "d/sub/", "d/sub/b"]);
  return work;
}

const move = ({ at }: Pick<Workspace, "at">, from: string, to: string): Step => ({
  kind: "move",
  from: at(from),
  to: at(to),
});

/** The files of the last commit. */
const files = (work: Pick<Workspace, "git">) =>
  work.git("ls-tree", "-r", "--name-only", "HEAD").trim().split("\n");

Deno.test(
  withGit(
    "move of a folder moves along what a sparse checkout leaves out of it, and no later move deletes it",
  ),
  async () => {
    using work = await sparse();
    for (const [from, to] of [["d", "e"], ["e", "deep/f"], ["deep", "g"]] as const) {
      const { kept } = await work.change(move(work, from, to));
      assertEquals(kept, undefined);
      work.judge();
    }
    assertEquals(files(work), ["far/c", "far/e", "g/f/a", "g/f/left", "g/f/sub/b"]);
    assertEquals(work.git("ls-files", "-t"), "S far/c\nS far/e\nH g/f/a\nS g/f/left\nH g/f/sub/b\n");
    work.git("sparse-checkout", "disable");
    assertEquals([work.read("g/f/left"), work.read("far/c")], ["d/left\n", "far/c\n"]);
    work.judge();
  },
);

Deno.test(withGit("move takes along the flags of files that git ignores changes of"), async () => {
  using work = await newWorkspace();
  for (const path of ["d/a", "d/b", "one"]) await work.put(path, `${path}\n`);
  work.git("update-index", "--assume-unchanged", "d/a", "one");
  await work.change(move(work, "d", "e"));
  await work.change(move(work, "one", "other"));
  assertEquals(work.git("ls-files", "-v"), "h e/a\nH e/b\nh other\n");
  work.judge();
});

Deno.test(
  withGit("heal completes the move of a folder in a sparse checkout when it was killed"),
  async () => {
    using work = await sparse();
    using crashes = new CrashImages(work.path);
    await work.change(move(work, "d", "e"));
    crashes.stop();
    let isDone = false;
    for (const { before: place, folder } of crashes.images.filter((_, i) => i % 2 === 0)) {
      const crashed = workspaceOn({ ...work.root, path: folder });
      await crashed.history.heal();
      const listed = crashed.git("ls-files", "-t");
      isDone ||= listed.includes("e/a");
      const expected = isDone
        ? "H e/a\nS e/left\nH e/sub/b\nS far/c\nS far/e\n"
        : "H d/a\nS d/left\nH d/sub/b\nS far/c\nS far/e\n";
      assertEquals([listed, crashed.git("status", "--porcelain")], [expected, ""], place);
    }
    assertEquals(isDone, true);
  },
);

Deno.test(
  withGit("change refuses what would replace files that a sparse checkout leaves out"),
  async () => {
    using work = await sparse();
    const before = files(work);
    const put = (path: string): Step => ({ kind: "put", path: work.at(path), bytes: new Uint8Array([10]) });
    for (
      const step of [
        move(work, "d", "far"),
        move(work, "d/a", "far"),
        move(work, "d/a", "d/left"),
        put("far"),
        put("d/left/x"),
      ]
    ) {
      assertMatch(
        await refusal(work.change(step)),
        /^ALREADY_EXISTS: "(far\/c|d\/left)" is in the history but left out .*sparse-checkout disable/,
      );
    }
    assertEquals(files(work), before);
    await work.change(put("far/new"));
    work.judge();
    assertEquals(files(work), [...before, "far/new"].sort());
  },
);

Deno.test(withGit("restore leaves files that a sparse checkout leaves out, and says so"), async () => {
  using work = await newWorkspace();
  await work.put("a", "0\n");
  await work.put("left", "0\n");
  await work.put("far", "0\n"); // later a folder
  const target = work.git("rev-parse", "HEAD").trim();
  await work.change({ kind: "remove", path: work.at("far") });
  for (const path of ["a", "left", "far/c"]) await work.put(path, "1\n");
  work.git("update-index", "-q", "--refresh"); // otherwise git may keep a file that was written in this second
  work.git("sparse-checkout", "set", "--no-cone", "/*", "!/left", "!/far/");
  const query = { commit: target, maxFiles: 9 };
  const { diff: _, truncated: __, ...planned } = await work.history.planRestore(query);
  const { value } = await work.history.restore(RESTORE, query);
  assertEquals(value, planned);
  assertEquals(value.files, [{ path: "a", status: "modified" }]);
  const reason = "it is left out of the sparse checkout";
  assertEquals(value.skipped, [
    { path: "far", reason: "far/c is left out of the sparse checkout" },
    { path: "left", reason },
  ]);
  assertEquals(work.git("show", "HEAD:left"), "1\n");
  work.judge();
});
