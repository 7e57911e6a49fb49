/**
 * What `deno task test` runs: format, lint and types, and if these are right, the tests. The last
 * line is always the sum, `123 passed, 0 failed`; a step that fails before the tests counts as one failure.
 * Arguments are passed on to `deno test`.
 */
import { stripVTControlCharacters } from "node:util";

export interface Sum {
  passed: number;
  failed: number;
}

const STEPS_BEFORE = [
  ["fmt", "--check"],
  ["lint"],
  ["check", "main.ts", "src", "tests", "bench", "build"],
];

const REPOSITORY = new URL("../", import.meta.url);
const SUMMARY = /^(?:ok|FAILED) \| (\d+) passed(?: \(\d+ steps?\))? \| (\d+) failed/gm;

/** The sum that `deno test` prints at its end; undefined when it ended before that. */
export function sumOf(output: string): Sum | undefined {
  const last = [...stripVTControlCharacters(output).matchAll(SUMMARY)].at(-1);
  return last === undefined ? undefined : { passed: Number(last[1]), failed: Number(last[2]) };
}

/** Runs deno with what it prints passed through; returns its exit code and the end of its standard output. */
async function run(args: readonly string[]): Promise<{ code: number; output: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: REPOSITORY,
    // One more than there are processors: tests wait for processes and disks, too.
    env: { DENO_JOBS: Deno.env.get("DENO_JOBS") ?? String(navigator.hardwareConcurrency + 1) },
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const decoder = new TextDecoder();
  let output = "";
  for await (const chunk of child.stdout) {
    for (let at = 0; at < chunk.length;) at += await Deno.stdout.write(chunk.subarray(at));
    output = (output + decoder.decode(chunk, { stream: true })).slice(-64 * 1024);
  }
  return { code: (await child.status).code, output };
}

function finish(code: number, { passed, failed }: Sum): never {
  console.log(`${passed} passed, ${failed} failed`);
  Deno.exit(code);
}

if (import.meta.main) {
  const before = await Promise.all(STEPS_BEFORE.map(async (step) => ({ step, ...await run(step) })));
  for (const { step, code } of before) {
    if (code !== 0) {
      console.log(`failed: deno ${step.join(" ")} (exit code ${code})`);
      finish(code, { passed: 0, failed: 1 });
    }
  }
  // The types have been checked by now.
  const tests = ["test", "-A", "--no-check", "--parallel", "tests", ...Deno.args];
  const { code, output } = await run(tests);
  const { passed, failed } = sumOf(output) ?? { passed: 0, failed: 0 };
  if (code === 0 && failed === 0 && passed > 0) finish(0, { passed, failed });
  console.log(`failed: deno ${tests.join(" ")} (exit code ${code})`);
  finish(code === 0 ? 1 : code, { passed, failed: Math.max(failed, 1) });
}
