/**
 * Builds executables: `deno task compile` for this system, into dist/; `--all` for all six, each into a
 * folder of dist/; `--target=NAME` for one of them. `--archive` packs each for a release.
 *
 * Deno downloads the base runtime, or takes it from DENORT_BIN.
 */
import { parseArgs } from "@std/cli/parse-args";
import { archive, writeSums } from "./archive.ts";
import { bundle } from "./bundle.ts";
import { permissionFlags } from "./permissions.ts";
import { BuildError, runDeno } from "./run_deno.ts";
import { executableName, isTarget, TARGETS } from "./targets.ts";

const REPOSITORY = decodeURIComponent(new URL("..", import.meta.url).pathname).replace(/^\/(?=[A-Z]:)/, "");
const DIST = `${REPOSITORY}dist`;

interface Job {
  target: string;
  output: string;
}

function plan(args: readonly string[]): { jobs: Job[]; archives: boolean } {
  const { all, target, archive: archives, _: rest } = parseArgs([...args], {
    boolean: ["all", "archive"],
    string: ["target"],
    unknown: (name) => {
      throw new BuildError(`unknown argument ${name}; allowed: --all, --target=NAME and --archive`);
    },
  }) as { all: boolean; target?: string; archive: boolean; _: string[] };
  if (rest.length > 0) throw new BuildError(`unknown argument ${rest[0]}`);
  if (target !== undefined && !isTarget(target)) {
    throw new BuildError(`unknown target ${target}; allowed: ${TARGETS.join(", ")}`);
  }
  if (all && Deno.env.get("DENORT_BIN") !== undefined) {
    throw new BuildError("DENORT_BIN is the runtime of one system: unset it to compile with --all");
  }
  const into = (target: string): Job => ({ target, output: `${DIST}/${target}/${executableName(target)}` });
  if (all) return { jobs: TARGETS.map(into), archives };
  if (target !== undefined) return { jobs: [into(target)], archives };
  const own = Deno.build.target;
  return { jobs: [{ target: own, output: `${DIST}/${executableName(own)}` }], archives };
}

async function compile(folder: string, workers: readonly string[], { target, output }: Job): Promise<void> {
  const made = `${folder}/${executableName(target)}`; // a failed build leaves the previous executable alone
  const args = [
    "compile",
    "--no-check", // `deno task check` checks the source; this is the bundle
    "--no-lock", // nothing is left to resolve
    "--no-code-cache", // it would be in the shared temporary folder, where others could plant theirs
    "--v8-flags=--max-semi-space-size=1", // small young generation: less memory under load, no call slower
    `--target=${target}`,
    ...permissionFlags(),
    ...workers.map((worker) => `--include=${worker}`),
    `--output=${made}`,
    "main.js",
  ];
  try {
    await runDeno(args, { cwd: folder });
  } catch (error) {
    if (!(error instanceof BuildError) || !error.message.includes("Setting up base binary")) throw error;
    throw new BuildError(
      `the base runtime for ${target} could not be downloaded:
${error.message.split("\n").filter((line) => /^ *\d+: (?!<unknown>)/.test(line)).join("\n")}
Deno fetches denort ${Deno.version.deno} from dl.deno.land. If that is unreachable, get
denort-${target}.zip of that version elsewhere (it is part of Deno's releases), unpack it and set
  DENORT_BIN=/path/to/denort`,
    );
  }
  Deno.mkdirSync(output.slice(0, output.lastIndexOf("/")), { recursive: true });
  Deno.copyFileSync(made, `${output}.new`);
  Deno.renameSync(`${output}.new`, output);
  Deno.removeSync(made);
}

async function main(): Promise<void> {
  const { jobs, archives } = plan(Deno.args);
  const folder = Deno.makeTempDirSync({ prefix: "paddock-build-" });
  try {
    const workers = await bundle(REPOSITORY, folder);
    for (const job of jobs) {
      await compile(folder, workers, job);
      report(job.output);
      if (archives) report(await archive(job, { repository: REPOSITORY, folder: DIST }));
    }
    if (archives) await writeSums(DIST);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function report(path: string): void {
  console.log(`${path}  ${(Deno.statSync(path).size / 1e6).toFixed(1)} MB`);
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    console.error(`error: ${error.message}`);
    Deno.exit(1);
  }
}
