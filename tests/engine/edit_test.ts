import { assertEquals } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import { editText } from "../../src/engine/edit.ts";
import { engineFolder, refusal } from "../support/engine.ts";
import { hexOf } from "../support/sha256.ts";

Deno.test("editText writes the edited text of an existing file, or of a missing one", async () => {
  using folder = engineFolder();
  folder.write("a.txt", "é");
  const options = { maxBytes: 100, changing: folder.changing };
  const edit = (text: string, exists: boolean) => `${text}+${exists}`;
  assertEquals(await editText(folder.at("a.txt"), edit, options), {
    size: 7,
    created: false,
    hash: await hexOf("é+true"),
    before: new TextEncoder().encode("é"),
  });
  assertEquals(folder.read("a.txt"), "é+true");
  assertEquals(await editText(folder.at("b.txt"), edit, options), {
    size: 6,
    created: true,
    hash: await hexOf("+false"),
    before: new Uint8Array(),
  });
  assertEquals(folder.read("b.txt"), "+false");
});

Deno.test("editText refuses files that are not text, and sizes over the limit, before and after", async () => {
  using folder = engineFolder();
  const options = { maxBytes: 10, changing: folder.changing };
  const keep = (text: string) => text;
  folder.write("latin1.txt", new Uint8Array([0xe9]));
  folder.write("large.txt", "x".repeat(11));
  folder.write("fits.txt", "x".repeat(10));
  assertEquals(
    await refusal(editText(folder.at("latin1.txt"), keep, options)),
    'UNSUPPORTED: not a UTF-8 text file, so it cannot be edited: "latin1.txt"',
  );
  assertEquals(
    await refusal(editText(folder.at("large.txt"), keep, options)),
    'TOO_LARGE: file too large to edit (size: 11B, limit: 10B): "large.txt"',
  );
  assertEquals(
    await refusal(editText(folder.at("fits.txt"), (text) => `${text}x`, options)),
    'TOO_LARGE: file too large to edit (size: 11B, limit: 10B): "fits.txt"',
  );
  assertEquals(folder.read("fits.txt"), "x".repeat(10));
  assertEquals((await editText(folder.at("fits.txt"), keep, options)).size, 10);
});

Deno.test("editText uses a surface's own wording if it has one", async () => {
  using folder = engineFolder();
  folder.write("latin1.txt", new Uint8Array([0xe9]));
  const options = {
    maxBytes: 1,
    changing: folder.changing,
    tooLarge: (size: number) => new PaddockError("TOO_LARGE", `${size} is too much`),
    notText: () => new PaddockError("UNSUPPORTED", "no text"),
  };
  assertEquals(
    await refusal(editText(folder.at("latin1.txt"), (text) => text, options)),
    "UNSUPPORTED: no text",
  );
  assertEquals(await refusal(editText(folder.at("a.txt"), () => "xx", options)), "TOO_LARGE: 2 is too much");
});
