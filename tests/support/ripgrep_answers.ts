/** Asks ripgrep for the matching lines of the odd tree, and stores its answers for tests without ripgrep. */
import { hitsOf, ripgrep, runRipgrep } from "../../bench/ripgrep.ts";
import { type SearchPattern, searchPatterns } from "../../bench/search_patterns.ts";
import { writeOddTree } from "./odd_tree.ts";
import { tempFolder } from "./temp.ts";

const ANSWERS = new URL("../fixtures/ripgrep_answers.json", import.meta.url);

/** Patterns for this tree, in addition to those of the benchmark. */
const MORE: SearchPattern[] = [
  "error",
  "(?i)bar",
  "foo|Bar|K$",
  "^$",
  "(?i)k",
  "x1y2z3 x1",
  "^error",
  "\\w+:$",
].map((pattern) => ({ pattern }));

/** By pattern and file, the numbers of the lines. */
type Answers = Record<string, Record<string, number[]>>;

if (import.meta.main) {
  using folder = tempFolder();
  writeOddTree(folder.path);
  const program = await ripgrep(AbortSignal.timeout(60_000));
  const answers: Answers = {};
  for (const { pattern, ripgrep: spelled = pattern } of [...searchPatterns, ...MORE]) {
    const files: Record<string, number[]> = answers[pattern] = {};
    for (
      const { file, line } of hitsOf(await runRipgrep(program, { folder: folder.path, pattern: spelled }))
    ) {
      (files[file] ??= []).push(line);
    }
  }
  Deno.writeTextFileSync(ANSWERS, `${JSON.stringify(answers)}\n`);
}
