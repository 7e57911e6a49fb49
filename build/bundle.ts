/**
 * Bundles the program into a few minified files. Code that main and the Workers share is in there once, and
 * what is loaded late is still loaded late. Bundled as for a browser: a bundle for Deno begins by loading all
 * of Deno's Node layer, for a `require` that nothing here calls, which costs 45 ms in main and again in each
 * Worker.
 */
import { copySources } from "./bundled_sources.ts";
import { BuildError, runDeno } from "./run_deno.ts";

const SANDBOX = "src/sandbox/";
const WORKER_URL = /new URL\("(\.[^"]+)\.ts", import\.meta\.url\)/g;

/** A Worker's entry point: as the source names it, and where its source is. Without the extension. */
export interface WorkerEntry {
  named: string;
  path: string;
}

/** The Workers that a module in src/sandbox/ starts. */
export function workerEntriesIn(source: string): WorkerEntry[] {
  return [...source.matchAll(WORKER_URL)].map(([, named = ""]) => ({
    named,
    path: new URL(named, `file:///${SANDBOX}`).pathname.slice(1),
  }));
}

/** Bundles the program into a folder, as main.js and what that needs; returns the entry points of its Workers. */
export async function bundle(
  repository: string,
  { folder, without = [] }: { folder: string; without?: readonly string[] },
): Promise<string[]> {
  const entries = findEntries(repository);
  const sources = ["main", ...entries.map(({ path }) => path)].map((path) => `${path}.ts`);
  const copy = Deno.makeTempDirSync({ prefix: "paddock-sources-" });
  try {
    copySources(repository, copy);
    const options = ["--quiet", "--code-splitting", "--platform=browser", `--outdir=${folder}`];
    await runDeno(["bundle", ...options, ...sources], { cwd: copy });
  } finally {
    Deno.removeSync(copy, { recursive: true });
  }
  await runDeno(["run", "-A", "--lock=tests/deno.lock", "build/minify.ts", folder], { cwd: repository });
  for (const { named, path } of entries) renameWorker(folder, { named, path });
  Deno.writeTextFileSync(`${folder}/deno.json`, JSON.stringify(settingsFor(repository, without)));
  return entries.map(({ path }) => `${path}.js`);
}

/** The Workers of the program. */
export function findEntries(repository: string): WorkerEntry[] {
  const found = new Map<string, WorkerEntry>();
  for (const { name, isFile } of Deno.readDirSync(`${repository}/${SANDBOX}`)) {
    if (!isFile) continue; // entry points and the code that starts them are in this folder
    const source = Deno.readTextFileSync(`${repository}/${SANDBOX}${name}`);
    for (const entry of workerEntriesIn(source)) found.set(entry.path, entry);
  }
  return [...found.values()];
}

/**
 * Adjusts the Worker's URL: src/sandbox/ names it relative to itself, but the bundle starts it relative to
 * main.js.
 */
function renameWorker(folder: string, { named, path }: WorkerEntry): void {
  let renamed = 0;
  for (const { name, isFile } of Deno.readDirSync(folder)) {
    if (!isFile) continue;
    const code = Deno.readTextFileSync(`${folder}/${name}`);
    const moved = code.replaceAll(`new URL("${named}.ts",import.meta.url)`, () => {
      renamed++;
      return `new URL("./${path}.js",import.meta.url)`;
    });
    if (moved !== code) Deno.writeTextFileSync(`${folder}/${name}`, moved);
  }
  if (renamed === 0) {
    throw new BuildError(`the bundle does not start the Worker ${path}.ts; see ${folder}`);
  }
}

/**
 * The part of deno.json that matters at run time (without it there would be no fence), and the surfaces that main
 * refuses.
 */
export function settingsFor(repository: string, without: readonly string[]) {
  const { unstable } = JSON.parse(Deno.readTextFileSync(`${repository}/deno.json`));
  const known = ["#worker-options", ...without.map((surface) => `#without-${surface}`)];
  return {
    unstable,
    nodeModulesDir: "none",
    imports: Object.fromEntries(known.map((name) => [name, "./main.js"])),
  };
}
