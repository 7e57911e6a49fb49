import { assert, assertEquals, assertMatch } from "@std/assert";
import { withGit } from "../../../support/needs.ts";
import { gitLog, newWorkspace } from "../workspace.ts";

const WRITER = new URL("writer.ts", import.meta.url).pathname;

async function write(args: string[]): Promise<string[]> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", WRITER, ...args],
    stderr: "inherit",
  }).output();
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
}

Deno.test(
  withGit("change makes a linear history when four processes write at once, with a person's git in between"),
  async () => {
    using work = await newWorkspace();
    const running = ["a", "b", "c", "d"].map((name) => write([work.path, name, "25"]));
    let tries = 0;
    const done = Promise.all(running);
    let isDone = false;
    done.then(() => isDone = true);
    for (let i = 0; i < 200 && !isDone; i++) {
      if (i % 20 === 10) {
        work.write(`person${i}.txt`, "theirs\n");
        work.tryGit("add", `person${i}.txt`);
        work.tryGit("commit", "-qm", "theirs"); // either may find the index or the branch locked
        tries++;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const acknowledged = (await done).flat();
    assertEquals(acknowledged.length, 100);
    const log = gitLog(work);
    assertEquals(new Set(acknowledged).size, 100);
    assertEquals(acknowledged.filter((commit) => !log.includes(commit)), []);
    const others = log.filter((commit) => !acknowledged.includes(commit));
    assert(others.length <= tries, `${others.length} other commits, ${tries} tries of a person`);
    for (const commit of others) { // made by the person, or from what the person had staged
      assertMatch(work.git("show", "--name-only", "--format=", commit), /^(?:person\d+\.txt\n)+$/);
    }
    assertEquals(work.git("rev-list", "--min-parents=2", "HEAD"), "");
    assertEquals(work.git("fsck", "--strict", "--no-dangling"), "");
    assertEquals(work.git("status", "--porcelain", "a", "b", "c", "d"), "");
  },
);

for (const step of ["staged", "journal", "synced", "working tree", "objects", "branch", "index"]) {
  Deno.test(withGit(`change continues after a process was killed at the step "${step}"`), async () => {
    using work = await newWorkspace();
    await work.put("a/0.txt", "before\n");
    assertEquals(await write([work.path, "a", "1", step]), []);
    await work.put("b.txt", "next\n");
    work.judge();
    assertEquals(work.read("a/0.txt"), step === "staged" ? "before\n" : "0\n");
    assertEquals(gitLog(work).length, step === "staged" ? 2 : 3);
  });
}
