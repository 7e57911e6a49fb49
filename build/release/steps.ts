/** The parts of a release, in order. Each leaves its results in dist/ for the next. */
import { VERSION } from "../../src/base/version.ts";
import { archive, archiveName, writeSums } from "../archive.ts";
import { manifests, writeManifests } from "../manifests/mod.ts";
import { readSums, type Sums } from "../manifests/sums.ts";
import { makeBundles } from "../mcpb/mod.ts";
import { bundleName } from "../mcpb/manifest.ts";
import { makeNpmPackages } from "../npm/mod.ts";
import { DIST, FOLDER } from "../project.ts";
import { unservedBy } from "../probe.ts";
import { notesFor } from "../release_notes.ts";
import { run } from "../run.ts";
import { BuildError, runDeno } from "../run_deno.ts";
import { compiledIn, executableName, TARGETS } from "../targets.ts";
import { checkSteps } from "./checks.ts";
import { megabytes, Skipped, type Step } from "./step.ts";

const TESTS = ["test", "-A", "--lock=tests/deno.lock", "--no-check"];

export function steps({ e2e }: { e2e: boolean }): Step[] {
  return [
    { name: "notes", work: notes },
    { name: "executable", work: executable },
    { name: "executables for the other systems", work: otherExecutables },
    { name: "smoke tests of the executable", work: () => tests(["tests/e2e/executable_test.ts"]) },
    { name: "npm packages", work: npmPackages },
    { name: "bundle (.mcpb)", work: bundles },
    { name: "archive and checksums", work: archives },
    { name: "bill of materials", work: billOfMaterials },
    { name: "npx, global install and bundle, served to a client", work: () => tests(["tests/release"]) },
    { name: "formats of the manifests, and the npm launcher", work: formatTests },
    { name: "manifests (MCP registry, Homebrew, Scoop, winget, AUR)", work: writtenManifests },
    ...checkSteps(),
    { name: "small executable (paddock-lite)", work: lite },
    ...(e2e ? endToEnd() : []),
    ...[
      "the release on GitHub, with attestations",
      "npm",
      "JSR",
      "container image",
      "MCP registry",
      "tap and bucket",
    ]
      .map((name): Step => ({ name: `publishing: ${name}`, work: notInADryRun })),
  ];
}

function notes(): Promise<string> {
  const text = notesFor(Deno.readTextFileSync(`${FOLDER}/CHANGELOG.md`), VERSION);
  if (text === undefined) throw new BuildError(`CHANGELOG.md has no section "## ${VERSION}"`);
  return Promise.resolve(`version ${VERSION}, ${text.split("\n").length} lines`);
}

async function executable(): Promise<string> {
  const path = `${DIST}/${executableName(Deno.build.target)}`;
  await Deno.remove(path).catch(() => {}); // there is none
  await compile([]);
  return `${Deno.build.target}, ${megabytes(path)}`;
}

async function compile(args: string[], env: Record<string, string> = {}): Promise<void> {
  try {
    await run([Deno.execPath(), "run", "-A", "build/compile.ts", ...args], {
      cwd: FOLDER,
      env: { NO_COLOR: "1", ...env },
    });
  } catch (error) {
    if (!(error instanceof BuildError) || !error.message.includes("could not be downloaded")) throw error;
    throw new Skipped("the base runtime cannot be downloaded, and DENORT_BIN does not name one");
  }
}

function otherExecutables(): Promise<string> {
  const there = compiledIn(DIST).map(({ target }) => target);
  const missing = TARGETS.filter((target) => !there.includes(target));
  if (missing.length === 0) return Promise.resolve("all are in dist/");
  throw new Skipped(
    `${missing.length} are not in dist/ (deno task compile --all makes them, where it can download)`,
  );
}

/** The executable for this system, if it was made. */
function ownExecutable(): string {
  const path = compiledIn(DIST).find(({ target }) => target === Deno.build.target)?.path;
  if (path === undefined) throw new Skipped("there is no executable");
  return path;
}

async function npmPackages(): Promise<string> {
  ownExecutable();
  const packed = await makeNpmPackages(DIST);
  return packed.map(({ name, tarball }) => `${name} ${megabytes(tarball)}`).join(", ");
}

