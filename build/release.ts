/**
 * `deno task release --dry-run`: does as much of a release as this machine can, and says for each part whether it was
 * done, or why not. Nothing is published. `--e2e` also runs all end-to-end tests with the executable, and without
 * WebAssembly, which takes minutes. The release itself is made by .github/workflows/release.yml, from a tag.
 */
import { parseArgs } from "@std/cli/parse-args";
import { steps } from "./release/steps.ts";
import { type Outcome, Skipped } from "./release/step.ts";
import { BuildError } from "./run_deno.ts";

const MARKS: Record<Outcome["kind"], string> = { done: "done    ", skipped: "not done", failed: "FAILED  " };

async function main(args: readonly string[]): Promise<number> {
  const { "dry-run": dryRun, e2e } = parseArgs([...args], {
    boolean: ["dry-run", "e2e"],
    unknown: (name) => {
      throw new BuildError(`unknown argument ${name}; allowed: --dry-run and --e2e`);
    },
  }) as { "dry-run": boolean; e2e: boolean; _: string[] };
  if (!dryRun) {
    throw new BuildError("only --dry-run works here: a release is made by the release workflow, from a tag");
  }
  const outcomes: Outcome[] = [];
  for (const { name, work } of steps({ e2e })) {
    const outcome = await outcomeOf(work);
    outcomes.push(outcome);
    console.log(`${MARKS[outcome.kind]}  ${name}${outcome.text === "" ? "" : `: ${outcome.text}`}`);
  }
  const count = (kind: Outcome["kind"]) => outcomes.filter((outcome) => outcome.kind === kind).length;
  console.log(`${count("done")} done, ${count("skipped")} not done, ${count("failed")} failed`);
  return count("failed") === 0 ? 0 : 1;
}

async function outcomeOf(work: () => Promise<string>): Promise<Outcome> {
  try {
    return { kind: "done", text: await work() };
  } catch (error) {
    if (error instanceof Skipped) return { kind: "skipped", text: error.message };
    if (error instanceof BuildError) return { kind: "failed", text: error.message };
    throw error;
  }
}

if (import.meta.main) {
  try {
    Deno.exit(await main(Deno.args));
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    console.error(`error: ${error.message}`);
    Deno.exit(1);
  }
}
