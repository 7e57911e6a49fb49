/**
 * Exchanges a folder and a link from a separate thread while a call is in progress; at the end the folder is back in
 * its place.
 */
import { Mode, State, type Swapping } from "./swapper.ts";

const PATIENCE_MS = 10_000;

export class Attacker implements Disposable {
  readonly #worker = new Worker(new URL("./swapper.ts", import.meta.url), { type: "module" });
  readonly #state = new Int32Array(new SharedArrayBuffer(12));
  readonly #folder: string;
  readonly #link: string;
  readonly #outside: string;

  constructor({ folder, link, outside }: { folder: string; link: string; outside: string }) {
    this.#folder = folder;
    this.#link = link;
    this.#outside = outside;
    Deno.symlinkSync(outside, link);
    Atomics.store(this.#state, State.wanted, Mode.rest);
    const state = this.#state.buffer as SharedArrayBuffer;
    this.#worker.postMessage({ folder, link, state } satisfies Swapping);
  }

  get swaps(): number {
    return Atomics.load(this.#state, State.swaps);
  }

  async during<T>(call: () => Promise<T>): Promise<T> {
    this.#want(Mode.swap);
    try {
      return await call();
    } finally {
      this.#want(Mode.rest);
      await this.#until(Mode.rest);
      this.#putRight();
    }
  }

  #want(mode: number): void {
    Atomics.store(this.#state, State.wanted, mode);
    Atomics.notify(this.#state, State.wanted);
  }

  async #until(mode: number): Promise<void> {
    for (const begun = Date.now();;) {
      const now = Atomics.load(this.#state, State.is);
      if (now === mode) return;
      if (Date.now() - begun > PATIENCE_MS) throw new Error("the attacker does not answer");
      await Atomics.waitAsync(this.#state, State.is, now, 100).value;
    }
  }

  /** A call can have moved or removed the folder, or the link that replaced it: then the two are not exchanged back. */
  #putRight(): void {
    if (isLink(this.#link) === false) {
      if (isLink(this.#folder) !== undefined) Deno.removeSync(this.#folder, { recursive: true });
      Deno.renameSync(this.#link, this.#folder);
    }
    if (isLink(this.#folder) === true) Deno.removeSync(this.#folder);
    if (isLink(this.#link) === undefined) Deno.symlinkSync(this.#outside, this.#link);
  }

  [Symbol.dispose](): void {
    this.#want(Mode.stop);
    this.#worker.terminate();
  }
}

/** Undefined if there is nothing. */
function isLink(path: string): boolean | undefined {
  try {
    return Deno.lstatSync(path).isSymlink;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