async function bundles(): Promise<string> {
  ownExecutable();
  return (await makeBundles(DIST)).map(megabytes).join(", ");
}

async function archives(): Promise<string> {
  const { target } = Deno.build;
  const packed = await archive({ target, engine: "v8", output: ownExecutable() }, {
    repository: FOLDER,
    folder: DIST,
  });
  await writeSums(DIST);
  return `${archiveName(target, VERSION)} ${megabytes(packed)}`;
}

async function billOfMaterials(): Promise<string> {
  const text = await runDeno(["run", "-A", "build/sbom.ts"], { cwd: FOLDER });
  Deno.mkdirSync(DIST, { recursive: true });
  Deno.writeTextFileSync(`${DIST}/paddock.cdx.json`, text);
  return `${JSON.parse(text).components.length} components`;
}

async function tests(paths: string[]): Promise<string> {
  const exe = ownExecutable();
  return sumOf(
    await run([Deno.execPath(), ...TESTS, ...paths], {
      cwd: FOLDER,
      env: { NO_COLOR: "1", PADDOCK_EXE: exe, PADDOCK_DIST: DIST },
    }),
  );
}

/** Those of tests/release that need no executable. */
async function formatTests(): Promise<string> {
  const files = ["manifests", "project", "npm_launcher"].map((name) => `tests/release/${name}_test.ts`);
  return sumOf(await run([Deno.execPath(), ...TESTS, ...files], { cwd: FOLDER, env: { NO_COLOR: "1" } }));
}

async function smallEngineTests(): Promise<string> {
  const command = [Deno.execPath(), "run", "-A", "--lock=tests/deno.lock", "tests/run_small_engine.ts"];
  return sumOf(await run(command, { cwd: FOLDER, env: { NO_COLOR: "1" } }));
}

function sumOf(told: string): string {
  return /\d+ passed.*?(?= \()/.exec(told.slice(told.lastIndexOf("ok |")))?.[0] ?? "passed";
}

/** Unknown checksums are replaced by zeros: only a complete set may be published. */
function writtenManifests(): Promise<string> {
  ownExecutable();
  const known = readSums(Deno.readTextFileSync(`${DIST}/SHA256SUMS`));
  const wanted = TARGETS.flatMap((target) => [archiveName(target, VERSION), bundleName(target)]);
  const missing = wanted.filter((file) => !known.has(file));
  if (missing.length === 0) {
    return Promise.resolve(`${writeManifests(known, `${DIST}/manifests`).length} files in dist/manifests`);
  }
  const filled: Sums = new Map([
    ...known,
    ...missing.map((file): [string, string] => [file, "0".repeat(64)]),
  ]);
  const count = Object.keys(manifests(filled)).length;
  throw new Skipped(
    `${count} files can be made, but ${missing.length} of ${wanted.length} checksums are unknown here`,
  );
}

/** Made twice if the first one does not serve everything: the second says so when asked for what it cannot serve. */
async function lite(): Promise<string> {
  const runtime = Deno.env.get("DENORT_QUICKJS_BIN");
  if (runtime === undefined && Deno.env.has("DENORT_BIN")) {
    throw new Skipped("DENORT_BIN is the runtime of the other one; DENORT_QUICKJS_BIN would name this one's");
  }
  const env = runtime === undefined ? {} : { DENORT_BIN: runtime };
  const path = `${DIST}/${executableName(Deno.build.target, "quickjs")}`;
  await compile(["--engine=quickjs"], env);
  const unserved = await unservedBy(path);
  if (unserved.length > 0) await compile(["--engine=quickjs", `--without=${unserved.join(",")}`], env);
  return `${megabytes(path)}${unserved.length > 0 ? `, without ${unserved.join(", ")}` : ""}`;
}

function endToEnd(): Step[] {
  const paths = ["--parallel", "tests/e2e", "tests/support"];
  return [
    { name: "end-to-end tests with the executable", work: () => tests(paths) },
    { name: "end-to-end tests without WebAssembly", work: smallEngineTests },
  ];
}

function notInADryRun(): Promise<string> {
  throw new Skipped("this is a dry run");
}
