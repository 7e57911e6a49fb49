import { assertEquals } from "@std/assert";
import { engineFolder } from "../../support/engine.ts";
import { grep } from "../../../src/engine/search/mod.ts";

const LONG = "y".repeat(300_000);
const FILES = {
  "crlf.txt": "one\r\ntwo\r\n",
  "lf.txt": "one\ntwo\n",
  "lone.txt": "one\rtwo\nthree",
  "long.txt": `${LONG}\r\nshort\n`,
};

const TABLE: [pattern: string, found: string[]][] = [
  ["\\r", ["crlf.txt:1", "crlf.txt:2", "lone.txt:1", "long.txt:1"]],
  ["\\r$", ["crlf.txt:1", "crlf.txt:2", "long.txt:1"]],
  ["two\\x0d$", ["crlf.txt:2"]],
  ["o\\x{0D}", ["crlf.txt:2"]],
  ["y\r$", ["long.txt:1"]],
  ["e\\rt", ["lone.txt:1"]],
  // a pattern that does not name it does not match it
  ["one$", ["crlf.txt:1", "lf.txt:1"]],
  ["\\\\r", []],
  ["two\\s$", []],
];

for (const [pattern, found] of TABLE) {
  Deno.test(`grep finds ${JSON.stringify(pattern)} in ${found.length} lines`, async () => {
    using folder = engineFolder();
    for (const [name, content] of Object.entries(FILES)) folder.write(name, content);
    const { matches } = await grep(folder.at("."), {
      pattern,
      maxResults: 100,
      timeoutMs: 60_000,
      contextLines: 0,
      respectGitignore: false,
    });
    assertEquals(matches.map(({ file, line_number }) => `${file}:${line_number}`), found);
    for (const { file, line_content } of matches) {
      assertEquals(line_content.includes("\r"), file === "lone.txt", file);
    }
  });
}
