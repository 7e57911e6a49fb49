/** Deno caches that have a few packages and nothing else, so that a test adds nothing to the real one. */
import { cpSync } from "node:fs";

/** What the server itself needs. */
export const SERVERS_PACKAGES = [
  "@modelcontextprotocol/core",
  "@modelcontextprotocol/server",
  "deno-std",
  "jsonc-parser",
  "node-diff3",
  "yaml",
  "zod",
];

/** A Deno cache with these packages from the current one, and no others. */
export async function cacheWith(packages: readonly string[], folder: string): Promise<void> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { npmCache } = JSON.parse(new TextDecoder().decode(stdout));
  for (const { name: registry } of Deno.readDirSync(npmCache)) {
    for (const name of packages) {
      // Copies, because Deno treats a package behind a link as not prepared.
      cpSync(`${npmCache}/${registry}/${name}`, `${folder}/npm/${registry}/${name}`, { recursive: true });
    }
  }
}
