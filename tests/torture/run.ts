/**
 * `deno task torture`: many server processes at work on the same files, killed at random, for minutes; after every
 * round it checks that nothing is torn, lost, doubled or outside. Not part of the test suite.
 *
 *     deno task torture --minutes=5 --seed=42
 *     deno task torture --undo
 *     deno task torture --apply
 */
import { longRun } from "../support/long_run.ts";
import type { Random } from "../support/random.ts";
import { tempFolder } from "../support/temp.ts";
import { RootsTorture } from "./roots.ts";
import type { TortureSurface } from "./surface.ts";
import { Victim } from "./victim.ts";
import { SharedTorture } from "./shared_surface.ts";
import { WorkspacesTorture } from "./workspaces_surface.ts";

/** Each on its own folder. */
const SURFACES = [RootsTorture, WorkspacesTorture, SharedTorture];

interface Sum {
  rounds: number;
  calls: number;
  kills: number;
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** One life of an agent's server: until it is killed, or ends if it is spared. */
async function live(
  surface: TortureSurface,
  { agent, random, sum }: { agent: number; random: Random; sum: Sum },
) {
  await using victim = new Victim(surface.argsOf(agent));
  await victim.start();
  const spared = random.next() < 0.25;
  const until = Date.now() + 300 + random.below(1_500);
  const timer = setTimeout(() => {
    if (!spared) victim.kill();
  }, until - Date.now());
  // Several calls in flight, like a client that does not wait.
  const lanes = Array.from({ length: 3 }, async () => {
    while (Date.now() < until && !victim.killed) await surface.act(agent, { victim, random });
  });
  await Promise.all(lanes);
  clearTimeout(timer);
  if (spared) await victim.end();
  else if (!victim.killed) victim.kill();
  sum.calls += victim.calls;
  if (victim.killed) sum.kills++;
  return victim.violations;
}

async function round(
  surface: TortureSurface,
  { random, sum }: { random: Random; sum: Sum },
): Promise<string[]> {
  const problems: string[] = [];
  let working = true;
  const watching = (async () => {
    const own = random.fork();
    while (working) {
      problems.push(...surface.look());
      if (own.next() < 0.5) await surface.disturb(own);
      await wait(own.below(20));
    }
  })();
  const lives = Array.from(
    { length: surface.agents },
    (_, agent) => live(surface, { agent, random: random.fork(), sum }),
  );
  try {
    for (const violations of await Promise.all(lives)) problems.push(...violations);
  } finally {
    working = false;
    await watching;
  }
  sum.rounds++;
  if (surface.recover !== undefined) {
    problems.push(...await unharmed(surface, (victim) => surface.recover?.(victim)));
  }
  return [...problems, ...surface.check()];
}

/** A server that nobody kills; returns what it should not have done. */
async function unharmed(
  surface: TortureSurface,
  use: (victim: Victim) => Promise<void> | undefined,
): Promise<string[]> {
  await using victim = new Victim(surface.argsOf(0));
  await victim.start();
  await use(victim);
  await victim.end();
  return victim.violations;
}

async function clean(surface: TortureSurface): Promise<string[]> {
  const left: string[] = [];
  const violations = await unharmed(
    surface,
    async (victim) => void left.push(...await surface.sweep(victim)),
  );
  return [...left, ...violations, ...surface.check()];
}

export async function torture(args: readonly string[]): Promise<number> {
  const { random, milliseconds } = longRun(args);
  console.log(`seed ${random.seed}`);
  for (const Surface of SURFACES) {
    using folder = tempFolder();
    const surface: TortureSurface = new Surface(folder);
    const end = Date.now() + milliseconds / SURFACES.length;
    const sum: Sum = { rounds: 0, calls: 0, kills: 0 };
    const problems = await unharmed(surface, (victim) => surface.begin?.(victim));
    while (problems.length === 0 && (sum.rounds === 0 || Date.now() < end)) {
      problems.push(...await round(surface, { random, sum }));
    }
    if (problems.length === 0) problems.push(...await clean(surface));
    const { rounds, calls, kills } = sum;
    console.log(`${surface.name}: ${rounds} rounds, ${calls} calls, ${kills} servers killed`);
    if (surface.sum !== undefined) console.log(`  ${surface.sum}`);
    for (const problem of new Set(problems)) console.log(`  FAILED ${problem}`);
    if (problems.length > 0) return 1;
    console.log("  nothing torn, lost, doubled, left behind or outside");
  }
  return 0;
}

/**
 * `--undo`, or `--undo=SEQUENCES --kills=KILLS` for other numbers than 5,000 and 200: only the long runs of undo.
 * With `--stores=FOLDER`, on another file system, the kills are repeated with the store there.
 */
async function tortureUndoAlone(given: string): Promise<number> {
  const sequences = Number(given.split("=")[1] ?? 5_000);
  const valueOf = (flag: string) => Deno.args.find((arg) => arg.startsWith(`${flag}=`))?.split("=")[1];
  const kills = Number(valueOf("--kills") ?? Math.min(200, sequences));
  const stores = valueOf("--stores");
  const { tortureUndo } = await import("./undo.ts");
  const { random } = longRun(Deno.args.slice(1).filter((arg) => !/^--(?:kills|stores)=/.test(arg)));
  console.log(`seed ${random.seed}`);
  const problems = await tortureUndo({ sequences, kills, random, stores });
  for (const problem of problems) console.log(`  FAILED ${problem}`);
  return problems.length > 0 ? 1 : 0;
}

/** `--apply`, or `--apply=KILLS` for more or fewer than 100: servers killed during 200 changes at once. */
async function tortureApply(given: string): Promise<number> {
  const kills = Number(given.split("=")[1] ?? 100);
  const { tortureApplyChanges } = await import("./apply.ts");
  const { random } = longRun(Deno.args.slice(1));
  console.log(`seed ${random.seed}`);
  const problems = await tortureApplyChanges({ kills, random });
  for (const problem of problems) console.log(`  FAILED ${problem}`);
  return problems.length > 0 ? 1 : 0;
}

if (import.meta.main) {
  const [first = ""] = Deno.args;
  const code = /^--undo(=|$)/.test(first)
    ? await tortureUndoAlone(first)
    : /^--apply(=|$)/.test(first)
    ? await tortureApply(first)
    : await torture(Deno.args);
  Deno.exit(code);
}
