/**
 * Makes the manifests of a release for package managers and registries: `deno task manifests`, into dist/manifests/,
 * from the checksums in dist/SHA256SUMS, which it updates first.
 */
import { NAME } from "../../src/base/version.ts";
import { writeSums } from "../archive.ts";
import { DIST } from "../project.ts";
import { BuildError } from "../run_deno.ts";
import { pkgbuild, srcinfo } from "./aur.ts";
import { homebrewFormula } from "./homebrew.ts";
import { scoopManifest } from "./scoop.ts";
import { serverJson } from "./server_json.ts";
import { readSums, type Sums } from "./sums.ts";
import { wingetManifests } from "./winget.ts";

/** Every file by its path. */
export function manifests(sums: Sums): Record<string, string> {
  const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;
  const winget = Object.entries(wingetManifests(sums)).map(([name, text]) => [`winget/${name}`, text]);
  return {
    "server.json": json(serverJson(sums)),
    [`homebrew/${NAME}.rb`]: homebrewFormula(sums),
    [`scoop/${NAME}.json`]: json(scoopManifest(sums)),
    ...Object.fromEntries(winget),
    "aur/PKGBUILD": pkgbuild(sums),
    "aur/.SRCINFO": srcinfo(sums),
  };
}

/** Writes them into a folder; returns their paths. */
export function writeManifests(sums: Sums, folder: string): string[] {
  return Object.entries(manifests(sums)).map(([name, text]) => {
    const path = `${folder}/${name}`;
    Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    Deno.writeTextFileSync(path, text);
    return path;
  });
}

if (import.meta.main) {
  try {
    await writeSums(DIST);
    const sums = readSums(Deno.readTextFileSync(`${DIST}/SHA256SUMS`));
    for (const path of writeManifests(sums, `${DIST}/manifests`)) console.log(path);
  } catch (error) {
    if (!(error instanceof BuildError || error instanceof Deno.errors.NotFound)) throw error;
    console.error(`error: ${error.message}`);
    Deno.exit(1);
  }
}
