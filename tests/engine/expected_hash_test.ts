import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import { editText } from "../../src/engine/edit.ts";
import { type WriteMode, writeText } from "../../src/engine/write.ts";
import { type EngineFolder, engineFolder } from "../support/engine.ts";
import { hexOf } from "../support/sha256.ts";

type Changed = (folder: EngineFolder, expectedHash: string) => Promise<{ hash: string }>;

const written = (mode: WriteMode): Changed => (folder, expectedHash) =>
  writeText(folder.at("deep/a.txt"), "new", { mode, changing: folder.changing, expectedHash });

const CHANGES: Record<string, { change: Changed; after: string }> = {
  "writeText, overwriting": { change: written("overwrite"), after: "new" },
  "writeText, appending": { change: written("append"), after: "oldnew" },
  "editText": {
    change: (folder, expectedHash) =>
      editText(folder.at("deep/a.txt"), (text) => `${text}+`, {
        maxBytes: 100,
        changing: folder.changing,
        expectedHash,
      }),
    after: "old+",
  },
};

for (const [name, { change, after }] of Object.entries(CHANGES)) {
  Deno.test(`${name} changes the expected content, with the hash in either letter case`, async () => {
    for (const expected of [await hexOf("old"), (await hexOf("old")).toUpperCase()]) {
      using folder = engineFolder();
      folder.write("deep/a.txt", "old");
      assertEquals((await change(folder, expected)).hash, await hexOf(after));
      assertEquals(folder.read("deep/a.txt"), after);
    }
  });

  Deno.test(`${name} refuses a different content, and says what is there`, async () => {
    using folder = engineFolder();
    const path = folder.write("deep/a.txt", "other");
    const refused: PaddockError = await assertRejects(
      async () => await change(folder, await hexOf("old")),
      PaddockError,
    );
    assertEquals(refused.code, "CONFLICT");
    const hash = await hexOf("other");
    const modified = Deno.statSync(path).mtime?.toISOString();
    assertEquals(refused.data, { expected_hash: await hexOf("old"), hash, size: 5, modified });
    assertMatch(
      refused.message,
      RegExp(
        `^"deep/a.txt" does not match expected_hash: its hash is now ${hash}, 5 bytes, modified ${modified};`,
      ),
    );
    assertEquals([folder.read("deep/a.txt"), folder.names()], ["other", ["deep/", "deep/a.txt"]]);
  });

  Deno.test(`${name} refuses a missing file, and leaves no folder behind`, async () => {
    using folder = engineFolder();
    const refused: PaddockError = await assertRejects(
      async () => await change(folder, await hexOf("")),
      PaddockError,
    );
    assertEquals([refused.code, refused.data?.hash], ["CONFLICT", null]);
    assertEquals(folder.names(), []);
  });

  Deno.test(`${name} lets one of two calls that expect the same content change it`, async () => {
    using folder = engineFolder();
    folder.write("deep/a.txt", "old");
    const expected = await hexOf("old");
    const outcomes = await Promise.allSettled([change(folder, expected), change(folder, expected)]);
    assertEquals(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    assertEquals(folder.read("deep/a.txt"), after);
  });
}
