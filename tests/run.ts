/**
 * What `deno task test` runs: format, lint and types and, if these pass, the tests. The last line is always the sum,
 * `123 passed, 0 failed`; a step that fails before the tests counts as one failure. The line before it lists what was
 * ignored, by what was missing: `ignored: 184 need git, 14 need mkfifo`. Arguments are passed on to `deno test`.
 */
import { stripVTControlCharacters } from "node:util";
import { bundle } from "../build/bundle.ts";
import { BuildError } from "../build/run_deno.ts";

export interface Sum {
  passed: number;
  failed: number;
}

interface Ended {
  code: number;
  /** The end of its standard output. */
  output: string;
  /** What was ignored, counted. */
  ignored: string;
}

/** It has the packages of the tests as well; deno.lock has only those of the server. */
const LOCK = "--lock=tests/deno.lock";

const STEPS_BEFORE = [
  ["fmt", "--check"],
  ["lint"],
  ["check", LOCK, "main.ts", "src", "tests", "bench", "build"],
  ["check", "--config=console/deno.json", "console"],
];

const REPOSITORY = new URL("../", import.meta.url);
const SUMMARY = /^(?:ok|FAILED) \| (\d+) passed(?: \(\d+ steps?\))? \| (\d+) failed/gm;
const IGNORED = /^(.*) \.\.\. ignored \([^()]*\)$/;
const NEED = / \[needs ([^[\]]+)\]$/;

/** The sum that `deno test` prints at its end; undefined if it ended before that. */
export function sumOf(output: string): Sum | undefined {
  const last = [...stripVTControlCharacters(output).matchAll(SUMMARY)].at(-1);
  return last === undefined ? undefined : { passed: Number(last[1]), failed: Number(last[2]) };
}

/** Counts the tests that were ignored, by what they need (tests/support/needs.ts), from a stream of text. */
export class Ignored {
  readonly #counts = new Map<string, number>();
  #rest = "";

  read(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const [, name] = IGNORED.exec(stripVTControlCharacters(line)) ?? [];
      if (name === undefined) continue;
      const need = NEED.exec(name)?.[1] ?? "something else";
      this.#counts.set(need, (this.#counts.get(need) ?? 0) + 1);
    }
  }

  /** The most frequent first; empty if nothing was ignored. */
  toString(): string {
    const counts = [...this.#counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    return counts.map(([need, count]) => `${count} ${count === 1 ? "needs" : "need"} ${need}`).join(", ");
  }
}

/** For the page that CI shows: what ran on this system, and what could not, by what was missing. */
export function summary({ passed, failed }: Sum, ignored: string, { os, arch } = Deno.build): string {
  return `**${os} ${arch}**: ${passed} passed, ${failed} failed; ignored: ${ignored || "nothing"}\n\n`;
}

/** Runs deno with its output passed through; returns how it ended. */
async function run(args: readonly string[], more: Record<string, string> = {}): Promise<Ended> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: REPOSITORY,
    // One more than there are processors: tests also wait for processes and disks.
    env: { DENO_JOBS: Deno.env.get("DENO_JOBS") ?? String(navigator.hardwareConcurrency + 1), ...more },
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const decoder = new TextDecoder();
  const ignored = new Ignored();
  let output = "";
  for await (const chunk of child.stdout) {
    for (let at = 0; at < chunk.length;) at += await Deno.stdout.write(chunk.subarray(at));
    const text = decoder.decode(chunk, { stream: true });
    ignored.read(text);
    output = (output + text).slice(-64 * 1024);
  }
  return { code: (await child.status).code, output, ignored: String(ignored) };
}

function finish(code: number, { passed, failed }: Sum): never {
  console.log(`${passed} passed, ${failed} failed`);
  Deno.exit(code);
}

/**
 * The program bundled as in an executable, for the servers that tests start (PADDOCK_MAIN): each then takes half the
 * processor time. Tests of `deno run main.ts` itself start the sources.
 */
async function bundledInto(folder: string): Promise<Record<string, string>> {
  try {
    await bundle(decodeURIComponent(REPOSITORY.pathname).replace(/^\/(?=[A-Z]:)/, ""), { folder });
    return { PADDOCK_MAIN: `${folder}/main.js` };
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    console.log(`servers are started from the sources: ${error.message}`);
    return {};
  }
}

if (import.meta.main) {
  const before = await Promise.all(STEPS_BEFORE.map(async (step) => ({ step, ...await run(step) })));
  for (const { step, code } of before) {
    if (code !== 0) {
      console.log(`failed: deno ${step.join(" ")} (exit code ${code})`);
      finish(code, { passed: 0, failed: 1 });
    }
  }
  // The types have already been checked.
  const tests = ["test", "-A", LOCK, "--no-check", "--parallel", "tests", ...Deno.args];
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "paddock-test-" }));
  const { code, output, ignored } = await bundledInto(folder).then((env) => run(tests, env))
    .finally(() => Deno.removeSync(folder, { recursive: true }));
  if (ignored !== "") console.log(`ignored: ${ignored}`);
  const { passed, failed } = sumOf(output) ?? { passed: 0, failed: 0 };
  const page = Deno.env.get("GITHUB_STEP_SUMMARY");
  if (page) Deno.writeTextFileSync(page, summary({ passed, failed }, ignored), { append: true });
  if (code === 0 && failed === 0 && passed > 0) finish(0, { passed, failed });
  console.log(`failed: deno ${tests.join(" ")} (exit code ${code})`);
  finish(code === 0 ? 1 : code, { passed, failed: Math.max(failed, 1) });
}
