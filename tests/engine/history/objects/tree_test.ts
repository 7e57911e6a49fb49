import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { toBytes } from "../../../../src/engine/history/objects/byte_names.ts";
import {
  hashObject,
  MODE_EXECUTABLE,
  MODE_FILE,
  MODE_FOLDER,
} from "../../../../src/engine/history/objects/objects.ts";
import { Tree, type TreeEntry } from "../../../../src/engine/history/objects/tree.ts";
import { withGit } from "../../../support/needs.ts";
import { newWorkspace } from "../workspace.ts";

const OID = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
const OTHER = "257cc5642cb1a054f08cc83f2d943e56fd3ebe99";
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

const name = fc.constantFrom("a", "a.b", "a-b", "a0", "ab", "b", "ü", "\u{1f600}", "z").map(toBytes);
const entry: fc.Arbitrary<TreeEntry | undefined> = fc.constantFrom(
  undefined,
  { mode: MODE_FILE, oid: OID },
  { mode: MODE_FILE, oid: OTHER },
  { mode: MODE_EXECUTABLE, oid: OID },
  { mode: MODE_FOLDER, oid: EMPTY_TREE },
);

Deno.test("Tree.edited equals a tree built from scratch, whatever the order of the changes", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, entry), { maxLength: 25 }), (changes) => {
      let tree = Tree.EMPTY;
      const model = new Map<string, TreeEntry>();
      for (const [key, value] of changes) {
        tree = tree.edited(new Map([[key, value]]));
        if (value === undefined) model.delete(key);
        else model.set(key, value);
      }
      const sorted = [...model].map(([key, value]) => ({ ...value, name: key }))
        .sort((a, b) => keyOf(a) < keyOf(b) ? -1 : 1);
      assertEquals([...tree.entries()], sorted);
      assertEquals(tree.raw, Tree.EMPTY.edited(model).raw);
      for (const [key, value] of model) {
        // The edited one knows where its entries start, the other has to find out.
        for (const one of [tree, new Tree(tree.raw)]) {
          assertEquals({ ...one.find(key), name: "" }, { ...value, name: "" });
        }
      }
      assertEquals(new Tree(tree.raw).find("no"), undefined);
    }),
  );
});

function keyOf({ name, mode }: { name: string; mode: number }): string {
  return mode === MODE_FOLDER ? `${name}/` : name;
}

Deno.test(withGit("Tree equals what git makes of the same files, small or large"), async () => {
  using work = await newWorkspace();
  for (let i = 0; i < 150; i++) work.write(`${i % 7}x${i}${i % 3 === 0 ? "/f" : ".txt"}`, `${i}\n`);
  work.git("add", "-A");
  const oid = work.git("write-tree").trim();
  const listed = work.git("ls-tree", oid).trim().split("\n").map((line) => {
    const [mode = "", , hash = "", file = ""] = line.split(/[ \t]/);
    return { mode: parseInt(mode, 8), oid: hash, name: file };
  });
  const tree = Tree.EMPTY.edited(new Map(listed.toReversed().map(({ name, ...rest }) => [name, rest])));
  assertEquals(hashObject("tree", tree.raw), oid);
  assertEquals([...new Tree(Buffer.from(tree.raw)).entries()], listed);
  const last = listed[120];
  assertEquals(tree.find(last?.name ?? "")?.oid, last?.oid);
});
