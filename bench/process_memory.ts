// How much memory a process holds, according to the kernel. Linux only: elsewhere the figure is left out of the
// results rather than estimated.

/** Resident bytes now, and at the peak. */
export interface Memory {
  readonly rss: number;
  readonly peak: number;
}

export function processMemory(pid: number): Memory | undefined {
  if (Deno.build.os !== "linux") return undefined;
  try {
    const status = Deno.readTextFileSync(`/proc/${pid}/status`);
    const rss = field(status, "VmRSS");
    const peak = field(status, "VmHWM");
    return rss === undefined || peak === undefined ? undefined : { rss, peak };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined; // the process has ended
    throw error;
  }
}

function field(status: string, name: string): number | undefined {
  const kib = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1];
  return kib === undefined ? undefined : Number(kib) * 1024;
}
