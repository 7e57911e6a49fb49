/**
 * The long runs of undo: random sequences of calls taken back and done again, and servers killed amid changes and
 * undos. `deno task torture --undo` runs these alone, `--sequences=N` and `--kills=N` say how many.
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
  using base = tempFolder();
  Deno.mkdirSync(`${base.path}/project`);
  const root = `${base.path}/project`;
  const sum = await killRounds({ root, undoDir: `${base.path}/undo`, agents: 3, kills, random });
  console.log(`${sum.kills} kills, ${sum.acknowledged} changes, ${sum.undone} undone`);
  return [...problems, ...sum.problems];
}
