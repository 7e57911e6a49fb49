/**
 * The files that the runtime reads for us once the program runs: modules that are loaded late, and what their
 * packages say of themselves. An executable has all of them inside.
 */
import { type ProgramFiles } from "./rules.ts";

export interface Surroundings {
  /** Where main.ts comes from. */
  main: string;
  /** An environment variable, as far as it may be read. */
  env: (name: string) => string | undefined;
  /** The user's home, where no variable tells. */
  home: () => string | undefined;
  /** The folder that the process was started in. */
  folder: string;
  standalone: boolean;
}

/**
 * From the repository's folder when it was cloned; from the runtime's cache when it comes from a registry, and then
 * packages may also be those of the project that it was started in. Undefined where the cache cannot be told.
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
  return [program, `${cache}/npm`]; // a clone has only its packages there
}

/** As Deno looks for it on Linux. */
function cacheFolder(
  { env, home, folder }: Pick<Surroundings, "env" | "home" | "folder">,
): string | undefined {
  const given = env("DENO_DIR");
  if (given) return given.startsWith("/") ? given : folder === "" ? undefined : `${folder}/${given}`;
  const caches = env("XDG_CACHE_HOME");
  if (caches?.startsWith("/")) return `${caches}/deno`;
  const own = env("HOME") || home();
  return own?.startsWith("/") ? `${own}/.cache/deno` : undefined;
}

/** The folder and all above it, but the topmost. */
function foldersAbove(folder: string): string[] {
  const names = folder.split("/").filter((name) => name !== "");
  return names.map((_, i) => `/${names.slice(0, i + 1).join("/")}`).reverse();
}
