/**
 * The files that the runtime reads while the program runs: modules that are loaded late, and their packages'
 * metadata. A compiled executable contains all of them.
 */
import type { ProgramFiles } from "./rules.ts";

export interface Surroundings {
  /** Where main.ts comes from. */
  main: string;
  /** An environment variable, if it may be read. */
  env: (name: string) => string | undefined;
  /** The user's home, for when no variable names it. */
  home: () => string | undefined;
  /** The folder the process was started in. */
  folder: string;
  standalone: boolean;
}

/**
 * For a clone, the repository's folder and its packages; from a registry, the runtime's cache and the
 * `node_modules` of the project it was started in. Undefined where the cache cannot be located.
 */
export function programFiles(
  { main, env, home, folder, standalone }: Surroundings,
): ProgramFiles | undefined {
  if (standalone) return [];
  const cache = cacheFolder({ env, home, folder });
  if (cache === undefined) return undefined;
  if (!main.startsWith("file:")) {
    return [
      cache,
      ...foldersAbove(folder).map((above) => `${above}/node_modules`),
    ];
  }
  const program = decodeURIComponent(new URL("./", main).pathname).replace(/\/$/, "");
  return [program, `${cache}/npm`, `${cache}/gen`]; // packages, and the JavaScript of the program's modules
}

/** Deno's cache, where Deno has it on Linux. */
export function cacheFolder(
  { env, home, folder }: Pick<Surroundings, "env" | "home" | "folder">,
): string | undefined {
  const given = env("DENO_DIR");
  if (given) return given.startsWith("/") ? given : folder === "" ? undefined : `${folder}/${given}`;
  const caches = env("XDG_CACHE_HOME");
  if (caches?.startsWith("/")) return `${caches}/deno`;
  const own = env("HOME") || home();
  return own?.startsWith("/") ? `${own}/.cache/deno` : undefined;
}

/** The folder and all above it, except the root. */
function foldersAbove(folder: string): string[] {
  const names = folder.split("/").filter((name) => name !== "");
  return names.map((_, i) => `/${names.slice(0, i + 1).join("/")}`).reverse();
}
