import { assertEquals, assertRejects } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import { readFirstLines, readLastLines } from "../../src/engine/read_ends.ts";
import { engineFolder } from "../support/engine.ts";

const tooLarge = () => new PaddockError("TOO_LARGE", "too large");
const OPTIONS = { maxBytes: 1_000_000, tooLarge };
const decoder = new TextDecoder();

const TEXTS = ["", "a", "a\n", "a\nb", "a\nb\n", "\n", "\n\n\n", "a\r\nb\r\n", `${"x".repeat(70_000)}\ny\nz`];

Deno.test("readFirstLines and readLastLines return the same as splitting the whole text, across pieces", async () => {
  using folder = engineFolder();
  for (const text of [...TEXTS, TEXTS.join("\n"), "line\n".repeat(40_000)]) {
    folder.write("f", text);
    for (const count of [0, 1, 2, 3, 50_000]) {
      const first = decoder.decode(await readFirstLines(folder.at("f"), count, OPTIONS));
      const last = decoder.decode(await readLastLines(folder.at("f"), count, OPTIONS));
      const lines = text.split("\n");
      const ended = lines.slice(0, count).map((line, i) => i < lines.length - 1 ? `${line}\n` : line).join(
        "",
      );
      assertEquals(first, ended, `${count} first of ${JSON.stringify(text.slice(-20))}`);
      assertEquals(last, count === 0 ? "" : lines.slice(-count).join("\n"), `${count} last`);
    }
  }
});

Deno.test("readFirstLines and readLastLines refuse lines that are too long in total", async () => {
  using folder = engineFolder();
  folder.write("f", "x".repeat(200_000));
  for (const read of [readFirstLines, readLastLines]) {
    await assertRejects(
      () => read(folder.at("f"), 1, { ...OPTIONS, maxBytes: 100_000 }),
      PaddockError,
      "too large",
    );
  }
});
