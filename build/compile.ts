/**
 * Builds executables: `deno task compile` for this system, into dist/; `--all` for all six, each into a
 * folder of dist/; `--target=NAME` for one of them. `--archive` packs each for a release.
 *
 * `--engine=quickjs` builds paddock-lite, on a small, experimental runtime of Deno; `--without=SURFACE,…` makes it
 * refuse surfaces that do not work there (build/probe.ts finds them).
 *
 * Deno downloads the base runtime, unless DENORT_BIN names one.
 */
import { parseArgs } from "@std/cli/parse-args";
import { archive, writeSums } from "./archive.ts";
import { bundle } from "./bundle.ts";
import { permissionFlags } from "./permissions.ts";
import { BuildError, runDeno } from "./run_deno.ts";
import { DIST, FOLDER } from "./project.ts";
import { type Engine, ENGINES, executableName, isTarget, TARGETS } from "./targets.ts";
import { SURFACES } from "../src/base/config.ts";

interface Job {
  target: string;
  engine: Engine;
  output: string;
}

interface Plan {
  jobs: Job[];
  archives: boolean;
  /** Surfaces that it refuses. */
  without: string[];
}

export function plan(args: readonly string[]): Plan {
  const { all, target, archive: archives, engine = "v8", without: refused = "", _: rest } = parseArgs([
    ...args,
  ], {
    boolean: ["all", "archive"],
    string: ["target", "engine", "without"],
    unknown: (name) => {
      throw new BuildError(
        `unknown argument ${name}; allowed: --all, --target=NAME, --archive, --engine=NAME and --without=SURFACE,…`,
      );
    },
  }) as { all: boolean; target?: string; archive: boolean; engine?: string; without?: string; _: string[] };
  if (rest.length > 0) throw new BuildError(`unknown argument ${rest[0]}`);
  if (!isEngine(engine)) throw new BuildError(`unknown engine ${engine}; allowed: ${ENGINES.join(" and ")}`);
  const without = refused.split(",").filter((name) => name !== "");
  const unknown = without.find((name) => !(SURFACES as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new BuildError(`unknown surface ${unknown}; allowed: ${SURFACES.join(", ")}`);
  }
  if (target !== undefined && !isTarget(target)) {
    throw new BuildError(`unknown target ${target}; allowed: ${TARGETS.join(", ")}`);
  }
  if (all && Deno.env.get("DENORT_BIN") !== undefined) {
    throw new BuildError("DENORT_BIN is the runtime of one system: unset it to compile with --all");
  }
  const job = (target: string, folder: string): Job => ({
    target,
    engine,
    output: `${folder}/${executableName(target, engine)}`,
  });
  const into = (target: string) => job(target, `${DIST}/${target}`);
  const jobs = all
    ? TARGETS.map(into)
    : target === undefined
    ? [job(Deno.build.target, DIST)]
    : [into(target)];
  return { jobs, archives, without };
}

function isEngine(name: string): name is Engine {
  return (ENGINES as readonly string[]).includes(name);
}

async function compile(
  { target, engine, output }: Job,
  { folder, workers }: { folder: string; workers: readonly string[] },
): Promise<void> {
  const made = `${folder}/${executableName(target, engine)}`; // a failed build leaves the previous executable alone
  const args = [
    "compile",
    "--no-check", // `deno task check` checks the source; this is the bundle
    "--no-lock", // nothing is left to resolve
    "--no-code-cache", // it would be in the shared temporary folder, where others could plant theirs
    ...ENGINE_FLAGS[engine],
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
Deno fetches denort ${Deno.version.deno} from dl.deno.land. Behind a proxy with certificates of its own, set
  DENO_TLS_CA_STORE=system
If that is unreachable, get ${RUNTIMES[engine]}-${target}.zip of that version elsewhere (it is part of Deno's
releases), unpack it and set
  DENORT_BIN=/path/to/${RUNTIMES[engine]}`,
    );
  }
  Deno.mkdirSync(output.slice(0, output.lastIndexOf("/")), { recursive: true });
  Deno.copyFileSync(made, `${output}.new`);
  Deno.renameSync(`${output}.new`, output);
  Deno.removeSync(made);
}

/** Flags for each engine. */
const ENGINE_FLAGS: Record<Engine, string[]> = {
  // A small young generation: less memory under load, no call slower. And a way to return memory at rest.
  v8: ["--v8-flags=--max-semi-space-size=1,--expose-gc"],
  quickjs: ["--engine=quickjs"],
};

/** Their names in Deno's releases. */
const RUNTIMES: Record<Engine, string> = { v8: "denort", quickjs: "denort-quickjs" };

async function main(): Promise<void> {
  const { jobs, archives, without } = plan(Deno.args);
  const folder = Deno.makeTempDirSync({ prefix: "paddock-build-" });
  try {
    const workers = await bundle(`${FOLDER}/`, { folder, without });
    for (const job of jobs) {
      await compile(job, { folder, workers });
      report(job.output);
      if (archives) report(await archive(job, { repository: FOLDER, folder: DIST }));
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
