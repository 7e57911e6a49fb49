/**
 * The program as a few minified files, with the code that main and the Workers share in there once, and what is
 * loaded late still loaded late. Bundled as for a browser: the bundle for Deno begins by loading the whole of
 * Deno's node layer, for the sake of a `require` that nothing here calls, which costs 45 ms in main and again
 * in each Worker.
 */
import { BuildError, runDeno } from "./run_deno.ts";

const SANDBOX = "src/sandbox/";
const WORKER_URL = /new URL\("(\.[^"]+)\.ts", import\.meta\.url\)/g;

/** A Worker's entry: as the source names it, and where its source lies. Without the extension. */
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

/** Bundles the program into a folder, as main.js and what that needs; gives the entries of its Workers. */
export async function bundle(repository: string, folder: string): Promise<string[]> {
  const entries = findEntries(repository);
  const sources = ["main", ...entries.map(({ path }) => path)].map((path) => `${path}.ts`);
  await runDeno(
    [
      "bundle",
      "--quiet",
      "--code-splitting",
      "--platform=browser",
      `--outdir=${folder}`,
      ...sources,
    ],
    { cwd: repository },
  );
  await runDeno(["run", "-A", "--lock=tests/deno.lock", "build/minify.ts", folder], { cwd: repository });
  for (const { named, path } of entries) renameWorker(folder, { named, path });
  writeSettings(repository, folder);
  return entries.map(({ path }) => `${path}.js`);
}

/** The Workers of the program. */
export function findEntries(repository: string): WorkerEntry[] {
  const found = new Map<string, WorkerEntry>();
  for (const { name, isFile } of Deno.readDirSync(`${repository}/${SANDBOX}`)) {
    if (!isFile) continue; // the entries and who starts them lie side by side
    const source = Deno.readTextFileSync(`${repository}/${SANDBOX}${name}`);
    for (const entry of workerEntriesIn(source)) found.set(entry.path, entry);
  }
  return [...found.values()];
}

/** What src/sandbox/ started by its own relative name is started from beside main.js now. */
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
    throw new BuildError(`the bundle does not start the Worker ${path}.ts: look at ${folder}`);
  }
}

/** What of deno.json holds at run time: without it there would be no fence. */
function writeSettings(repository: string, folder: string): void {
  const { unstable } = JSON.parse(Deno.readTextFileSync(`${repository}/deno.json`));
  const settings = { unstable, nodeModulesDir: "none", imports: { "#worker-options": "./main.js" } };
  Deno.writeTextFileSync(`${folder}/deno.json`, JSON.stringify(settings));
}
