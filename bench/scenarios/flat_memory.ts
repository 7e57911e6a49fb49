// The memory that the flat surface's specification allows, and the minimum that a runtime with V8 takes before it
// has done anything. Linux only, like all memory figures.

import { join } from "@std/path/join";
import { sampleText } from "../fixtures.ts";
import { startFlat } from "../flat_client.ts";
import { processMemory } from "../process_memory.ts";
import type { Scenario } from "../scenario.ts";
import type { Session } from "../session.ts";

const MIB = 1024 * 1024;
const REQUESTS = 10_000;
const SETTLED_MS = 10_000;

export const flatMemory: Scenario = {
  name: "flat-memory",
  rounds: 1,
  rows: [
    { key: "floor", label: "Deno, doing nothing", unit: "MiB" },
    { key: "idle", label: "idle, after the first call", unit: "MiB", limit: 5 },
    { key: "request", label: "most during reads of 1 MiB, above idle", unit: "MiB", limit: 2 },
    { key: "after", label: "after 10,000 requests, above idle", unit: "MiB" },
    { key: "growth", label: "more after 10,000 requests than after 5,000", unit: "MiB", limit: 5 },
    { key: "settled", label: "10 s later, above idle", unit: "MiB" },
    { key: "executable", label: "size of the executable", unit: "MiB", limit: 10 },
  ],
  note:
    "V8's heap grows before it collects, so neither 5 MiB idle nor file + 1 MiB for a request can be met on " +
    "this runtime; the floor is what it takes for nothing. The executable is measured with --paddock=COMMAND; " +
    "a compiled program that does nothing is 84 MB",
  prepare(dir) {
    Deno.writeTextFileSync(join(dir, "small.txt"), sampleText(1024));
    Deno.writeTextFileSync(join(dir, "medium.txt"), sampleText(MIB));
    Deno.writeTextFileSync(join(dir, "nothing.ts"), "await Deno.stdin.read(new Uint8Array(1));\n");
  },
  async round(session) {
    if (session.server.side === "peer" || Deno.build.os !== "linux") return {};
    await using client = await startFlat(session, session.dir);
    const read = (name: string) => client.callTool({ name: "read_file", arguments: { name } });
    const rss = () => (client.memory()?.rss ?? NaN) / MIB;
    await read("small.txt");
    await pause(500);
    const idle = rss();
    for (let i = 0; i < 20; i++) await read("medium.txt");
    const request = (client.memory()?.peak ?? NaN) / MIB - idle;
    const repeat = async () => {
      for (let i = 0; i < REQUESTS / 2; i++) await read("small.txt");
      return rss();
    };
    const [half, after] = [await repeat(), await repeat()];
    await pause(SETTLED_MS);
    const settled = rss() - idle;
    return {
      floor: await floor(session),
      idle,
      request,
      after: after - idle,
      growth: after - half,
      settled,
      ...executableSize(session),
    };
  },
};

/** What the runtime holds if it starts, waits for its input and does nothing else. */
async function floor({ dir }: Session): Promise<number> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-config", join(dir, "nothing.ts")],
    stdin: "piped",
    stdout: "null",
    stderr: "null",
  }).spawn();
  await pause(1_000);
  const memory = processMemory(child.pid);
  await child.stdin.close();
  await child.status;
  return (memory?.rss ?? NaN) / MIB;
}

/** Left out if paddock runs from its source. */
function executableSize({ server, dir }: Session): { executable?: number } {
  const { command, args } = server.launch(dir);
  return args.length === 1 ? { executable: Deno.statSync(command).size / MIB } : {};
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
