import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { GitFolder } from "../../../../src/engine/history/git/git_folder.ts";
import { IndexFile } from "../../../../src/engine/history/index/index_file.ts";
import { withGit } from "../../../support/needs.ts";
import { newWorkspace } from "../workspace.ts";

const OID = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

Deno.test(
  withGit("IndexFile.apply and save leave an index that git reads correctly, from every version"),
  async () => {
    using work = await newWorkspace();
    work.git("hash-object", "-w", "--stdin", "-t", "blob");
    for (const version of ["2", "4"]) {
      for (const name of ["a", "a.b", "b/c", "b/d", "z".repeat(200)]) work.write(name, "");
      work.git("add", "-A");
      work.git("update-index", "--index-version", version);
      const index = new IndexFile(new GitFolder(work.root));
      index.load(() => []);
      index.apply(new Map([["a", undefined], ["a/new", { mode: 0o100755, oid: OID, stat: undefined }]]));
      index.apply(new Map([["b", { mode: 0o100644, oid: OID, stat: undefined }]]));
      await index.save(() => Promise.resolve(undefined));
      const names = ["a.b", "a/new", "b", "z".repeat(200)];
      assertEquals(work.git("ls-files").trim().split("\n"), names);
      assertEquals([...index.namesBelow("")], names);
      assertEquals([...index.namesBelow("a")], ["a/new"]);
      assertEquals(work.git("fsck", "--strict", "--no-dangling", "--cache"), "");
      Deno.removeSync(`${work.path}/b`, { recursive: true });
      work.git("rm", "-q", "--cached", "-r", ".");
    }
  },
);

Deno.test("IndexFile.apply agrees with a plain map of names, whatever is added and removed", async () => {
  using work = await newWorkspace();
  const name = fc.array(fc.constantFrom("a", "a.", "a0", "b"), { minLength: 1, maxLength: 3 }).map((names) =>
    names.join("/")
  );
  const batch = fc.array(fc.tuple(name, fc.boolean()), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(batch, { maxLength: 6 }), (batches) => {
      const index = new IndexFile(new GitFolder(work.root));
      index.load(() => []);
      const model = new Set<string>();
      for (const changes of batches) {
        // Within one batch no file is in the way of another: a commit cannot have both.
        const set = new Map(
          changes.filter(([one], i) => !changes.some(([other], j) => i !== j && meet(one, other))),
        );
        index.apply(new Map(Array.from(set, ([key, isSet]) => [key, isSet ? ENTRY : undefined])));
        for (const [key, isSet] of set) {
          if (isSet) { for (const other of model) if (meet(key, other)) model.delete(other); }
          if (isSet) model.add(key);
          else model.delete(key);
        }
      }
      assertEquals([...index.namesBelow("")], [...model].sort());
    }),
    { numRuns: 60 },
  );
});

const ENTRY = { mode: 0o100644, oid: OID, stat: undefined };

function meet(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}
