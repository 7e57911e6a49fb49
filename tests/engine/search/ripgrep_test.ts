/**
 * grep compared with ripgrep's stored answers: the patterns and the tree are those of ripgrep_answers.json, which
 * `deno run -A tests/support/ripgrep_answers.ts` makes. `deno task search:equal` runs ripgrep itself, in a tree of
 * 15,000 files.
 */
import { assertEquals } from "@std/assert";
import { grep } from "../../../src/engine/search/mod.ts";
import { engineFolder } from "../../support/engine.ts";
import { writeOddTree } from "../../support/odd_tree.ts";
import answers from "../../fixtures/ripgrep_answers.json" with { type: "json" };

Deno.test("grep finds the lines that ripgrep finds in a tree of odd files, for patterns of all kinds", async () => {
  using folder = engineFolder();
  writeOddTree(folder.path);
  for (const [pattern, expected] of Object.entries(answers)) {
    const { matches } = await grep(folder.at(""), { pattern, maxResults: Infinity });
    const files = new Map<string, number[]>();
    for (const { file, line_number } of matches) files.set(file, [...files.get(file) ?? [], line_number]);
    assertEquals(Object.fromEntries(files), expected as Record<string, number[]>, pattern);
  }
});
