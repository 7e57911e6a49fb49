// Checks that paddock finds the lines that ripgrep finds, for patterns of all kinds, in a tree of 15,000 source
// files: `deno task search:equal`. Exit code 1 if any differ.

import { join } from "@std/path/join";
import { paddock } from "./peers.ts";
import { type Hit, hitsOf, ripgrep, runRipgrep } from "./ripgrep.ts";
import { searchPatterns } from "./search_patterns.ts";
import { makeSourceTree } from "./search_tree.ts";
import { StdioClient } from "./stdio_client.ts";

/** As much of a line as paddock shows. */
const SHOWN_CHARACTERS = 2000;

interface Match {
  readonly file: string;
  readonly line_number: number;
  readonly line_content: string;
  /** Where that begins in the line, in bytes from 1, if it is only the part of a long line around the match. */
  readonly shown_from?: number;
}

interface GrepAnswer {
  readonly matches: readonly Match[];
  readonly truncated: boolean;
  readonly timed_out: boolean;
}

/** All that paddock finds below its root, up to its memory limit. */
export async function grepAll(
  client: StdioClient,
  args: Readonly<Record<string, unknown>>,
): Promise<GrepAnswer> {
  return JSON.parse(await client.callTool({ name: "grep", arguments: { max_results: 1_000_000, ...args } }));
}

/** The first difference between the two; undefined if there is none. */
export function differenceOf(answer: GrepAnswer, hits: readonly Hit[]): string | undefined {
  if (answer.timed_out) return "paddock ran out of time";
  const ours = answer.matches.map((match) => `${match.file}:${match.line_number}:${match.line_content}`);
  const theirs = hits.map(({ file, line, text }, i) => `${file}:${line}:${shown(text, answer.matches[i])}`);
  const wanted = answer.truncated ? theirs.slice(0, ours.length) : theirs; // the first, in the order of paths
  const at = Array.from({ length: Math.max(ours.length, wanted.length) }).findIndex((_, i) =>
    ours[i] !== wanted[i]
  );
  return at < 0
    ? undefined
    : `paddock has ${ours[at] ?? "nothing"} where ripgrep has ${wanted[at] ?? "nothing"}`;
}

/** As much of a line as paddock would show, from the same beginning. */
function shown(text: string, match: Match | undefined): string {
  const { shown_from: from, line_content: content = "" } = match ?? {};
  if (from === undefined) {
    return text.length <= SHOWN_CHARACTERS ? text : [...text].slice(0, SHOWN_CHARACTERS).join("");
  }
  const rest = new TextDecoder().decode(new TextEncoder().encode(text).subarray(from - 1));
  return rest.startsWith(content) ? content : rest;
}

/** Returns the number of patterns that differ. */
async function compareAll(folder: string, signal: AbortSignal): Promise<number> {
  const dir = join(folder, "field");
  const program = await ripgrep(signal);
  console.log(`${await makeSourceTree(dir, signal)} files`);
  await using client = new StdioClient(paddock().launch(dir), { signal });
  await client.initialize();
  let failed = 0;
  for (const { pattern, ripgrep: spelled = pattern } of searchPatterns) {
    const answer = await grepAll(client, { root: "field", pattern });
    const hits = hitsOf(await runRipgrep(program, { folder: dir, pattern: spelled }));
    const difference = differenceOf(answer, hits);
    if (difference !== undefined) failed++;
    const count = answer.truncated ? `the first ${answer.matches.length}` : `${answer.matches.length}`;
    console.log(
      `${difference === undefined ? "equal " : "DIFFER"} ${pattern}: ${difference ?? `${count} lines`}`,
    );
  }
  return failed;
}

if (import.meta.main) {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "search-equal-" }));
  try {
    if (await compareAll(folder, AbortSignal.timeout(600_000)) > 0) Deno.exitCode = 1;
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
