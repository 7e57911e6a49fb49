/**
 * The long runs of undo: random sequences of calls undone and redone, and servers killed during changes and undos.
 * `deno task torture --undo=SEQUENCES --kills=KILLS --stores=FOLDER` runs only these.
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
  /** A folder on another file system: kills are repeated with the store there. */
  readonly stores?: string | undefined;
}

/** What went wrong. */
export async function tortureUndo({ sequences, kills, random, stores }: UndoTorture): Promise<string[]> {
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
  problems.push(...await tortureByKills({ kills, random }));
  if (stores !== undefined) problems.push(...await tortureByKills({ kills, random, stores }));
  return problems;
}

async function tortureByKills({ kills, random, stores }: Omit<UndoTorture, "sequences">): Promise<string[]> {
  using base = tempFolder();
  const root = `${base.path}/project`;
  Deno.mkdirSync(root);
  const undoDir = stores === undefined ? `${base.path}/undo` : Deno.makeTempDirSync({ dir: stores });
  try {
    const sum = await killRounds({ root, undoDir, agents: 3, kills, random });
    console.log(`${sum.kills} kills, ${sum.acknowledged} changes, ${sum.undone} undone; store in ${undoDir}`);
    return sum.problems;
  } finally {
    if (stores !== undefined) Deno.removeSync(undoDir, { recursive: true });
  }
}
