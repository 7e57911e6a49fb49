/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/**
 * The attacker of race_test.ts: swaps a folder for a link that leads outside, and back, as fast as it can. It removes
 * what the other side creates while the folder is missing for a moment.
 */

export interface Swapping {
  /** The folder, the link, and where the one that is not in place is kept. */
  folder: string;
  link: string;
  aside: string;
  /** How often, of all swaps, the folder is left alone afterwards for a few milliseconds. */
  rests: number;
  /** How many swaps so far, and whether to stop. */
  counters: SharedArrayBuffer;
}

function move(from: string, to: string): void {
  for (;;) {
    try {
      Deno.renameSync(from, to);
      return;
    } catch {
      try {
        Deno.removeSync(to, { recursive: true }); // a folder that was created in its place
      } catch { /* in use at this moment */ }
    }
  }
}

function rest(ms: number): void {
  const until = performance.now() + Math.random() * ms;
  while (performance.now() < until);
}

self.onmessage = ({ data: { folder, link, aside, rests, counters } }: MessageEvent<Swapping>) => {
  const state = new Int32Array(counters);
  while (Atomics.load(state, 1) === 0) {
    move(folder, aside);
    move(link, folder);
    rest(0.02);
    move(folder, link);
    move(aside, folder);
    rest(Math.random() < rests ? 5 : 0.02);
    Atomics.add(state, 0, 1);
  }
  self.postMessage("stopped");
};
