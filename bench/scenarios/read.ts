// Many small reads, one after the other: the cost of a call. Once in a folder that is left alone, and once in one
// that changes before every read, like the folder of an agent at work.

import { join } from "@std/path/join";
import { sampleText } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";
import type { Session } from "../session.ts";

const READS = 1_000;
const FILE = "alone/small.txt";
const CHANGING = "changing/small.txt";
const TEXT = sampleText(1024);

export const read: Scenario = {
  name: "read",
  rounds: 7,
  forAnyServer: true,
  rows: [
    { key: "total", label: "1,000 reads of 1 KiB", unit: "ms", target: 0.6 },
    { key: "changing", label: "1,000 reads of 1 KiB, in a folder just changed", unit: "ms", target: 0.6 },
  ],
  note: "the time of the changes themselves is not counted",
  prepare(dir) {
    for (const file of [FILE, CHANGING]) {
      Deno.mkdirSync(join(dir, file, ".."));
      Deno.writeTextFileSync(join(dir, file), TEXT);
    }
  },
  async verify(session) {
    const client = await session.client();
    const text = await client.callTool(session.server.read({ dir: session.dir, path: FILE }));
    if (text !== TEXT) throw new Error(`${session.server.name} returned a text other than the file's`);
  },
  async round(session) {
    const sibling = join(session.dir, CHANGING, "..", "sibling");
    return {
      total: await reads(session, FILE, () => {}),
      changing: await reads(session, CHANGING, () => {
        Deno.writeTextFileSync(sibling, "");
        Deno.removeSync(sibling);
      }),
    };
  },
};

/** The time of all calls, without what precedes each. */
async function reads(session: Session, path: string, before: () => void): Promise<number> {
  const client = await session.client();
  const call = session.server.read({ dir: session.dir, path });
  let total = 0;
  for (let i = 0; i < READS; i++) {
    before();
    const start = performance.now();
    await client.callTool(call);
    total += performance.now() - start;
  }
  return total;
}
