/** What a person, or git, does while a change is at work: nothing of it may be lost. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { openHistory, type Step } from "../../../src/engine/history/mod.ts";
import { refusal } from "../../support/engine.ts";
import { newWorkspace, REQUEST, type Workspace } from "./workspace.ts";

const encode = (text: string) => new TextEncoder().encode(text);

const MEANWHILE: [name: string, steps: (work: Workspace) => Step[], path: string, status: string][] = [
  [
    "a file that is to be written",
    ({ at }) => [{ kind: "put", path: at("a"), bytes: encode("ours\n") }],
    "a",
    " M a",
  ],
  [
    "where one is to be created",
    ({ at }) => [{ kind: "put", path: at("n"), bytes: encode("ours\n") }],
    "n",
    " M n",
  ],
  ["a file that is to be removed", ({ at }) => [{ kind: "remove", path: at("a") }], "a", "?? a"],
  ["in a folder that is to be removed", ({ at }) => [{ kind: "remove", path: at("d") }], "d/e/b", "?? d/"],
  ["a new file in such a folder", ({ at }) => [{ kind: "remove", path: at("d") }], "d/new", "?? d/"],
  ["a file that is to be moved", ({ at }) => [{ kind: "move", from: at("a"), to: at("m") }], "a", " M m"],
];

for (const [name, steps, path, status] of MEANWHILE) {
  Deno.test(`change leaves alone what a person writes meanwhile: ${name}`, async () => {
    using work = await newWorkspace();
    for (const file of ["a", "d/c", "d/e/b"]) await work.put(file, "once\n");
    const onStep = (step: string) => void (step === "journal" && work.write(path, "person\n"));
    const history = openHistory(work.root, { onStep });
    await history.change(REQUEST, () => ({ summary: "x", steps: steps(work), value: null }));
    assertEquals(work.read(status === " M m" ? "m" : path), "person\n");
    assertEquals(work.git("status", "--porcelain"), `${status}\n`);
    assertEquals(work.git("fsck", "--strict", "--no-dangling"), "");
    assertEquals(work.names().includes("d/c"), !status.endsWith("d/"));
  });
}

Deno.test("restore of many files leaves alone what a person writes while it is at work", async () => {
  using work = await newWorkspace();
  const names = Array.from({ length: 40 }, (_, i) => `f${10 + i}`);
  await work.change(
    ...names.map((name): Step => ({ kind: "put", path: work.at(name), bytes: encode("v1\n") })),
  );
  await work.change(
    ...names.map((name): Step => ({ kind: "put", path: work.at(name), bytes: encode("v2\n") })),
    { kind: "put", path: work.at("new"), bytes: encode("v2\n") },
  );
  let steps = 0;
  const onStep = (step: string) => {
    if (step !== "working tree" || steps++ > 0) return;
    work.write("f49", "person\n");
    work.write("new", "person\n");
  };
  const { changed } = await openHistory(work.root, { onStep }).restore(REQUEST, {
    commit: "HEAD~1",
    maxFiles: 9,
  });
  assert(changed);
  assertEquals(work.read("f48") + work.read("f49") + work.read("new"), "v1\nperson\nperson\n");
  assertEquals(work.git("status", "--porcelain"), " M f49\n?? new\n");
});

Deno.test("change that fails leaves what a person has written since over what it had done", async () => {
  using work = await newWorkspace();
  await work.put("a", "old\n");
  const onStep = (step: string) => {
    if (step === "journal") work.write("in_the_way", "theirs\n");
    if (step === "working tree") { for (const path of ["a", "new"]) work.write(path, "person\n"); }
  };
  const steps = ["a", "new", "in_the_way/x"]
    .map((path): Step => ({ kind: "put", path: work.at(path), bytes: encode("ours\n") }));
  const failed = await openHistory(work.root, { onStep })
    .change(REQUEST, () => ({ summary: "x", steps, value: null })).then(() => false, () => true);
  assert(failed);
  assertEquals(work.read("a") + work.read("new"), "person\nperson\n");
});

Deno.test("restore that removes many files lists their folder a few times only, and others get their turn", async () => {
  using work = await newWorkspace();
  await work.put("a", "x\n");
  for (let i = 0; i < 400; i++) work.write(`d/${i % 2}/f${i}`, "x\n");
  work.git("add", "-A");
  work.git("commit", "-qm", "many");
  const { readDirSync } = Deno;
  let [lists, turns] = [0, 0];
  const timer = setInterval(() => turns++, 0);
  Deno.readDirSync = (path) => {
    if (String(path).startsWith(`${work.path}/d`)) lists++;
    return readDirSync(path);
  };
  try {
    await work.history.restore(REQUEST, { commit: "HEAD~1", maxFiles: 9 });
  } finally {
    Deno.readDirSync = readDirSync;
    clearInterval(timer);
  }
  assert(lists < 20, `${lists} times`);
  assert(turns > 1, `${turns} turns`);
  assertEquals(work.names().filter((name) => !name.startsWith(".git/")), ["a"]);
  work.judge();
});

Deno.test("change makes the folder of packs again where it is missing", async () => {
  using work = await newWorkspace();
  Deno.removeSync(`${work.path}/.git/objects/pack`);
  await work.put("a", "x\n");
  work.judge();
});

for (const step of ["staged", "journal", "synced"]) {
  Deno.test(`change loses no object to git's tidying at the step "${step}"`, async () => {
    using work = await newWorkspace();
    await work.put("a", "old\n");
    const onStep = (reached: string) => {
      if (reached !== step) return;
      work.git("prune", "--expire=now");
      work.git("repack", "-adq");
    };
    const steps: Step[] = [{ kind: "put", path: work.at("a"), bytes: encode("new\n") }];
    const plan = () => ({ summary: "x", steps, value: null });
    assert((await openHistory(work.root, { onStep }).change(REQUEST, plan)).changed);
    work.judge();
    assertEquals(work.git("show", "HEAD:a"), "new\n");
  });
}

Deno.test("change begins anew on top of a commit that a person makes meanwhile, and gives up when it never ends", async () => {
  using work = await newWorkspace();
  await work.put("a", "once\n");
  /** A commit by which git moves the branch, as at the end of a `git commit` that had begun before. */
  const theirs = () => {
    const commit = work.git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "theirs").trim();
    work.git("update-ref", "refs/heads/main", commit);
    return commit;
  };
  const put: Step = { kind: "put", path: work.at("a"), bytes: encode("ours\n") };
  const plan = () => ({ summary: "x", steps: [put], value: null });
  let parent = "";
  const once = (step: string) => void (step === "staged" && parent === "" && (parent = theirs()));
  const { commit } = await openHistory(work.root, { onStep: once }).change(REQUEST, plan);
  assertEquals(work.git("rev-parse", `${commit}^`).trim(), parent);
  work.judge();
  const always = (step: string) => void (step === "staged" && theirs());
  const other = () => ({ ...plan(), steps: [{ ...put, bytes: encode("never\n") }] });
  assertMatch(
    await refusal(openHistory(work.root, { onStep: always }).change(REQUEST, other)),
    /^CONFLICT: the branch/,
  );
  assertEquals(work.read("a"), "ours\n");
  work.judge();
});
