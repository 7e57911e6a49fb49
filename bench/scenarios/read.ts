// Many small reads, one after the other: the cost of a call.

import { join } from "@std/path/join";
import { sampleText } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";

const READS = 1_000;
const FILE = "small.txt";
const TEXT = sampleText(1024);

export const read: Scenario = {
  name: "read",
  rounds: 5,
  rows: [{ key: "total", label: "1,000 reads of 1 KiB", unit: "ms", target: 1 }],
  prepare(dir) {
    Deno.writeTextFileSync(join(dir, FILE), TEXT);
  },
  async verify(session) {
    const client = await session.client();
    const text = await client.callTool(session.server.read({ dir: session.dir, path: FILE }));
    if (text !== TEXT) throw new Error(`${session.server.name} gave another text than the file's`);
  },
  async round(session) {
    const client = await session.client();
    const call = session.server.read({ dir: session.dir, path: FILE });
    const start = performance.now();
    for (let i = 0; i < READS; i++) await client.callTool(call);
    return { total: performance.now() - start };
  },
};
