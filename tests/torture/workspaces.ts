/**
 * The tests of crash_test.ts at full length: 4 processes × 100 writes to one workspace, and 100 × kill -9 in a
 * stream of writes. `deno run -A tests/torture/workspaces.ts [WRITES] [KILLS]`
 */
import { checkKills, checkManyWriters } from "../e2e/workspaces/crash.ts";
import { tempFolder } from "../support/temp.ts";

const [writes = 100, kills = 100] = Deno.args.map(Number);

async function timed(what: string, run: (root: string) => Promise<void>): Promise<void> {
  using folder = tempFolder();
  const begun = performance.now();
  await run(folder.path);
  console.log(`${what}: ok, ${((performance.now() - begun) / 1000).toFixed(1)} s`);
}

await timed(`4 processes × ${writes} writes`, (root) => checkManyWriters(root, { servers: 4, writes }));
await timed(`${kills} × kill -9`, (root) => checkKills(root, { kills }));
