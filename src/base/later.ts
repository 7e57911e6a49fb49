/** Work for later that nobody waits for: a process that has nothing else to do ends without it. */
export function later(work: () => void, delayMs: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(work, delayMs);
  Deno.unrefTimer(timer);
  return timer;
}
