/** The log lines of a server started with --log-format=json, and what the system reports about it. */

export type LogLine = Record<string, unknown>;

/** All lines with this event. */
export function linesOf(log: string, event: string): LogLine[] {
  return log.split("\n").filter((line) => line.startsWith("{")).map((line): LogLine => JSON.parse(line))
    .filter((line) => line.event === event);
}

/** The closing counts of a server that has ended. */
export function totals(log: string): { requests: unknown; errors: unknown } {
  const [stopped] = linesOf(log, "server_stopped");
  return { requests: stopped?.total_requests, errors: stopped?.total_errors };
}

/** A memory figure of a process in bytes, from Linux: VmRSS now, VmHWM at most so far. */
export function memoryOf(pid: number, figure: "VmRSS" | "VmHWM"): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(new RegExp(`^${figure}:\\s*(\\d+) kB`, "m").exec(status)?.[1]) * 1024;
}
