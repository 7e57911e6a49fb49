// Listing a large folder: the cost of many entries and a long answer.

import { join } from "@std/path/join";
import { sampleText } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";

const CALLS = 20;
const FOLDER = "many";
const NAMES = Array.from({ length: 1_000 }, (_, i) => `entry_${String(i).padStart(4, "0")}.txt`);

export const list: Scenario = {
  name: "list",
  rounds: 7,
  forAnyServer: true,
  rows: [{ key: "total", label: "20 listings of 1,000 files", unit: "ms", target: 0.6 }],
  note: "both give names, types and sizes; paddock also gives modification times, as JSON",
  prepare(dir) {
    const folder = join(dir, FOLDER);
    Deno.mkdirSync(folder);
    NAMES.forEach((name, i) => Deno.writeTextFileSync(join(folder, name), sampleText(i)));
  },
  async verify(session) {
    const client = await session.client();
    const text = await client.callTool(session.server.list({ dir: session.dir, path: FOLDER }));
    const missing = NAMES.filter((name) => !text.includes(name));
    if (missing.length > 0) {
      throw new Error(`${session.server.name} left out ${missing.length} of ${NAMES.length} names`);
    }
  },
  async round(session) {
    const client = await session.client();
    const call = session.server.list({ dir: session.dir, path: FOLDER });
    const start = performance.now();
    for (let i = 0; i < CALLS; i++) await client.callTool(call);
    return { total: performance.now() - start };
  },
};
