/** Turns of phrase that readers stumbled over, and that must not come back. */
import { assertEquals } from "@std/assert";
import { pages } from "./pages.ts";

const STUMBLING = [
  /prove every file before/i,
  /\bproof is dear\b/i,
  /thousand million/i,
  /\bleast level\b/i,
  /keeps back what/i,
  /\btells? of\b/i,
  /\b(?:could|can|to) (?:not )?be had\b/i,
  /\bmistakes? of ours\b/i,
  /\bfor want of\b/i,
  /\bthe only one that speaks\b/i,
];

Deno.test("the documents have none of the phrases that readers stumbled over", () => {
  const found = pages().flatMap(({ path, text }) =>
    STUMBLING.flatMap((phrase) => phrase.test(text.replace(/\s+/g, " ")) ? [`${path}: ${phrase}`] : [])
  );
  assertEquals(found, []);
});
