/**
 * Timers for what happens before a thread's first answers. Its first `setTimeout` takes the runtime 10 ms or more,
 * because it loads Node's timers for it; a signal that times out takes less than one.
 */

export interface Timer {
  clear(): void;
}

/** Calls `work` once, in so many milliseconds. */
export function after(ms: number, work: () => void): Timer {
  const signal = AbortSignal.timeout(Math.max(0, Math.ceil(ms)));
  signal.addEventListener("abort", work, { once: true });
  return { clear: () => signal.removeEventListener("abort", work) };
}

/** Calls `work` every so many milliseconds. */
export function every(ms: number, work: () => void): Timer {
  const step = () => {
    timer = after(ms, step);
    work();
  };
  let timer = after(ms, step);
  return { clear: () => timer.clear() };
}
