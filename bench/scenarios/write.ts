// Overwriting a small file many times. Each content is new, and the last one must be in the file after a round,
// so that no server gains by not doing its work.

import { join } from "@std/path/join";
import { sampleText } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";

const FILE = "written.txt";
const CONTENTS = Array.from({ length: 200 }, (_, i) => sampleText(1024, i));

export const write: Scenario = {
  name: "write",
  rounds: 5,
  forAnyServer: true,
  rows: [{ key: "total", label: "200 writes of 1 KiB", unit: "ms" }],
  note:
    "both replace the file by a rename; paddock fsyncs file and folder before it answers and keeps what was there for undo, the peers do not",
  prepare(dir) {
    Deno.writeTextFileSync(join(dir, FILE), "");
  },
  async round(session) {
    const client = await session.client();
    const calls = CONTENTS.map((content) => session.server.write({ dir: session.dir, path: FILE }, content));
    const start = performance.now();
    for (const call of calls) await client.callTool(call);
    const total = performance.now() - start;
    if (Deno.readTextFileSync(join(session.dir, FILE)) !== CONTENTS.at(-1)) {
      throw new Error(`${session.server.name} did not write what it was given`);
    }
    return { total };
  },
};
