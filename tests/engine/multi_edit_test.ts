import { assert, assertEquals } from "@std/assert";
import { multiEdit, planMultiEdit } from "../../src/engine/multi_edit.ts";
import { abortedAfter, engineFolder, refusal } from "../support/engine.ts";
import { hexOf } from "../support/sha256.ts";
import { onUnix } from "../support/needs.ts";

const ONE_TO_TWO = [{ oldText: "1", newText: "2" }];

Deno.test(
  onUnix("multiEdit changes the file, keeps its mode and byte order mark, and returns its hash"),
  async () => {
    using folder = engineFolder();
    const path = folder.write("a.sh", "\uFEFF1\r\n");
    Deno.chmodSync(path, 0o750);
    const options = { edits: ONE_TO_TWO, maxBytes: 100, changing: folder.changing };
    assertEquals(await multiEdit(folder.at("a.sh"), options), {
      diff: "--- a.sh\n+++ a.sh\n@@ -1 +1 @@\n-\uFEFF1\r\n+\uFEFF2\r\n",
      lineRanges: [{ editIndex: 0, start: 1, end: 1 }],
      newRanges: [{ editIndex: 0, start: 1, end: 1 }],
      replaced: 1,
      hash: await hexOf("\uFEFF2\r\n"),
      before: new TextEncoder().encode("\uFEFF1\r\n"),
    });
    assertEquals([folder.read("a.sh"), folder.mode("a.sh")], ["\uFEFF2\r\n", 0o750]);
  },
);

Deno.test("planMultiEdit returns what would be written, and writes nothing", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "1");
  const plan = await planMultiEdit(folder.at("a.txt"), { edits: ONE_TO_TWO, maxBytes: 100 });
  assertEquals(new TextDecoder().decode(plan.bytes), "2");
  assertEquals([plan.hash, plan.hashBefore], [await hexOf("2"), await hexOf("1")]);
  assertEquals(folder.read("a.txt"), "1");
});

Deno.test("multiEdit creates nothing, neither file nor folder", async () => {
  using folder = engineFolder();
  for (const name of ["a.txt", "no/such/a.txt"]) {
    for (const dryRun of [true, false]) {
      const options = { edits: ONE_TO_TWO, maxBytes: 100, changing: folder.changing, dryRun };
      assert((await refusal(multiEdit(folder.at(name), options))).startsWith("NOT_FOUND: "));
    }
  }
  assertEquals(folder.names(), []);
});

Deno.test("multiEdit refuses files that are not text, and sizes over the limit, before and after", async () => {
  using folder = engineFolder();
  folder.write("zero.txt", "1\0");
  folder.write("latin1.txt", new Uint8Array([0x31, 0xe9]));
  folder.write("large.txt", "1".padEnd(11));
  folder.write("grows.txt", "1");
  const growing = [{ oldText: "1", newText: "2".repeat(11) }];
  for (const dryRun of [true, false]) {
    const code = async (name: string, edits = ONE_TO_TWO) => {
      const options = { edits, maxBytes: 10, changing: folder.changing, dryRun };
      return (await refusal(multiEdit(folder.at(name), options))).split(":")[0];
    };
    assertEquals([await code("zero.txt"), await code("latin1.txt")], ["UNSUPPORTED", "UNSUPPORTED"]);
    assertEquals([await code("large.txt"), await code("grows.txt", growing)], ["TOO_LARGE", "TOO_LARGE"]);
  }
  assertEquals(folder.read("grows.txt"), "1");
});

Deno.test("multiEdit can be stopped between two edits, and then has changed nothing", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "0;");
  const edits = Array.from({ length: 1_000 }, (_, i) => ({ oldText: `${i};`, newText: `${i + 1};` }));
  const changing = { ...folder.changing, signal: abortedAfter(500) };
  assertEquals(
    await refusal(multiEdit(folder.at("a.txt"), { edits, maxBytes: 100, changing })),
    "TIMEOUT: the call was cancelled",
  );
  assertEquals(folder.read("a.txt"), "0;");
});
