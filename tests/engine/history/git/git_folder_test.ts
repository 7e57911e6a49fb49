/**
 * A folder in `.git` is swapped for a link at the instant in which a file in it is opened: the file outside is
 * neither written nor truncated, and the call fails.
 */
import { assertEquals } from "@std/assert";
import { PaddockError } from "../../../../src/base/errors.ts";
import { keepKernelCalls } from "../../../../src/confine/kernel_calls.ts";
import { GitFolder } from "../../../../src/engine/history/git/git_folder.ts";
import { ReplacedFiles, Replacer } from "../../../../src/engine/history/git/replaced_files.ts";
import { keptCalls } from "../../../../src/sandbox/kernel/kept_calls.ts";
import { needs, onUnix } from "../../../support/needs.ts";
import { tempFolder } from "../../../support/temp.ts";

const BYTES = new TextEncoder().encode("ours\n");

function place() {
  const folder = tempFolder();
  folder.write("root/.git/mcp/journal", "inside\n");
  folder.write("outside/journal", "outside\n");
  const root = { name: "root", path: `${folder.path}/root`, git: "open" as const, nested: [] };
  const git = new GitFolder(root, new Replacer(new ReplacedFiles()));
  return { ...folder, git, mcp: `${root.path}/.git/mcp` };
}

type Place = ReturnType<typeof place>;

/** Swaps the folder while the next file is opened. */
function swappedAtOpening({ mcp, path }: Place): Disposable {
  const { openSync } = Deno;
  Deno.openSync = (file, options) => {
    Deno.openSync = openSync;
    Deno.renameSync(mcp, `${path}/aside`);
    Deno.symlinkSync(`${path}/outside`, mcp);
    try {
      return openSync(file, options);
    } finally {
      Deno.removeSync(mcp);
      Deno.renameSync(`${path}/aside`, mcp);
    }
  };
  return { [Symbol.dispose]: () => void (Deno.openSync = openSync) };
}

const WRITES: Record<string, (git: GitFolder) => unknown> = {
  writeAt: (git) => git.writeAt("mcp/journal", BYTES, { offset: 0 }),
  append: (git) => git.append("mcp/journal", BYTES),
  create: (git) => git.create("mcp/new", BYTES, { mode: 0o600 }),
  touch: (git) => git.touch("mcp/journal"),
};

for (const [name, write] of Object.entries(WRITES)) {
  Deno.test({
    ...onUnix(`${name} writes nothing outside when its folder is swapped while the file is opened`),
    fn: () => {
      using at = place();
      const before = Deno.lstatSync(`${at.path}/outside/journal`).mtime;
      using _swapped = swappedAtOpening(at);
      try {
        write(at.git);
        throw new Error("it was not refused");
      } catch (error) {
        assertEquals(error instanceof PaddockError && error.code, "UNSUPPORTED", String(error));
      }
      assertEquals(at.read("outside/journal"), "outside\n");
      assertEquals(Deno.lstatSync(`${at.path}/outside/journal`).mtime, before);
      assertEquals(at.read("root/.git/mcp/journal"), "inside\n");
      const made = at.names().filter((file) => file === "outside/new").map(at.read);
      assertEquals(made, name === "create" ? [""] : []);
    },
  });
}

Deno.test({
  ...onUnix(
    "a file that stays open is written to wherever its folder leads, and reopened when another is there",
  ),
  fn: () => {
    using at = place();
    const { git } = at;
    git.append("mcp/journal", BYTES);
    git.append("mcp/journal", BYTES);
    assertEquals(at.read("root/.git/mcp/journal"), "inside\nours\nours\n");
    Deno.removeSync(`${at.mcp}/journal`);
    at.write("root/.git/mcp/journal", "another\n");
    git.append("mcp/journal", BYTES);
    git.giveBack(git.writeAt("mcp/journal", BYTES, { offset: 0 }));
    assertEquals(at.read("root/.git/mcp/journal"), "ours\n");
    git.letGo();
  },
});

Deno.test({
  ...needs("Landlock")(
    "rename puts an unsynced file in place, whether one is there or not, and leaves no other name",
  ),
  fn: () => {
    using at = place();
    const calls = keptCalls();
    const swaps: boolean[] = [];
    const exchange = (one: string, other: string) => {
      swaps.push(calls.exchange(one, other));
      return swaps.at(-1) === true;
    };
    keepKernelCalls({ ...calls, exchange });
    try {
      for (const content of ["first", "second"]) {
        at.git.create("mcp/index.tmp", new TextEncoder().encode(content), { mode: 0o644 }).close();
        at.git.rename("mcp/index.tmp", "index", { replacing: 10, isSynced: false });
        assertEquals([at.git.readText("index"), at.git.list("mcp")], [content, ["journal"]]);
      }
      assertEquals(swaps, [false, true]); // at first there was nothing to swap with
    } finally {
      keepKernelCalls(undefined);
    }
  },
});
