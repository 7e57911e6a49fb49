import { assertEquals } from "@std/assert";
import { sentence } from "../../../console/text/sentence.ts";

Deno.test("sentence turns the server's message into a sentence, without what the page says anyway", () => {
  for (
    const [said, shown] of [
      ['conflict: "a.txt" was changed since; nothing was changed', '"a.txt" was changed since.'],
      [
        "commit 1 cannot be undone. Nothing was changed. Edit the file",
        "Commit 1 cannot be undone. Edit the file.",
      ],
      ["the store is damaged", "The store is damaged."],
      ["Is it there?", "Is it there?"],
      ['no change "x; nothing was changed"', 'No change "x; nothing was changed".'],
      ["", ""],
    ] as const
  ) assertEquals(sentence(said), shown);
});
