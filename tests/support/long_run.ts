/** What the programs that run for minutes share: how long, with which seed, and how they end. */
import { parseArgs } from "@std/cli/parse-args";
import { type Random, seeded } from "./random.ts";

export interface LongRun {
  readonly random: Random;
  readonly milliseconds: number;
}

/** `--minutes=1 --seed=N`; ends the process if it gets anything else. */
export function longRun(args: readonly string[]): LongRun {
  const refuse = (why: string): never => {
    console.error(`${why}; example: --minutes=5 --seed=42`);
    Deno.exit(1);
  };
  const given = parseArgs(args, {
    string: ["minutes", "seed"],
    default: { minutes: "1", seed: String(Date.now() % 2 ** 31) },
    unknown: (arg) => refuse(`unknown argument ${arg}`),
  });
  const [minutes, seed] = [Number(given.minutes), Number(given.seed)];
  if (!(minutes > 0)) refuse("--minutes must be a number above 0");
  if (!Number.isInteger(seed)) refuse("--seed must be a whole number");
  return { random: seeded(seed), milliseconds: minutes * 60_000 };
}

/** Waits for the promise, but not for ever. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | "late"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => timer = setTimeout(() => resolve("late"), ms));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
