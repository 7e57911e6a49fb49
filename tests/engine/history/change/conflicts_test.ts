/** After a tool has touched a file, what git left of a conflict in the index is in a commit. */
import { assert, assertEquals } from "@std/assert";
import type { Step } from "../../../../src/engine/history/mod.ts";
import { withGit } from "../../../support/needs.ts";
import { CrashImages } from "./crash_images.ts";
import { newWorkspace, REQUEST, type Workspace, workspaceOn } from "../workspace.ts";

/** Two branches have changed a file, and a person who also changed it takes that change along to the other branch. */
async function conflict(switching: "switch" | "checkout"): Promise<Workspace> {
  const work = await newWorkspace();
  await work.put("d/f", "1\n2\n3\n");
  work.git("branch", "other");
  await work.put("d/f", "1\nmain\n3\n");
  work.git("switch", "-q", "other");
  work.write("d/f", "1\nMINE\n3\n");
  work.git(switching, "-m", "main");
  assertEquals(work.git("status", "--porcelain"), "UU d/f\n");
  return work;
}

/** Every content that a path had, in everything reachable from the branch. */
function versions(work: Pick<Workspace, "git">, path: string): string[] {
  return work.git("log", "--format=%H", "--full-history", "--", path).trim().split("\n")
    .flatMap((commit) =>
      work.git("ls-tree", commit, "--", path).includes(" blob ")
        ? [work.git("show", `${commit}:${path}`)]
        : []
    );
}

const STEPS: [name: string, act: (work: Workspace) => Promise<unknown>][] = [
  ["writes the file", (work) => work.put("d/f", "tool\n")],
  ["writes what the branch has", (work) => work.put("d/f", "1\nmain\n3\n")],
  ["moves the file", ({ change, at }) => change({ kind: "move", from: at("d/f"), to: at("g") })],
  ["moves its folder", ({ change, at }) => change({ kind: "move", from: at("d"), to: at("e") })],
  ["removes its folder", ({ change, at }) => change({ kind: "remove", path: at("d") })],
  [
    "restores the file",
    ({ history }) =>
      history.restore({ ...REQUEST, tool: "restore" }, { commit: "HEAD~1", path: "d/f", maxFiles: 9 }),
  ],
];

for (const [name, act] of STEPS) {
  Deno.test(
    withGit(`change keeps a person's version that is only in the index after git switch -m when it ${name}`),
    async () => {
      using work = await conflict("switch");
      await act(work);
      const kept = versions(work, "d/f");
      assert(kept.includes("1\nMINE\n3\n"), kept.join("---\n"));
      assert(kept.some((content) => content.includes("<<<<<<<")), "nor is the file as it was lost");
      work.judge();
    },
  );
}

Deno.test(withGit("change keeps a person's version after git checkout -m for good"), async () => {
  using work = await conflict("checkout");
  await work.put("d/f", "tool\n");
  work.git("gc", "-q", "--prune=now");
  assert(versions(work, "d/f").includes("1\nMINE\n3\n"));
  work.judge();
});

Deno.test(
  withGit(
    "change keeps both sides of a conflict, and a file that is in the way of a folder, each in a commit",
  ),
  async () => {
    using work = await newWorkspace();
    await work.put("a", "old\n");
    const blob = (content: string) => {
      work.write(".git/content", content);
      return work.git("hash-object", "-w", ".git/content").trim();
    };
    const lines = [
      `0 ${"0".repeat(40)}\ta`,
      `100644 ${blob("base\n")} 1\ta`,
      `100644 ${blob("ours\n")} 2\ta`,
      `100755 ${blob("theirs\n")} 3\ta`,
      `100644 ${blob("staged\n")} 0\tn`,
    ];
    Deno.writeTextFileSync(`${work.path}/.git/lines`, lines.join("\n") + "\n");
    const run = new Deno.Command("sh", {
      args: ["-c", "git update-index --index-info < .git/lines"],
      cwd: work.path,
    });
    assert(run.outputSync().success);
    Deno.removeSync(`${work.path}/a`);
    const bytes = new TextEncoder().encode("new\n");
    const steps: Step[] = ["a/b", "n/m"].map((path) => ({ kind: "put", path: work.at(path), bytes }));
    await work.change(...steps);
    assertEquals(versions(work, "a").sort(), ["old\n", "ours\n", "theirs\n"]);
    assertEquals(versions(work, "n"), ["staged\n"]);
    assertEquals(versions(work, "a/b"), ["new\n"]);
    work.judge();
  },
);

Deno.test(withGit("change leaves a conflict in the index for a file that it does not touch"), async () => {
  using work = await conflict("switch");
  await work.put("other", "x\n");
  assertEquals(work.git("status", "--porcelain"), "UU d/f\n");
  assertEquals(work.git("show", ":3:d/f"), "1\nMINE\n3\n");
});

Deno.test(
  withGit("heal completes a change that keeps the sides of a conflict when it was killed"),
  async () => {
    using work = await conflict("switch");
    using crashes = new CrashImages(work.path);
    const { commit: last } = await work.put("d/f", "tool\n");
    crashes.stop();
    let isDone = false;
    for (const { before: place, folder } of crashes.images.filter((_, i) => i % 3 === 0)) {
      const crashed = workspaceOn({ ...work.root, path: folder });
      await crashed.history.heal();
      isDone ||= crashed.git("rev-parse", "HEAD").trim() === last;
      assertEquals(crashed.git("status", "--porcelain"), isDone ? "" : "UU d/f\n", place);
      if (isDone) assert(versions(crashed, "d/f").includes("1\nMINE\n3\n"), place);
      else assertEquals(crashed.git("show", ":3:d/f"), "1\nMINE\n3\n", place);
    }
    assert(isDone);
  },
);
