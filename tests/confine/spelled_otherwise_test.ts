/** A case-insensitive file system: the kernel reports names in a different spelling from the one that was asked for. */
import { assertEquals } from "@std/assert";
import type { KernelCalls } from "../../src/base/kernel.ts";
import { ConfinedFile, lstatChildren, readFolder, UnprovenFile } from "../../src/confine/confined_fs.ts";
import { keepKernelCalls } from "../../src/confine/kernel_calls.ts";
import { keptCalls } from "../../src/sandbox/kernel/kept_calls.ts";
import { engineFolder } from "../support/engine.ts";
import { needs } from "../support/needs.ts";

Deno.test({
  ...needs("Landlock")("files and folders are read by names that the kernel spells differently"),
  fn: async () => {
    using folder = engineFolder();
    folder.write("sub/a.txt", "abc");
    const calls = keptCalls();
    const otherwise: KernelCalls = { ...calls, pathOf: (open) => calls.pathOf(open)?.toUpperCase() };
    keepKernelCalls(otherwise);
    try {
      using file = await ConfinedFile.open(folder.at("sub/a.txt"));
      using unproven = await UnprovenFile.open(folder.at("sub/a.txt"));
      const names = readFolder(folder.at("sub")).map(({ name }) => name);
      const [found] = lstatChildren(folder.at("sub"), names);
      assertEquals([file.size, unproven.isProven(), names, found?.size], [3, true, ["a.txt"], 3]);
    } finally {
      keepKernelCalls(undefined);
    }
  },
});
