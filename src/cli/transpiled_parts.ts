/**
 * Deno keeps the JavaScript of the modules it has transpiled in its cache. Behind the kernel fence it can read
 * that cache but not add to it: a part of the program that is first loaded there would be transpiled at every
 * start, and Deno would try for 150 ms to write the result. So when a source file is newer than the cache, the
 * server loads every part before the fence goes up, which fills the cache for this start and the next ones.
 */

export interface Transpiled {
  /** Where main.ts comes from. */
  readonly main: string;
  /** Deno's cache. */
  readonly cache: string;
}

/** What every part is loaded by. Its own JavaScript in the cache says by its time when that was done last. */
const EVERY_PART = "./src/runtime/every_part.ts";

export class TranspiledParts {
  readonly #main: URL;
  readonly #cache: string;

  constructor({ main, cache }: Transpiled) {
    this.#main = new URL(main);
    this.#cache = cache;
  }

  /**
   * Whether some part may have to be transpiled. The newest JavaScript of main.ts also shows a new version of
   * Deno, which takes nothing from an older one.
   */
  async areStale(): Promise<boolean> {
    const begun = timeOf(await this.#transpiled(this.#main));
    if (begun === undefined) return false; // nothing is transpiled, or the cache cannot be written
    const filled = timeOf(await this.#witness());
    if (filled === undefined || filled < begun) return true;
    if (this.#main.protocol !== "file:") return false;
    try {
      return hasNewer(new URL("./src/", this.#main), filled);
    } catch (error) {
      if (!(error instanceof Error)) throw error; // a folder has just been replaced
      return true;
    }
  }

  async markFresh(): Promise<void> {
    const now = new Date();
    try {
      Deno.utimeSync(await this.#witness(), now, now);
    } catch (error) {
      if (!(error instanceof Error)) throw error; // the cache cannot be written: the next start tries again
    }
  }

  #witness(): Promise<string> {
    return this.#transpiled(new URL(EVERY_PART, this.#main));
  }

  /** Where Deno keeps the JavaScript of a module. */
  async #transpiled({ protocol, hostname, port, pathname, search }: URL): Promise<string> {
    const gen = `${this.#cache}/gen/${protocol.slice(0, -1)}`;
    if (protocol === "file:") return `${gen}${decodeURIComponent(pathname)}.js`;
    const host = port === "" ? hostname : `${hostname}_PORT${port}`;
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(pathname + search));
    return `${gen}/${host}/${new Uint8Array(hash).toHex()}.js`;
  }
}

function timeOf(path: string | URL): number | undefined {
  try {
    return Deno.statSync(path).mtime?.getTime();
  } catch (error) {
    if (!(error instanceof Error)) throw error; // it is not there, or may not be looked at
    return undefined;
  }
}

function hasNewer(folder: URL, time: number): boolean {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (
      isDirectory ? hasNewer(new URL(`${name}/`, folder), time) : (timeOf(new URL(name, folder)) ?? 0) > time
    ) {
      return true;
    }
  }
  return false;
}
