/** Checks of the container, the workflows and the JSR package by dedicated programs. */
import { FOLDER } from "../project.ts";
import { run } from "../run.ts";
import { BuildError, runDeno } from "../run_deno.ts";
import { Skipped, type Step } from "./step.ts";

const SCHEMA = "--builtin-schema=vendor.github-workflows";

function workflows(): string[] {
  const folder = `${FOLDER}/.github/workflows`;
  return [...Deno.readDirSync(folder)].map(({ name }) => `${folder}/${name}`);
}

export function checkSteps(): Step[] {
  return [
    { name: "Dockerfile", work: () => linted("hadolint", ["Dockerfile"]) },
    { name: "container image", work: image },
    { name: "workflows, by a linter", work: () => linted("actionlint", []) },
    { name: "workflows, by their schema", work: () => linted("check-jsonschema", [SCHEMA, ...workflows()]) },
    { name: "package for JSR", work: jsrPackage },
  ];
}

async function linted(linter: string, args: string[]): Promise<string> {
  try {
    await run([linter, ...args], { cwd: FOLDER });
  } catch (error) {
    if (error instanceof BuildError && error.message.endsWith("is not installed")) {
      throw new Skipped(error.message);
    }
    throw error;
  }
  return `${linter} finds nothing`;
}

async function image(): Promise<string> {
  try {
    await run(["docker", "info"]);
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    throw new Skipped("no Docker daemon runs here");
  }
  await run(["docker", "build", "--tag=paddock:dry-run", "."], { cwd: FOLDER });
  return (await run(["docker", "run", "--rm", "--read-only", "paddock:dry-run", "--version"])).trim();
}

async function jsrPackage(): Promise<string> {
  await runDeno(["publish", "--dry-run", "--allow-dirty", "--no-check"], { cwd: FOLDER });
  return "deno publish would publish it";
}
