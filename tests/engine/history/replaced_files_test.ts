import { assert, assertEquals } from "@std/assert";
import { GitStore } from "../../../src/engine/history/git_store.ts";
import { ReplacedFiles } from "../../../src/engine/history/mod.ts";
import { tempFolder } from "../../support/temp.ts";
import { NEVER, newWorkspace, REQUEST, type Workspace } from "./workspace.ts";

const ignore = Deno.build.os !== "linux"; // which tells what is open

/** The files below a folder that are open though they have lost their name. */
function nameless(path: string): number {
  return [...Deno.readDirSync("/proc/self/fd")].filter(({ name }) => {
    try {
      const target = Deno.readLinkSync(`/proc/self/fd/${name}`);
      return target.startsWith(path) && target.endsWith(" (deleted)");
    } catch {
      return false; // what this look itself has open
    }
  }).length;
}

Deno.test({
  name: "ReplacedFiles.hold keeps a file that is replaced, and letGo gives it up",
  ignore,
  fn: () => {
    using folder = tempFolder();
    const replaced = new ReplacedFiles();
    for (let i = 0; i < 5; i++) {
      folder.write("new", `${i}\n`);
      replaced.hold(`${folder.path}/file`, 2);
      Deno.renameSync(`${folder.path}/new`, `${folder.path}/file`);
    }
    assertEquals(nameless(folder.path), 4); // there was none in the first place
    replaced.letGo();
    assertEquals(nameless(folder.path), 0);
    replaced.letGo();
  },
});

Deno.test({
  name: "ReplacedFiles.hold is bounded in number and in bytes, and waits for nobody",
  ignore,
  fn: () => {
    using folder = tempFolder();
    const replaced = new ReplacedFiles();
    const hold = (bytes: number) => {
      const path = folder.write("file", "x");
      replaced.hold(path, bytes);
      Deno.removeSync(path);
    };
    hold(40 * 1024 * 1024);
    hold(40 * 1024 * 1024);
    hold(100 * 1024 * 1024);
    assertEquals(nameless(folder.path), 1);
    replaced.letGo();
    for (let i = 0; i < 200; i++) hold(1);
    assertEquals(nameless(folder.path), 128);
    replaced.letGo();
    assertEquals(nameless(folder.path), 0);
    const { success } = new Deno.Command("mkfifo", { args: [`${folder.path}/fifo`] }).outputSync();
    assert(success);
    replaced.hold(`${folder.path}/fifo`, 0); // would wait for a writer
    replaced.letGo();
  },
});

function put(work: Workspace, store: GitStore, content: string): Promise<unknown> {
  const bytes = new TextEncoder().encode(content);
  const steps = [{ kind: "put" as const, path: work.at("a.txt"), bytes }];
  return store.change(REQUEST, () => ({ summary: "Update a.txt", steps, value: null }));
}

Deno.test({
  name: "change holds what it replaces until nobody waits, and none of it after that or after close",
  ignore,
  fn: async () => {
    using work = await newWorkspace();
    const store = new GitStore(work.root, { idleMs: NEVER, replaced: new ReplacedFiles() });
    for (let i = 0; i <= 3; i++) await put(work, store, `${i}\n`);
    assertEquals(nameless(work.path), 9); // three times the file, the branch and the index
    work.judge();
    await store.tidy();
    assertEquals(nameless(work.path), 0);
    await put(work, store, "4\n");
    assertEquals(nameless(work.path), 3);
    store.close();
    assertEquals(nameless(work.path), 0);
    work.judge();
  },
});

Deno.test({
  name: "change gives up what is held when it fails, which may be for want of room",
  ignore,
  fn: async () => {
    using work = await newWorkspace();
    const onStep = (step: string) => {
      if (step === "journal" && isFailing) work.write("in_the_way", "theirs\n");
    };
    let isFailing = false;
    const store = new GitStore(work.root, { idleMs: NEVER, replaced: new ReplacedFiles(), onStep });
    await put(work, store, "0\n");
    await put(work, store, "1\n");
    assert(nameless(work.path) > 0);
    isFailing = true;
    const steps = [{ kind: "move" as const, from: work.at("a.txt"), to: work.at("in_the_way") }];
    const failed = await store.change(REQUEST, () => ({ summary: "Move", steps, value: null })).then(
      () => false,
      () => true,
    );
    assert(failed);
    assertEquals(nameless(work.path), 0);
    assertEquals(work.read("a.txt"), "1\n");
    store.close();
  },
});
