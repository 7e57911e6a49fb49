/**
 * A real race: while a folder is swapped for a link that leads outside, and back, the file in it is read, listed
 * and written. Whatever the outcome of a call, nothing outside may be read or changed.
 */
import { assert, assertEquals } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import { ConfinedFile, readFolder } from "../../src/confine/confined_fs.ts";
import { isTempName } from "../../src/confine/path_rules.ts";
import { updateFile } from "../../src/engine/update_file.ts";
import { engineOn } from "../support/engine.ts";
import { onUnix } from "../support/needs.ts";
import { tempFolder } from "../support/temp.ts";
import type { Swapping } from "./swapper.ts";

const INSIDE = "inside";
const SECRET = "SECRET!";

/** Swaps until told to stop; then the folder is back in its place. */
class Attacker implements AsyncDisposable {
  readonly #worker = new Worker(new URL("./swapper.ts", import.meta.url), { type: "module" });
  readonly #counters = new SharedArrayBuffer(8);
  readonly #state = new Int32Array(this.#counters);
  readonly #stopped = Promise.withResolvers<void>();

  constructor(root: string, rests: number) {
    this.#worker.onmessage = () => this.#stopped.resolve();
    this.#worker.onerror = (event) => this.#stopped.reject(event.error ?? new Error(event.message));
    const swapping: Swapping = {
      folder: `${root}/dir`,
      link: `${root}/link`,
      aside: `${root}/aside`,
      rests,
      counters: this.#counters,
    };
    this.#worker.postMessage(swapping);
  }

  get swaps(): number {
    return Atomics.load(this.#state, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    Atomics.store(this.#state, 1, 1);
    await this.#stopped.promise;
    this.#worker.terminate();
  }
}

interface Fight {
  /** How long, at least. */
  ms: number;
  rests: number;
}

/** Repeats the call while the folder is being swapped. Refusals are fine; anything else is not. */
async function during(root: string, { ms, rests }: Fight, call: () => Promise<void>): Promise<void> {
  let refused = 0;
  await using attacker = new Attacker(root, rests);
  const begun = performance.now();
  // At least this long; and however slow the machine, until the race was real, but not for ever.
  for (;;) {
    const passed = performance.now() - begun;
    if (passed > 30_000 || (passed > ms && attacker.swaps > 200 && refused > 20)) break;
    try {
      await call();
    } catch (error) {
      if (!(error instanceof PaddockError)) throw error;
      assert(!error.message.includes(root), error.message);
      refused++;
    }
  }
  assert(attacker.swaps > 200 && refused > 20, `no fight: ${attacker.swaps} swaps, ${refused} refusals`);
}

function battlefield() {
  const folder = tempFolder();
  folder.write("root/dir/file", INSIDE);
  folder.write("outside/file", SECRET);
  folder.write("outside/secret_name", SECRET);
  Deno.symlinkSync("../outside", `${folder.path}/root/link`);
  const engine = engineOn({ name: "root", path: `${folder.path}/root`, git: "open", nested: [] });
  return { ...folder, ...engine };
}

async function read(file: ConfinedFile): Promise<string> {
  const buffer = new Uint8Array(100);
  return await new Response(buffer.slice(0, file.readAt(buffer, 0))).text();
}

Deno.test({
  ...onUnix(
    "ConfinedFile.open never returns a byte from outside when a folder is swapped for a link meanwhile",
  ),
  fn: async () => {
    using field = battlefield();
    await during(field.root.path, { ms: 700, rests: 0 }, async () => {
      using file = await ConfinedFile.open(field.at("dir/file"));
      assertEquals([await read(file), file.size], [INSIDE, INSIDE.length]);
    });
    using file = await ConfinedFile.open(field.at("dir/file"));
    assertEquals(await read(file), INSIDE);
  },
});

Deno.test({
  ...onUnix("readFolder never returns a name from outside when a folder is swapped for a link meanwhile"),
  fn: async () => {
    using field = battlefield();
    await during(field.root.path, { ms: 700, rests: 0 }, () => {
      assertEquals(readFolder(field.at("dir")).map(({ name }) => name), ["file"]);
      return Promise.resolve();
    });
  },
});

Deno.test({
  ...onUnix("updateFile never reads or changes a file outside when a folder is swapped for a link meanwhile"),
  fn: async () => {
    using field = battlefield();
    const seen = new Set<string>();
    await during(field.root.path, { ms: 2_000, rests: 0.02 }, async () => {
      await updateFile(field.at("dir/file"), async (current) => {
        if (current !== undefined) seen.add(await read(current));
        return new TextEncoder().encode(INSIDE);
      }, field.changing);
    });
    assertEquals([...seen].filter((text) => text !== INSIDE), []);
    assertEquals([field.read("outside/file"), field.read("outside/secret_name")], [SECRET, SECRET]);
    // What can be left outside is an empty temporary file: one that was created just when the link was in place, and
    // could not be removed because the link was not in place again for a while.
    const left = field.names().filter((name) =>
      /^outside\/./.test(name) && !/\/(file|secret_name)$/.test(name)
    );
    for (const name of left) {
      assert(isTempName(name.slice("outside/".length)), name);
      assertEquals(field.read(name), "");
    }
  },
});
