/** Turns of phrase that readers stumbled over, and that must not come back: in documents, messages, comments or titles. */
import { assertEquals } from "@std/assert";
import { REPOSITORY } from "../support/server.ts";
import { filesBelow, type Page, pages } from "./pages.ts";

const STUMBLING = [
  /prove every file before/i,
  /\bproof is dear\b/i,
  /thousand million/i,
  /\bleast level\b/i,
  /keeps back what/i,
  /(?<!const )\b(?:tells?|told) of\b/i,
  /\b(?:could|can|to) (?:not )?be had\b/i,
  /\bhave the lock had\b/i,
  /\bmistakes? of ours\b/i,
  /\bfor want of\b/i,
  /\bthe only one that speaks\b/i,
  /\b(?:is|are) looked at\b/i,
  /\b(?:says?|said) of\b/i,
  /\bknown? of\b/i,
  /\bhears? of\b/i,
  /\bhas not got\b/i,
  /\btak(?:es?|en|ing) (?:it |them )?back\b/i,
  /\bon record\b/i,
  /\botherwise than\b/i,
  /\bspell of\b/i,
  /\b(?:by|of) whom\b/i,
  /\b(?:anew|whyever|thereof|whereof)\b/i,
];

/** The folders whose sources people read. */
const SOURCES = ["src", "console", "bench", "build", "clients", "tests", ".github"];
const READ = /\.(?:ts|tsx|cjs|py|css|yml|yaml|md)$/;
/** The bundle of the console's page, whose sources are checked themselves, and this list. */
const NOT_READ = ["src/console/page.ts", "tests/docs/wording_test.ts"];

function sources(): Page[] {
  return SOURCES.flatMap(filesBelow).filter((path) => READ.test(path) && !NOT_READ.includes(path))
    .map((path) => ({ path, text: Deno.readTextFileSync(REPOSITORY + path) }));
}

/** Without line breaks, and without what begins the lines of a comment. */
function asProse(text: string): string {
  return text.replace(/\n\s*(?:\*|\/\/|#)?\s*/g, " ");
}

function stumblesIn(read: readonly Page[]): string[] {
  return read.flatMap(({ path, text }) => {
    const prose = asProse(text);
    return STUMBLING.flatMap((phrase) => phrase.test(prose) ? [`${path}: ${phrase}`] : []);
  });
}

Deno.test("the documents have none of the phrases that readers stumbled over", () => {
  assertEquals(stumblesIn(pages()), []);
});

Deno.test("comments, messages and test titles have none of the phrases that readers stumbled over", () => {
  assertEquals(stumblesIn(sources()), []);
});

Deno.test("a phrase is found even if a comment breaks it into two lines", () => {
  const page = {
    path: "a.ts",
    text: "/**\n * It is\n * looked at later.\n */\n// what others say\n// of it",
  };
  assertEquals(stumblesIn([page]), [
    "a.ts: /\\b(?:is|are) looked at\\b/i",
    "a.ts: /\\b(?:says?|said) of\\b/i",
  ]);
});
