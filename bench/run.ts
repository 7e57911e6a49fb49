// Benchmarks against other programs, side by side in one run: `deno task bench [scenario or group…]`. A missed goal
// is marked in the table and is not a failure; exit code 1 means that something did not run.

import { parseArgs } from "@std/cli/parse-args";
import { join } from "@std/path/join";
import { describeMachine, formatMachine } from "./machine.ts";
import { measure, type Measured } from "./measure.ts";
import { officialServer, paddock, rustServer, type Server } from "./peers.ts";
import type { Scenario } from "./scenario.ts";
import { GROUPS, scenarios } from "./scenarios/mod.ts";
import { loadResults, merge, resultsOf, saveResults, type ScenarioResults } from "./results.ts";
import { writeReport } from "./report.ts";
import { formatTable } from "./table.ts";

const HELP = `deno task bench [options] [scenario or group…]

Scenarios: ${scenarios.map((scenario) => scenario.name).join(", ")}
  (all but those that take long, if none is named)
Groups: ${Object.entries(GROUPS).map(([name, members]) => `${name} (${members.join(", ")})`).join("; ")}

  --paddock=COMMAND    start paddock with this command instead of from source; the folder is added as the last argument
  --only=paddock|peer  measure one side only
  --rounds=N           run each scenario this many times, instead of its own number (for a quick look)
  --dir=FOLDER         where to create the temporary folder (default: the system's)
  --write              write bench/results.json and docs/notes/benchmarks.md even if only some scenarios are run
  --help

PADDOCK_BENCH_RUST=PATH measures rust-mcp-filesystem as well.`;

interface Options {
  readonly chosen: readonly Scenario[];
  readonly command: readonly string[] | undefined;
  readonly only: string | undefined;
  readonly rounds: number | undefined;
  readonly dir: string | undefined;
  readonly write: boolean;
}

interface Flags {
  readonly _: readonly (string | number)[];
  readonly [name: string]: unknown;
}

class UsageError extends Error {}

function parse(args: readonly string[]): Options | "help" {
  const unknown: string[] = [];
  const flags: Flags = parseArgs(args, {
    string: ["paddock", "only", "dir", "rounds", "_"],
    boolean: ["write", "help"],
    unknown: (arg: string, key?: string) => key === undefined || unknown.push(arg) === 0,
  });
  if (flags.help === true) return "help";
  if (unknown.length > 0) throw new UsageError(`unknown option: ${unknown.join(", ")}`);
  const named = new Set(flags._.flatMap((name) => GROUPS[name] ?? [String(name)]));
  const unknownNames = [...named].filter((name) => scenarios.every((scenario) => scenario.name !== name));
  if (unknownNames.length > 0) throw new UsageError(`unknown scenario: ${unknownNames.join(", ")}`);
  const chosen = scenarios.filter(({ name }) => named.has(name));
  const rounds = text(flags.rounds);
  if (rounds !== undefined && !/^[1-9]\d{0,3}$/.test(rounds)) {
    throw new UsageError(`--rounds takes a number, not ${rounds}`);
  }
  const only = text(flags.only);
  if (only !== undefined && only !== "paddock" && only !== "peer") {
    throw new UsageError(`--only takes paddock or peer, not ${only}`);
  }
  return {
    chosen: chosen.length > 0 ? chosen : scenarios.filter((scenario) => !scenario.onlyByName),
    command: text(flags.paddock)?.split(" ").filter((word) => word !== ""),
    only,
    rounds: rounds === undefined ? undefined : Number(rounds),
    dir: text(flags.dir),
    write: flags.write === true || (chosen.length === 0 && only === undefined && rounds === undefined),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

async function bench(options: Options, signal: AbortSignal): Promise<void> {
  const servers: Server[] = [];
  if (options.only !== "peer") servers.push(paddock(options.command));
  if (options.only !== "paddock") {
    const rust = await rustServer();
    servers.push(await officialServer(signal), ...(rust === undefined ? [] : [rust]));
  }
  const folder = Deno.realPathSync(
    Deno.makeTempDirSync({ prefix: "bench-", ...(options.dir !== undefined && { dir: options.dir }) }),
  );
  Deno.env.set("XDG_STATE_HOME", join(folder, "state")); // the undo records are removed with the folder
  try {
    const machine = await describeMachine(folder);
    const nameOf = (side: string) => servers.find((server) => server.side === side)?.name;
    const official = nameOf("peer") ?? "peer";
    const peerOf = (name: string) => scenarios.find((scenario) => scenario.name === name)?.peer ?? official;
    const fresh: ScenarioResults[] = [];
    const measured: Measured[] = [];
    for (const chosen of options.chosen) {
      const scenario = { ...chosen, rounds: options.rounds ?? chosen.rounds };
      console.error(`${scenario.name}: ${scenario.rounds} rounds …`);
      const rows = await measure(scenario, { servers, folder, signal });
      measured.push(...rows);
      fresh.push({
        scenario: scenario.name,
        peer: peerOf(scenario.name),
        ...(scenario.forAnyServer && { rust: nameOf("rust") }),
        date: new Date().toISOString(),
        machine,
        note: scenario.note,
        results: resultsOf(rows),
      });
    }
    console.log(formatMachine(machine));
    console.log("Medians (least–most) of interleaved rounds, after one untimed; ratio is paddock ÷ peer.\n");
    console.log(formatTable(measured, peerOf) + "\n");
    for (const { name, note } of options.chosen) if (note !== undefined) console.log(`${name}: ${note}`);
    if (options.write) {
      const all = merge(loadResults(), fresh, scenarios.map(({ name }) => name));
      saveResults(all);
      writeReport(all);
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const stop = new AbortController();
  const onSignal = () => stop.abort(new Error("interrupted"));
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
  try {
    const options = parse(args);
    if (options === "help") {
      console.log(HELP);
      return 0;
    }
    for (const name of signals) Deno.addSignalListener(name, onSignal);
    await bench(options, stop.signal);
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    console.error(error instanceof UsageError ? `${message}\n\n${HELP}` : `bench: ${message}`);
    return stop.signal.aborted ? 130 : 1;
  } finally {
    for (const name of signals) Deno.removeSignalListener(name, onSignal);
  }
}

if (import.meta.main) {
  Deno.exitCode = await main(Deno.args);
}
