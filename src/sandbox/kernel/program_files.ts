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
  standalone: boolean;
}

/** From the repository's folder when it was cloned; from the runtime's cache when it comes from a registry. */
export function programFiles({ main, env, standalone }: Surroundings): ProgramFiles {
  if (standalone) return [];
  const cache = cacheFolder(env);
  const isLocal = main.startsWith("file:");
  const program = isLocal ? [decodeURIComponent(new URL("./", main).pathname).replace(/\/$/, "")] : [];
  if (cache === undefined) return program;
  return [...program, isLocal ? `${cache}/npm` : cache]; // a clone has only its packages there
}

/** As Deno looks for it on Linux. */
function cacheFolder(env: Surroundings["env"]): string | undefined {
  const given = env("DENO_DIR");
  if (given?.startsWith("/")) return given;
  const caches = env("XDG_CACHE_HOME");
  if (caches?.startsWith("/")) return `${caches}/deno`;
  const home = env("HOME");
  return home?.startsWith("/") ? `${home}/.cache/deno` : undefined;
}
