/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/**
 * The attacker: exchanges a folder and a link that leads outside, in one system call (renameat2 with
 * RENAME_EXCHANGE), so that the name is never missing. How long each stays is random over three orders of magnitude:
 * some exchanges fall between two system calls of the victim, whatever it does.
 */

export interface Swapping {
  /** The folder and the link; they exchange their names. */
  folder: string;
  link: string;
  /** See State. */
  state: SharedArrayBuffer;
}

/** The state that the two sides share: how many exchanges there and back so far, what to do, and what is done. */
export const State = { swaps: 0, wanted: 1, is: 2 } as const;
export const Mode = { swap: 0, rest: 1, stop: 2 } as const;

const AT_FDCWD = -100;
const RENAME_EXCHANGE = 2;
/** In milliseconds: how long the folder stays, and the link. */
const FOLDER_STAYS = { least: 0.01, most: 4 };
const LINK_STAYS = { least: 0.002, most: 0.3 };

const libc = Deno.dlopen("libc.so.6", {
  renameat2: { parameters: ["i32", "buffer", "i32", "buffer", "u32"], result: "i32" },
});

const pathOf = (text: string) => new TextEncoder().encode(`${text}\0`);

self.onmessage = ({ data }: MessageEvent<Swapping>) => {
  const state = new Int32Array(data.state);
  const [folder, link] = [pathOf(data.folder), pathOf(data.link)];
  const isWanted = () => Atomics.load(state, State.wanted) === Mode.swap;
  const wait = ({ least, most }: typeof LINK_STAYS) => {
    const until = performance.now() + least * (most / least) ** Math.random();
    while (performance.now() < until && isWanted());
  };
  /** Fails while the victim has moved the folder away. */
  const exchange = () => libc.symbols.renameat2(AT_FDCWD, folder, AT_FDCWD, link, RENAME_EXCHANGE) === 0;
  while (Atomics.load(state, State.wanted) !== Mode.stop) {
    Atomics.store(state, State.is, Mode.rest);
    Atomics.notify(state, State.is);
    Atomics.wait(state, State.wanted, Mode.rest);
    Atomics.store(state, State.is, Mode.swap);
    while (isWanted()) {
      wait(FOLDER_STAYS);
      if (!exchange()) continue;
      wait(LINK_STAYS);
      exchange();
      Atomics.add(state, State.swaps, 1);
    }
  }
  Atomics.store(state, State.is, Mode.stop);
  Atomics.notify(state, State.is);
};
