/** `deno task torture --apply`: a server killed again and again during 200 changes at once: all of them, or none. */
import { applyKillRounds } from "../e2e/undo/apply_kills.ts";
import { contentOf } from "../e2e/undo/random_changes.ts";
import type { Random } from "../support/random.ts";
import { tempFolder } from "../support/temp.ts";

const OPERATIONS = 200;
const FILES = 100;
/** Each on its own root. */
const LANES = 4;

/** What went wrong. */
export async function tortureApplyChanges(
  { kills, random }: { kills: number; random: Random },
): Promise<string[]> {
  using base = tempFolder();
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    const own = random.fork();
    const project = `lane${lane}/project`;
    for (let i = 0; i < FILES; i++) base.write(`${project}/f${i % 7}/s${i % 3}/file${i}.txt`, contentOf(own));
    return await applyKillRounds({
      root: `${base.path}/${project}`,
      undoDir: `${base.path}/lane${lane}/undo`,
      kills: Math.ceil(kills / LANES),
      operations: OPERATIONS,
      random: own,
    });
  });
  const sums = await Promise.all(lanes);
  const sum = (name: "kills" | "half" | "applied" | "recoveriesKilled") =>
    sums.reduce((all, each) => all + each[name], 0);
  console.log(
    `${sum("kills")} kills during ${OPERATIONS} changes, ${sum("half")} left some of them, ${
      sum("applied")
    } were through; ${sum("recoveriesKilled")} servers were killed that rolled them back`,
  );
  return sums.flatMap(({ problems }) => problems);
}
