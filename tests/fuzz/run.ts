/**
 * `deno task fuzz`: random lines, requests, tool calls, paths, patterns and patches against live servers, for
 * minutes. The server has to stay alive, answer every request, stay within its memory limit, and reveal and change
 * nothing outside. Not part of the test suite.
 *
 *     deno task fuzz --minutes=5 --seed=42
 */
import { longRun } from "../support/long_run.ts";
import type { Random } from "../support/random.ts";
import { tempFolder } from "../support/temp.ts";
import { type Listed, randomCall } from "./calls.ts";
import { damaged, json, text } from "./garbage.ts";
import { parsersFor, tryParser } from "./parsers.ts";
import { furnish, type FuzzSurface, outside, SURFACES } from "./surfaces.ts";
import { Target } from "./target.ts";

/** More than a server may ever need, with requests of at most 10 MiB. */
const MOST_MEGABYTES = 1_000;

const METHODS = [
  "tools/list",
  "tools/call",
  "ping",
  "initialize",
  "server/discover",
  "resources/list",
  "read_file",
  "",
];

async function randomLine(random: Random, target: Target): Promise<void> {
  switch (random.below(6)) {
    case 0: {
      const bytes = new Uint8Array(random.below(200));
      for (let i = 0; i < bytes.length; i++) bytes[i] = random.below(256);
      return await target.throwAt(bytes.map((byte) => byte === 10 ? 32 : byte));
    }
    case 1:
      return await target.throwAt(JSON.stringify(json(random)));
    case 2: {
      const whole = { jsonrpc: "2.0", id: crypto.randomUUID(), method: "tools/call", params: json(random) };
      return await target.throwAt(damaged(random, JSON.stringify(whole)));
    }
    case 3: {
      const batch = Array.from(
        { length: random.below(5) },
        () => ({ jsonrpc: "2.0", id: json(random), method: text(random) }),
      );
      return await target.throwAt(JSON.stringify(batch));
    }
    case 4:
      return await target.throwAt(
        random.next() < 0.02 ? `"${"x".repeat(11 * 1024 * 1024)}"` : "[".repeat(random.below(5_000)),
      );
    default:
      return await target.ask(random.next() < 0.8 ? random.pick(METHODS) : text(random), json(random));
  }
}

interface Round {
  random: Random;
  tools: readonly Listed[];
  surface: FuzzSurface;
}

async function burst(target: Target, { random, tools, surface }: Round): Promise<void> {
  for (let i = random.below(30); i >= 0; i--) {
    if (random.next() < 0.3) await randomLine(random, target);
    else await target.ask("tools/call", randomCall(random, { tools, hints: surface.hints }));
  }
  await target.settle();
}

async function fuzzSurface(
  surface: FuzzSurface,
  { random, goesOn }: { random: Random; goesOn: () => boolean },
): Promise<string[]> {
  using folder = tempFolder();
  Deno.mkdirSync(`${folder.path}/${surface.home.split("/")[0]}`);
  await using target = new Target(surface.args(folder));
  await target.start();
  if (surface.first !== undefined) await target.request("tools/call", surface.first);
  const { result } = await target.request("tools/list");
  const tools: Listed[] = result.tools;
  do {
    furnish(folder, surface);
    await burst(target, { random, tools, surface });
    target.problems.push(...outside(folder, surface));
    if (target.peakMegabytes > MOST_MEGABYTES) target.problems.push(`it takes ${target.peakMegabytes} MB`);
  } while (target.problems.length === 0 && goesOn());
  if (target.problems.length === 0) await target.end();
  console.log(`${surface.name}: ${target.messages} messages, at most ${target.peakMegabytes} MB`);
  return target.problems;
}

/** All parsers in turn, in this process. */
function fuzzParsers(random: Random, goesOn: () => boolean): string[] {
  using folder = tempFolder();
  const parsers = parsersFor(folder);
  const problems: string[] = [];
  let texts = 0;
  do {
    for (const parser of parsers) {
      const problem = tryParser(parser, random);
      if (problem !== undefined) problems.push(problem);
      texts++;
    }
  } while (problems.length === 0 && goesOn());
  const megabytes = Math.round(Deno.memoryUsage().rss / 1024 / 1024);
  if (megabytes > MOST_MEGABYTES) problems.push(`it takes ${megabytes} MB`);
  console.log(`parsers: ${texts} texts for ${parsers.map(({ name }) => name).join(", ")}; ${megabytes} MB`);
  return problems;
}

export async function fuzz(args: readonly string[]): Promise<number> {
  const { random, milliseconds } = longRun(args);
  console.log(`seed ${random.seed}`);
  const share = milliseconds / (SURFACES.length + 1);
  const turns = [
    (goesOn: () => boolean) => fuzzParsers(random, goesOn),
    ...SURFACES.map((surface) => (goesOn: () => boolean) => fuzzSurface(surface, { random, goesOn })),
  ];
  for (const turn of turns) {
    const end = Date.now() + share;
    const problems = await turn(() => Date.now() < end);
    for (const problem of problems) console.log(`  FAILED ${problem}`);
    if (problems.length > 0) return 1;
  }
  console.log("alive, every request answered, nothing revealed or changed outside");
  return 0;
}

if (import.meta.main) Deno.exit(await fuzz(Deno.args));
