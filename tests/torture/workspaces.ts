/**
 * The tests of crash_test.ts at full length: 4 processes × 100 writes to one workspace, 100 × kill -9 in a stream of
 * writes, and 100 × kill -9 in the middle of 200 changes at once.
 * `deno run -A tests/torture/workspaces.ts [WRITES] [KILLS] [APPLY_KILLS] [SEED]`
 */
import { applyKillRounds } from "../e2e/workspaces/apply_kills.ts";
import { checkKills, checkManyWriters } from "../e2e/workspaces/crash.ts";
import { seeded } from "../support/random.ts";
import { tempFolder } from "../support/temp.ts";

const [writes = 100, kills = 100, applyKills = 100, seed = Date.now()] = Deno.args.map(Number);

async function timed(what: string, run: (root: string) => Promise<void>): Promise<void> {
  using folder = tempFolder();
  const begun = performance.now();
  await run(folder.path);
  console.log(`${what}: ok, ${((performance.now() - begun) / 1000).toFixed(1)} s`);
}

if (writes > 0) {
  await timed(`4 processes × ${writes} writes`, (root) => checkManyWriters(root, { servers: 4, writes }));
}
if (kills > 0) await timed(`${kills} × kill -9`, (root) => checkKills(root, { kills }));
await timed(`${applyKills} × kill -9 in 200 changes at once, seed ${seed}`, async (root) => {
  const random = seeded(seed);
  console.log(await applyKillRounds({ root, kills: applyKills, operations: 200, random }));
});
