/** A restore leaves alone what a person had before it was in the history. */
import { assertEquals, assertMatch } from "@std/assert";
import { withGit } from "../../../support/needs.ts";
import { newWorkspace, REQUEST, type Workspace } from "../workspace.ts";

const RESTORE = { ...REQUEST, tool: "restore" };

/** Tries it, does it, and gives what it says, with the commit of each reason left out. */
async function restore(work: Workspace, commit: string, path?: string) {
  const query = { commit, maxFiles: 9, ...(path === undefined ? {} : { path }) };
  const planned = await work.history.planRestore(query);
  const { value } = await work.history.restore(RESTORE, query);
  assertEquals(value, planned);
  for (const { reason } of value.skipped) {
    assertMatch(reason, /^it was not made by a tool, and first recorded later, in [0-9a-f]{40}: /);
  }
  return {
    files: value.files.map(({ path, status }) => `${status} ${path}`),
    skipped: value.skipped.map(({ path }) => path),
  };
}

Deno.test(
  withGit(
    "restore of all leaves files that were there before but are first recorded in a commit that kept them",
  ),
  async () => {
    using work = await newWorkspace();
    work.write("notes", "theirs\n");
    work.write("sub/notes", "theirs too\n");
    const { commit: first } = await work.put("a", "1\n");
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
  withGit("restore leaves a file that was there before when tools have moved it, and when it is named"),
  async () => {
    using work = await newWorkspace();
    work.write("d/notes", "theirs\n");
    const { commit: first } = await work.put("a", "1\n");
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
  withGit("restore puts back what was kept, and removes a file that a tool made though it was kept since"),
  async () => {
    using work = await newWorkspace();
    work.write("notes", "theirs\n");
    const { commit: first } = await work.put("a", "1\n");
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
  withGit("restore removes what a person had only where the wanted commit needs its place"),
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
