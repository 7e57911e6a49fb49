import { assert, assertEquals, assertMatch } from "@std/assert";
import { GitStore } from "../../../../src/engine/history/git_store.ts";
import { ReplacedFiles } from "../../../../src/engine/history/mod.ts";
import { Replacer } from "../../../../src/engine/history/git/replaced_files.ts";
import { needs, onLinux } from "../../../support/needs.ts";
import { tempFolder } from "../../../support/temp.ts";
import { nameless, NEVER, newWorkspace, REQUEST, type Workspace } from "../workspace.ts";
import { openBelow } from "../../../support/open_files.ts";

Deno.test({
  ...onLinux("ReplacedFiles.hold keeps a replaced file open, and letGo releases it"),
  fn: () => {
    using folder = tempFolder();
    const replaced = new ReplacedFiles();
    for (let i = 0; i < 5; i++) {
      folder.write("new", `${i}\n`);
      replaced.hold(`${folder.path}/file`, 2);
      Deno.renameSync(`${folder.path}/new`, `${folder.path}/file`);
    }
    assertEquals(nameless(folder.path), 4); // there was none before
    replaced.letGo();
    assertEquals(nameless(folder.path), 0);
    replaced.letGo();
  },
});

Deno.test({
  ...needs("Linux", "mkfifo")("ReplacedFiles.hold is limited in number and bytes, and waits for nobody"),
  fn: () => {
    using folder = tempFolder();
    const replaced = new ReplacedFiles();
    const hold = (bytes: number) => {
      const path = folder.write("file", "x");
      replaced.hold(path, bytes);
      Deno.removeSync(path);
    };
    hold(4 * 1024 * 1024 + 1);
    assertEquals(nameless(folder.path), 0);
    for (let i = 0; i < 20; i++) hold(1024 * 1024);
    assertEquals(nameless(folder.path), 16);
    assert(replaced.letGo());
    assert(!replaced.letGo());
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
  ...needs("Linux", "git")(
    "change holds what it replaces until nobody waits, and nothing after that or after close",
  ),
  fn: async () => {
    using work = await newWorkspace();
    const store = new GitStore(work.root, { idleMs: NEVER, replaced: new ReplacedFiles() });
    for (let i = 0; i <= 4; i++) await put(work, store, `${i}\n`);
    // Four times the branch and the index, and the file as soon as it is known to help.
    assertEquals(nameless(work.path), 11);
    work.judge();
    await store.tidy();
    assertEquals(nameless(work.path), 0);
    await put(work, store, "5\n");
    assertEquals(nameless(work.path), 3);
    store.close();
    assertEquals(nameless(work.path), 0);
    work.judge();
  },
});

Deno.test({
  ...onLinux("change releases what is held when it fails, which may be for lack of room"),
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

Deno.test({
  ...onLinux("change releases what it holds in time, even if the last call was refused"),
  fn: async () => {
    using work = await newWorkspace();
    const store = new GitStore(work.root, { idleMs: 50, replaced: new ReplacedFiles() });
    for (let i = 0; i < 3; i++) await put(work, store, `${i}\n`);
    work.write(".git/MERGE_HEAD", "");
    const refused = await put(work, store, "no\n").then(() => "", (error) => error.message);
    assertMatch(refused, /a merge is in progress/);
    Deno.removeSync(`${work.path}/.git/MERGE_HEAD`);
    const isOpen = () => nameless(work.path) > 0 || isLockOpen(work);
    for (let i = 0; i < 250 && isOpen(); i++) await new Promise((resolve) => setTimeout(resolve, 20));
    assert(!isOpen());
    assertEquals(Deno.statSync(`${work.path}/.git/mcp/journal`).size, 0);
  },
});

function isLockOpen(work: Workspace): boolean {
  return openBelow(work.path).includes(`${work.path}/.git/mcp/lock`);
}

/** An ordinary file system, one that keeps the name of an open file, and one that refuses. */
const FILE_SYSTEMS: [name: string, links: number, isRefusing: boolean, held: number][] = [
  ["gives up the name of an open file", 1, false, 2],
  ["gives an open file another name", 2, false, 0],
  ["refuses to replace an open file", 1, true, 0],
];

for (const [name, links, isRefusing, held] of FILE_SYSTEMS) {
  Deno.test({
    ...onLinux(`Replacer holds ${held === 0 ? "no" : "a"} file where the file system ${name}`),
    fn: () => {
      using folder = tempFolder();
      const replaced = new ReplacedFiles();
      const replacer = new Replacer(replaced);
      const replace = (file: string, isOurs: boolean) => {
        const path = folder.write(file, "old");
        const next = folder.write("new", "new");
        if (links === 2) Deno.linkSync(path, `${path}.hidden`);
        const rename = () => {
          if (isRefusing && openBelow(folder.path).includes(path)) {
            throw Object.assign(new Error("Device or resource busy"), { code: "EBUSY" });
          }
          Deno.renameSync(next, path);
        };
        replacer.replace(rename, { path, bytes: 3, isOurs });
        assertEquals(Deno.readTextFileSync(path), "new");
      };
      replace("theirs", false); // nothing is tried with those
      assertEquals(openBelow(folder.path), []);
      replace("ours", true);
      replace("theirs2", false);
      assertEquals(nameless(folder.path), held);
      assertEquals(openBelow(folder.path).length, held);
      replacer.letGo();
    },
  });
}
