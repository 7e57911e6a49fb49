/**
 * `deno task attack`: a process of the same user swaps folders for links that lead outside, as fast as it can, while
 * a real server handles calls; after each call it checks what happened outside and what the answer reveals. Linux
 * only. Not part of the test suite.
 *
 *     deno task attack --surface=workspaces --targets=.git/mcp,dir --tools=fs_write_file --calls=2000
 *     deno task attack --command="dist/paddock" --calls=20000          an executable, all surfaces, all tools
 *     deno task attack --flags="--no-sandbox" --expect=effects         fails if the attack has no effect
 *
 * --calls and --seconds are for each surface, whichever ends first; --tools is all (default), write, read, or names.
 * The exit code is 1 if there were effects or, with --expect=effects, if there were none; with --expect=any it is
 * always 0.
 */
import { parseArgs } from "@std/cli/parse-args";
import { seeded } from "../support/random.ts";
import { Attacker } from "./attacker.ts";
import { type Call, callsOf, LAST_CHANGE, type SurfaceName } from "./calls.ts";
import { Field, type FieldOptions, TARGETS } from "./field.ts";
import { SECRET, SECRET_SIZE } from "./outside.ts";
import { Tally } from "./tally.ts";

/** A setting lasts for this many calls, or until this many in a row have failed: an attack can spoil a repository. */
const CALLS_ON_A_FIELD = 400;
const FAILURES_IN_A_ROW = 120;

const given = parseArgs(Deno.args, {
  string: ["surface", "targets", "tools", "calls", "seconds", "seed", "command", "flags", "expect"],
  default: {
    surface: "roots,classic,flat,workspaces",
    tools: "all",
    calls: "2000",
    expect: "nothing",
    flags: "",
  },
  unknown: (argument) => {
    console.error(`unknown argument ${argument}`);
    Deno.exit(1);
  },
});

const optional = (value: unknown) => value === undefined ? undefined : String(value);
const wordsOf = (text: unknown) => String(text).split(",");
const random = seeded(Number(given.seed ?? Date.now() % 2 ** 31));
const command = optional(given.command)?.split(" ");
const flags = String(given.flags).split(" ").filter((flag) => flag !== "");

/** The tools to call, after checking that every listed tool has its calls. */
async function toolsOf({ server }: Field, surface: SurfaceName): Promise<Set<string>> {
  const { result } = await server.request("tools/list");
  const listed = result.tools as { name: string; annotations: { readOnlyHint: boolean } }[];
  const known = new Set(callsOf(surface, 0).map(({ tool }) => tool));
  const missing = listed.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (missing.length > 0) {
    throw new Error(`no attack on ${missing.join(", ")}: add it to tests/attacks/calls.ts`);
  }
  const wanted = wordsOf(given.tools);
  const isWanted = (tool: typeof listed[number]) =>
    wanted.includes("all") || wanted.includes(tool.name) ||
    wanted.includes(tool.annotations.readOnlyHint ? "read" : "write");
  return new Set(listed.filter(isWanted).map(({ name }) => name));
}

/** As a number of its own: commit hashes contain any five digits now and then. */
const SIZE = new RegExp(`(?<![0-9a-f])${SECRET_SIZE}(?![0-9a-f])`);

/** What an answer reveals about the folder outside. */
function told(text: string): string[] {
  const secret = btoa(SECRET.slice(0, 12));
  if (text.includes(SECRET) || text.includes(secret)) return ["told-content-or-name"];
  return SIZE.test(text) || text.includes("2001-02-03") ? ["told-metadata"] : [];
}

let lastChange = "none";

async function answerTo({ server }: Field, { tool, arguments: given }: Call) {
  const args = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value === LAST_CHANGE ? lastChange : value]),
  );
  const { result, error } = await server.request("tools/call", { name: tool, arguments: args });
  lastChange = result?.structuredContent?.change ?? lastChange;
  return { text: JSON.stringify(error ?? result), isError: error !== undefined || result.isError === true };
}

/** Makes calls in one setting, up to a number or until time is up. */
async function onOneField(
  options: FieldOptions,
  tally: Tally,
  { most, until }: { most: number; until: number },
): Promise<void> {
  const { surface, target } = options;
  await using field = await Field.make(options);
  const tools = await toolsOf(field, surface);
  using attacker = new Attacker({ folder: field.folder, link: field.link, outside: field.outside.path });
  let failures = 0;
  for (let number = 1; number <= most && failures < FAILURES_IN_A_ROW && Date.now() < until; number++) {
    const choice = callsOf(surface, number).filter(({ tool }) => tools.has(tool));
    const call: Call = random.pick(choice);
    field.restock();
    const { text, isError } = await attacker.during(() => answerTo(field, call));
    failures = isError ? failures + 1 : 0;
    const effects = [...field.outside.effects(), ...field.broughtIn(), ...told(text)];
    tally.add({ surface, target, tool: call.tool, isError, effects });
  }
  tally.swaps += attacker.swaps;
}

const tally = new Tally();
for (const surface of wordsOf(given.surface) as SurfaceName[]) {
  const targets = given.targets === undefined ? TARGETS[surface] : wordsOf(given.targets);
  const most = Number(given.calls);
  const until = Date.now() + 1000 * Number(given.seconds ?? Infinity);
  for (let round = 0; tally.callsOn(surface) < most && Date.now() < until; round++) {
    const left = { most: Math.min(most - tally.callsOn(surface), CALLS_ON_A_FIELD), until };
    const target = targets[round % targets.length] ?? "";
    await onOneField({ surface, target, command, flags }, tally, left);
    console.error(`${surface} ${target || "itself"}: ${tally.line}`);
  }
}
console.log(tally.report());
if (given.expect === "nothing" && tally.withEffect > 0) Deno.exitCode = 1;
if (given.expect === "effects" && tally.withEffect === 0) Deno.exitCode = 1;
