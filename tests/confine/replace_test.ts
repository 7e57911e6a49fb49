/** Files that change places: what a person saves at the last instant is not overwritten. */
import { assertEquals } from "@std/assert";
import { keepKernelCalls } from "../../src/confine/kernel_calls.ts";
import { replace } from "../../src/confine/replace.ts";
import { createRoots } from "../../src/confine/roots.ts";
import { resolvePath } from "../../src/confine/resolve_path.ts";
import type { Identity } from "../../src/base/identity.ts";
import type { KernelCalls } from "../../src/base/kernel.ts";
import { keptCalls } from "../../src/sandbox/kernel/kept_calls.ts";
import { NameEvents } from "../support/inotify.ts";
import { has, needs } from "../support/needs.ts";
import { tempFolder } from "../support/temp.ts";

const calls = has("Landlock") ? keptCalls() : undefined;

interface Case {
  /** What a person does right before each of our steps. */
  between: ((save: (text: string) => void) => void)[];
  replaced: boolean;
  /** What is there at the end. */
  text: string;
}

const CASES: Record<string, Case> = {
  "replaces a file that nobody has saved": { between: [], replaced: true, text: "ours" },
  "yields to a save at the last instant": {
    between: [(save) => save("theirs")],
    replaced: false,
    text: "theirs",
  },
  "keeps the newest of two saves": {
    between: [(save) => save("theirs 1"), (save) => save("theirs 2")],
    replaced: false,
    text: "theirs 2",
  },
  "keeps the newest of three saves": {
    between: [(save) => save("theirs 1"), (save) => save("theirs 2"), (save) => save("theirs 3")],
    replaced: false,
    text: "theirs 3",
  },
};

for (const [name, { between, replaced, text }] of Object.entries(CASES)) {
  Deno.test({
    ...needs("Landlock")(`replace ${name}`),
    fn: () => {
      using folder = tempFolder();
      const dir = Deno.realPathSync(folder.path);
      folder.write("a.txt", "before");
      folder.write(".paddock-0123456789abcdef.tmp", "ours");
      const root = createRoots([{ name: "r", path: dir, git: "open" }]).get("r");
      if (root === undefined || calls === undefined) throw new Error("no root");
      const to = resolvePath(root, "a.txt");
      const from = { ...to, relative: "t", absolute: `${dir}/.paddock-0123456789abcdef.tmp` };
      const before = Deno.lstatSync(to.absolute);
      const save = (text: string) => {
        Deno.writeTextFileSync(`${dir}/new`, text);
        Deno.renameSync(`${dir}/new`, to.absolute);
      };
      const steps = [...between];
      const interfered: KernelCalls = {
        ...calls,
        exchange: (one, other) => {
          steps.shift()?.(save);
          return calls.exchange(one, other);
        },
      };
      keepKernelCalls(interfered);
      try {
        const isIt = ({ ino, dev }: Identity) => ino === before.ino && dev === before.dev;
        assertEquals(replace(from, to, { isStill: () => true, isIt }), replaced);
      } finally {
        keepKernelCalls(undefined);
      }
      assertEquals([folder.read("a.txt"), steps.length], [text, 0]);
    },
  });
}

Deno.test({
  ...needs("Landlock")("replace looks to a watcher like a file that appears, not one that disappears"),
  fn: () => {
    using folder = tempFolder();
    const dir = Deno.realPathSync(folder.path);
    const temp = ".paddock-0123456789abcdef.tmp";
    folder.write("a.txt", "before");
    folder.write(temp, "ours");
    const root = createRoots([{ name: "r", path: dir, git: "open" }]).get("r");
    if (root === undefined) throw new Error("no root");
    const to = resolvePath(root, "a.txt");
    const from = { ...to, relative: "t", absolute: `${dir}/${temp}` };
    using events = new NameEvents(dir);
    keepKernelCalls(calls);
    try {
      assertEquals(replace(from, to, { isStill: () => true, isIt: () => true }), true);
    } finally {
      keepKernelCalls(undefined);
    }
    const told = events.take();
    assertEquals(told.filter((event) => event.endsWith(" a.txt")).at(-1), "to a.txt");
    assertEquals(told.at(-1), `delete ${temp}`);
  },
});
