/** After a tool has touched a file, what a person had added to the index is in a commit. */
import { assertEquals } from "@std/assert";
import type { Step } from "../../../../src/engine/history/mod.ts";
import { withGit } from "../../../support/needs.ts";
import { newWorkspace, type Workspace } from "../workspace.ts";

const put = (path: string, text: string) => ({ at }: Workspace): Step[] => [
  { kind: "put", path: at(path), bytes: new TextEncoder().encode(text) },
];
const remove = (path: string) => ({ at }: Workspace): Step[] => [{ kind: "remove", path: at(path) }];

/** After `STAGED` was added as the content of a path, the file is changed to `now`, or removed. */
const STAGED: [
  name: string,
  path: string,
  now: string | undefined,
  steps: (work: Workspace) => Step[],
  commits: (string | undefined)[],
][] = [
  ["changed since", "a", "WORK", put("a", "C"), ["C", "WORK", "STAGED", "old"]],
  ["changed back since", "a", "old", put("a", "C"), ["C", "old", "STAGED", "old"]],
  ["removed since", "a", undefined, put("a", "C"), ["C", undefined, "STAGED", "old"]],
  ["nowhere else", "n", undefined, put("n", "C"), ["C", undefined, "STAGED", undefined]],
  ["changed to what the tool writes", "a", "C", put("a", "C"), ["C", "old", "STAGED", "old"]],
  ["in a folder that is removed", "d/n", undefined, remove("d"), [undefined, undefined, "STAGED", undefined]],
  ["in a folder that moves", "d/b", "WORK", ({ at }) => [
    { kind: "move", from: at("d"), to: at("e") },
  ], [undefined, "WORK", "STAGED", "old"]],
  ["also in the working tree", "a", "STAGED", put("a", "C"), ["C", "STAGED", "old"]],
  ["what the tool writes", "a", "WORK", put("a", "STAGED"), ["STAGED", "WORK", "old"]],
];

for (const [name, path, now, steps, commits] of STAGED) {
  Deno.test(withGit(`change loses nothing that a person has staged when it is ${name}`), async () => {
    using work = await newWorkspace();
    await work.change(...put("a", "old")(work), ...put("d/b", "old")(work));
    work.write(path, "STAGED");
    work.git("add", path);
    if (now === undefined) Deno.removeSync(`${work.path}/${path}`);
    else work.write(path, now);
    await work.change(...steps(work));
    work.judge();
    const found = commits.map((_, i) => {
      const shown = work.tryGit("cat-file", "blob", `HEAD~${i}:${path}`);
      return shown.startsWith("fatal: ") ? undefined : shown;
    });
    assertEquals(found, commits);
    assertEquals(work.git("rev-list", "--count", "HEAD").trim(), `${commits.length}`);
  });
}

Deno.test(
  withGit(
    "change leaves staged what it does not touch, and keeps an empty file that git only intends to add",
  ),
  async () => {
    using work = await newWorkspace();
    await work.put("a", "old");
    work.write("a", "STAGED");
    work.git("add", "a");
    work.write("a", "old");
    await work.put("b", "x");
    await work.put("a", "old"); // nothing to do
    assertEquals(work.git("status", "--porcelain"), "MM a\n");
    work.git("checkout", "-q", "HEAD", "a");
    work.write("empty", "");
    work.git("add", "-N", "empty");
    await work.put("empty", "not any more");
    work.judge();
    assertEquals(work.git("show", "HEAD~1:empty"), "");
  },
);
