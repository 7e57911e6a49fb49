import { assertEquals } from "@std/assert";
import { ProvenFolder } from "../../src/confine/confined_fs.ts";
import { keepKernelCalls } from "../../src/confine/kernel_calls.ts";
import { keptCalls } from "../../src/sandbox/kernel/kept_calls.ts";
import { swap } from "../engine/search/support.ts";
import { engineFolder } from "../support/engine.ts";
import { needs } from "../support/needs.ts";
import { tempFolder } from "../support/temp.ts";

Deno.test({
  ...needs("Landlock")("ProvenFolder reads regular files, and nothing that is or was swapped for a link"),
  fn: () => {
    using folder = engineFolder();
    using outside = tempFolder();
    outside.write("file", "outside");
    folder.write("a/file", "inside");
    folder.write("a/empty", "");
    folder.write("a/large", "x".repeat(256 * 1024 + 1));
    folder.write("a/fits", "x".repeat(256 * 1024));
    Deno.mkdirSync(`${folder.path}/a/d`);
    Deno.symlinkSync(`${outside.path}/file`, `${folder.path}/a/link`);
    const path = folder.at("a");
    assertEquals(ProvenFolder.open(path), undefined); // no calls were kept
    keepKernelCalls(keptCalls());
    try {
      using opened = ProvenFolder.open(path);
      const read = (name: string) => {
        const bytes = opened?.read(name);
        return bytes && new TextDecoder().decode(bytes);
      };
      assertEquals(["file", "empty"].map(read), ["inside", ""]);
      assertEquals(read("fits")?.length, 256 * 1024);
      for (const name of ["large", "d", "link", "none", "../a/file"]) {
        assertEquals(read(name), undefined, name);
      }
      swap(path.absolute, outside.path);
      assertEquals(ProvenFolder.open(path), undefined);
      assertEquals(read("file"), "inside"); // what was proven to be inside is what is read
    } finally {
      keepKernelCalls(undefined);
    }
  },
});
