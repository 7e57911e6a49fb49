import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Step } from "../../../../src/engine/history/mod.ts";
import { openHistory } from "../../../../src/engine/history/mod.ts";
import { withGit } from "../../../support/needs.ts";
import { CrashImages } from "./crash_images.ts";
import { gitLog, newWorkspace, REQUEST, type Workspace, workspaceOn } from "../workspace.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** What is on disk, and whether the branch has moved. */
function stateOf(folder: string, commit: string): string {
  const files: string[] = [];
  const walk = (at: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(`${folder}${at}`)) {
      if (isDirectory && name !== ".git") walk(`${at}/${name}`);
      else if (!isDirectory) files.push(`${at}/${name} ${Deno.readTextFileSync(`${folder}${at}/${name}`)}`);
    }
  };
  walk("");
  return `${commit}\n${files.sort().join("")}`;
}

async function headOf(work: Pick<Workspace, "history">): Promise<string> {
  const { entries } = await work.history.log({ limit: 1 });
  return entries[0]?.commit ?? "";
}

const CHANGES: [name: string, steps: (work: Pick<Workspace, "at">) => Step[]][] = [
  ["the first write", ({ at }) => [{ kind: "put", path: at("new/a.txt"), bytes: encode("first\n") }]],
  ["a change of everything", ({ at }) => [
    { kind: "put", path: at("a.txt"), bytes: encode("changed\n") },
    { kind: "remove", path: at("gone") },
    { kind: "move", from: at("sub"), to: at("new/sub") },
    { kind: "folder", path: at("empty") },
  ]],
  ["a move of a file", ({ at }) => [{ kind: "move", from: at("sub/d.txt"), to: at("moved.txt") }]],
];

for (const [name, steps] of CHANGES) {
  Deno.test(withGit(`heal completes or drops ${name}, wherever the process was killed`), async () => {
    using work = await newWorkspace();
    if (name !== "the first write") {
      await work.change(
        { kind: "put", path: work.at("a.txt"), bytes: encode("old\n") },
        { kind: "put", path: work.at("gone/b.txt"), bytes: encode("b\n") },
        { kind: "put", path: work.at("gone/deep/c.txt"), bytes: encode("c\n") },
        { kind: "put", path: work.at("sub/d.txt"), bytes: encode("d\n") },
      );
      work.git("gc", "-q");
    }
    const before = stateOf(work.path, await headOf(work));
    using crashes = new CrashImages(work.path);
    await work.change(...steps(work));
    crashes.stop();
    const after = stateOf(work.path, await headOf(work));
    assert(crashes.images.length > 15, `only ${crashes.images.length} places`);
    let isDone = false;
    for (const { before: place, folder } of crashes.images) {
      const crashed = workspaceOn({ ...work.root, path: folder });
      await crashed.history.heal();
      const state = stateOf(folder, await headOf(crashed));
      isDone ||= state === after;
      assertEquals(state, isDone ? after : before, place);
      assertEquals(crashed.git("status", "--porcelain"), "", place);
      const locks = [...Deno.readDirSync(`${folder}/.git`), ...Deno.readDirSync(`${folder}/.git/refs/heads`)];
      assertEquals(locks.filter(({ name }) => name.endsWith(".lock")), [], place);
    }
    assert(isDone);
    // The rest is checked for a few of them only: git takes longer for it than the repair.
    for (const { folder } of crashes.images.filter((_, i) => i % 8 === 0)) {
      const crashed = workspaceOn({ ...work.root, path: folder });
      await crashed.put("next.txt", "next\n");
      crashed.judge();
      assertEquals(
        (await crashed.history.log({ limit: 99 })).entries.map(({ commit }) => commit),
        gitLog(crashed),
      );
    }
  });
}

Deno.test(withGit("heal leaves alone what somebody changed after the crash, and git shows it"), async () => {
  using work = await newWorkspace();
  await work.put("a.txt", "old\n");
  await work.put("b.txt", "old\n");
  using crashes = new CrashImages(work.path);
  await work.change(
    { kind: "put", path: work.at("a.txt"), bytes: encode("new\n") },
    { kind: "put", path: work.at("b.txt"), bytes: encode("new\n") },
  );
  crashes.stop();
  const image = crashes.images.find(({ before }) => /renameSync .*\.tmp .*\/a\.txt$/.test(before));
  assert(image !== undefined);
  Deno.writeTextFileSync(`${image.folder}/a.txt`, "theirs\n");
  const crashed = workspaceOn({ ...work.root, path: image.folder });
  await crashed.history.heal();
  assertEquals(Deno.readTextFileSync(`${image.folder}/a.txt`), "theirs\n");
  assertEquals(Deno.readTextFileSync(`${image.folder}/b.txt`), "new\n");
  assertEquals(crashed.git("status", "--porcelain"), " M a.txt\n");
});

Deno.test(withGit("heal drops the journal if a person has moved the branch since"), async () => {
  using work = await newWorkspace();
  await work.put("a.txt", "old\n");
  using crashes = new CrashImages(work.path);
  await work.put("a.txt", "new\n");
  crashes.stop();
  const image = crashes.images.find(({ before }) => /renameSync .*\.tmp .*\/a\.txt$/.test(before));
  assert(image !== undefined);
  const crashed = workspaceOn({ ...work.root, path: image.folder });
  Deno.removeSync(`${image.folder}/.git/index.lock`);
  Deno.removeSync(`${image.folder}/.git/refs/heads/main.lock`);
  crashed.git("commit", "-q", "--allow-empty", "-m", "theirs");
  await crashed.history.heal();
  crashed.judge();
  assertEquals(Deno.readTextFileSync(`${image.folder}/a.txt`), "old\n");
  assertMatch(crashed.git("log", "-1", "--format=%s"), /^theirs/);
});

Deno.test(withGit("change rolls back its first steps when a later one cannot be made"), async () => {
  using work = await newWorkspace();
  await work.put("a.txt", "old\n");
  await work.put("sub/b.txt", "old\n");
  const history = openHistory(work.root, {
    onStep: (step) => step === "journal" && work.write("in_the_way", "theirs\n"),
  });
  const steps: Step[] = [
    { kind: "put", path: work.at("a.txt"), bytes: encode("new\n") },
    { kind: "put", path: work.at("x/new.txt"), bytes: encode("new\n") },
    { kind: "remove", path: work.at("sub") },
    { kind: "put", path: work.at("in_the_way/new.txt"), bytes: encode("new\n") },
    { kind: "put", path: work.at("z.txt"), bytes: encode("new\n") },
  ];
  await history.change(REQUEST, () => ({ summary: "x", steps, value: null })).then(
    () => assert(false),
    (error) => assertMatch(String(error), /exists/),
  );
  assertEquals(work.read("a.txt"), "old\n");
  assertEquals(work.read("sub/b.txt"), "old\n");
  assertEquals(work.names().filter((name) => name.endsWith(".tmp")), []);
  Deno.removeSync(`${work.path}/in_the_way`);
  work.judge();
  assert((await work.put("a.txt", "newer\n")).changed);
});
