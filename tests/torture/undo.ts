/**
 * The long runs of undo: random sequences of calls taken back and done again, and servers killed amid changes and
 * undos. `deno task torture --undo=SEQUENCES --kills=KILLS` runs these alone.
 */
import { exactSequence, sharedSequence } from "../engine/undo/sequences.ts";
import { killRounds } from "../e2e/undo/kills.ts";
import { type Random, seeded } from "../support/random.ts";
import { tempFolder } from "../support/temp.ts";

const CALLS = 40;

export interface UndoTorture {
  readonly sequences: number;
  readonly kills: number;
  readonly random: Random;
}

/** What went wrong. */
export async function tortureUndo({ sequences, kills, random }: UndoTorture): Promise<string[]> {
  const problems: string[] = [];
  for (let i = 0; i < sequences; i++) {
    const seed = random.below(2 ** 31);
    for (const run of [exactSequence, sharedSequence]) {
      try {
        await run(seeded(seed), CALLS);
      } catch (error) {
        problems.push(`${run.name}, seed ${seed}: ${error instanceof Error ? error.message : error}`);
        console.log(`  ${problems.at(-1)}`);
      }
    }
    if ((i + 1) % 100 === 0) console.log(`${i + 1} sequences, ${problems.length} problems`);
  }
  for (const elsewhere of [false, true]) problems.push(...await tortureByKills({ kills, random }, elsewhere));
  return problems;
}

/** With the store on the root's file system, or in memory, which is another one. */
async function tortureByKills(
  { kills, random }: Omit<UndoTorture, "sequences">,
  elsewhere: boolean,
): Promise<string[]> {
  using base = tempFolder();
  using stores = tempFolder({ inMemory: elsewhere });
  const root = `${base.path}/project`;
  Deno.mkdirSync(root);
  const sum = await killRounds({ root, undoDir: `${stores.path}/undo`, agents: 3, kills, random });
  const place = elsewhere ? "the store on another file system" : "root and store on one file system";
  console.log(`${sum.kills} kills, ${sum.acknowledged} changes, ${sum.undone} undone (${place})`);
  return sum.problems;
}
