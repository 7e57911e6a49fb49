/**
 * Makes the npm packages: `deno task npm`, into dist/npm/, from the executables in dist/. The package that people
 * install is always made, those of the systems only if their executables exist. Needs npm.
 */
import { run } from "../run.ts";
import { BuildError } from "../run_deno.ts";
import { DIST, FOLDER } from "../project.ts";
import { compiledIn, executableName } from "../targets.ts";
import { LAUNCHER, mainPackage, type PackageJson, platformPackage, readmeOf } from "./packages.ts";

export interface Packed {
  readonly name: string;
  readonly tarball: string;
}

/** Packs everything that can be packed; the packages of the systems come first, in the order of publishing. */
export async function makeNpmPackages(dist: string): Promise<Packed[]> {
  const into = `${dist}/npm`;
  await Deno.remove(into, { recursive: true }).catch(() => {}); // there was none
  const packages = compiledIn(dist).map(({ target, path }): [PackageJson, Files] => [
    platformPackage(target),
    { [`bin/${executableName(target)}`]: path },
  ]);
  const launcher: Files = { [LAUNCHER]: `${FOLDER}/build/npm/launcher.cjs` };
  const packed: Packed[] = [];
  for (const [json, files] of [...packages, [mainPackage(), launcher] as const]) {
    packed.push(await pack(json, { files, into }));
  }
  return packed;
}

/** Where each file of a package comes from; all of them are programs. */
type Files = Record<string, string>;

async function pack(json: PackageJson, { files, into }: { files: Files; into: string }): Promise<Packed> {
  const folder = `${into}/${json.name.replace("@", "").replace("/", "-")}`;
  Deno.mkdirSync(`${folder}/bin`, { recursive: true });
  Deno.writeTextFileSync(`${folder}/package.json`, `${JSON.stringify(json, undefined, 2)}\n`);
  Deno.writeTextFileSync(`${folder}/README.md`, readmeOf(json));
  Deno.copyFileSync(`${FOLDER}/LICENSE`, `${folder}/LICENSE`);
  for (const [name, from] of Object.entries(files)) {
    Deno.copyFileSync(from, `${folder}/${name}`);
    if (Deno.build.os !== "windows") Deno.chmodSync(`${folder}/${name}`, 0o755);
  }
  const told = await run(["npm", "pack", "--json", "--ignore-scripts", `--pack-destination=${into}`], {
    cwd: folder,
  });
  return { name: json.name, tarball: `${into}/${tarballIn(told)}` };
}

/** npm describes each package as an element of a list or, since version 12, by its name. */
function tarballIn(told: string): string {
  const [first] = Object.values(JSON.parse(told) as Record<string, { filename: string }>);
  if (first === undefined) throw new BuildError(`npm pack reported no package: ${told}`);
  return first.filename.replace("@", "").replace("/", "-");
}

if (import.meta.main) {
  try {
    for (const { tarball } of await makeNpmPackages(DIST)) {
      console.log(`${tarball}  ${(Deno.statSync(tarball).size / 1e6).toFixed(3)} MB`);
    }
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    console.error(`error: ${error.message}`);
    Deno.exit(1);
  }
}
