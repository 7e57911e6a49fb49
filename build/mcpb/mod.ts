/**
 * Makes bundles for one-click installs: `deno task mcpb`, one `.mcpb` into dist/ for each executable that exists,
 * checked and packed by the format's own tools.
 */
import { packExtension, validateManifest } from "@anthropic-ai/mcpb";
import { DIST, FOLDER } from "../project.ts";
import { BuildError } from "../run_deno.ts";
import { compiledIn, type Target } from "../targets.ts";
import { bundleManifest, bundleName, entryPoint } from "./manifest.ts";

/** The paths of the bundles. */
export async function makeBundles(dist: string): Promise<string[]> {
  const made: string[] = [];
  for (const { target, path } of compiledIn(dist)) made.push(await makeBundle(target, { path, dist }));
  return made;
}

async function makeBundle(target: Target, { path, dist }: { path: string; dist: string }): Promise<string> {
  const folder = Deno.makeTempDirSync({ prefix: "paddock-mcpb-" });
  try {
    Deno.mkdirSync(`${folder}/server`);
    Deno.copyFileSync(path, `${folder}/${entryPoint(target)}`);
    if (Deno.build.os !== "windows") Deno.chmodSync(`${folder}/${entryPoint(target)}`, 0o755);
    Deno.copyFileSync(`${FOLDER}/LICENSE`, `${folder}/LICENSE`);
    const manifest = `${folder}/manifest.json`;
    Deno.writeTextFileSync(manifest, `${JSON.stringify(bundleManifest(target), undefined, 2)}\n`);
    const output = `${dist}/${bundleName(target)}`;
    const isPacked = await quietly(async () =>
      validateManifest(manifest) &&
      await packExtension({ extensionPath: folder, outputPath: output, silent: true })
    );
    if (!isPacked.value) throw new BuildError(`${bundleName(target)} could not be packed:\n${isPacked.said}`);
    return output;
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** The tools print what they do; that matters only if they fail. */
async function quietly<T>(work: () => Promise<T>): Promise<{ value: T; said: string }> {
  const said: string[] = [];
  const { log, error, warn } = console;
  console.log = console.error = console.warn = (...words: unknown[]) =>
    void said.push(words.map(String).join(" "));
  try {
    return { value: await work(), said: said.join("\n") };
  } finally {
    Object.assign(console, { log, error, warn });
  }
}

if (import.meta.main) {
  const made = await makeBundles(DIST);
  if (made.length === 0) {
    console.error("error: there is no executable in dist/: run deno task compile first");
    Deno.exit(1);
  }
  for (const path of made) console.log(`${path}  ${(Deno.statSync(path).size / 1e6).toFixed(1)} MB`);
}
