// Installs an npm package once, in a cache folder beside the benchmarks, so that starting it later costs only its own
// start. The cache ignores itself in git.

import { join } from "@std/path/join";

const CACHE = join(import.meta.dirname ?? ".", ".cache");

/** Returns the package's folder. */
export async function installPeer(
  wanted: { name: string; version: string; signal: AbortSignal },
): Promise<string> {
  const folder = join(CACHE, "node_modules", wanted.name);
  if (installedVersion(folder) === wanted.version) return folder;
  Deno.mkdirSync(CACHE, { recursive: true });
  Deno.writeTextFileSync(join(CACHE, ".gitignore"), "*\n");
  console.error(`Installing ${wanted.name}@${wanted.version} …`);
  const npm = new Deno.Command(Deno.build.os === "windows" ? "npm.cmd" : "npm", {
    args: ["install", "--prefix", CACHE, "--save-exact", "--no-audit", "--no-fund"]
      .concat(`${wanted.name}@${wanted.version}`),
    stdin: "null",
    signal: wanted.signal,
  });
  const { success, stderr } = await npm.output();
  if (!success) throw new Error(`npm install failed: ${new TextDecoder().decode(stderr).trim()}`);
  if (installedVersion(folder) !== wanted.version) {
    throw new Error(`npm did not put ${wanted.name}@${wanted.version} into ${CACHE}`);
  }
  return folder;
}

function installedVersion(folder: string): string | undefined {
  try {
    const manifest: { version?: string } = JSON.parse(Deno.readTextFileSync(join(folder, "package.json")));
    return manifest.version;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
