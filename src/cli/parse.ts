/**
 * The raw stage: turns arguments and environment into values, following the records in flags.ts. It looks up
 * nothing on disk, and no mistake stops it: all are collected.
 */
import { parseArgs } from "@std/cli/parse-args";
import { NAME } from "../base/version.ts";
import { EXAMPLES, flagExample, type FlagRecord, FLAGS, type FlagValues } from "./flags.ts";
import { nearest, quote, refusal } from "./mistakes.ts";
import { allowedText, type FlagValue, readText } from "./values.ts";

/** Looks up an environment variable; absent where the environment may not be read. */
export type Env = (name: string) => string | undefined;

export interface CommandLine {
  readonly dirs: readonly string[];
  readonly flags: FlagValues;
  readonly env: FlagValues;
  /** The token in the environment. Empty is not absent: a variable that expanded to nothing is a mistake. */
  readonly envToken: string | undefined;
  readonly mistakes: readonly string[];
  /**
   * Mistakes in environment variables that have no effect on stdio: a PORT is often set for another program.
   */
  readonly httpMistakes: readonly string[];
}

const RECORDS: readonly FlagRecord[] = FLAGS;

export function parseCommandLine(args: readonly string[], env?: Env): CommandLine {
  const unknown = new Set<string>();
  const keys = RECORDS.map((flag) => masked(flag.name));
  const parsed: Record<string, unknown> = parseArgs(spellOut(args), {
    string: ["_", ...keys],
    collect: keys,
    unknown: (arg: string, key?: string) => {
      if (key === undefined) return true;
      unknown.add(arg.replace(MASK, ""));
      return false;
    },
  });
  const given = (name: string) => texts(parsed[masked(name)]);
  const dirs = texts(parsed._);
  const mistakes = [...unknown].map(unknownFlag);
  const flags = readFlags(given, mistakes);
  const environment = readEnvironment(env, given);
  mistakes.push(...environment.mistakes);
  // An unknown flag may have swallowed the directory after it; "nothing to serve" would only confuse then.
  const named = dirs.length + SURFACE_FLAGS.flatMap(given).length;
  const hasWorkspaces = environment.env["workspaces-root"] !== undefined;
  if (named + unknown.size === 0 && !hasWorkspaces) mistakes.push(nothingToServe());
  mistakes.push(...choiceMistakes(dirs, flags));
  return { ...environment, dirs, flags, mistakes };
}

/** The flags that say what to serve. */
const SURFACE_FLAGS = ["config", "dir", "workspaces-root"] as const;

/** Hides from parse-args that a name begins with `no-`: it reads `--no-read-only=true` as `--read-only`. */
const MASK = "\u0001";

function masked(name: string): string {
  return name.startsWith("no-") ? MASK + name : name;
}

/**
 * Toggles get an explicit value and short flags their long name, because parse-args would read the word after
 * a toggle as its value if it is "true" or "false", and any value but "false" as true.
 */
function spellOut(args: readonly string[]): string[] {
  const spelled = new Map<string, string>();
  for (const { name, short, kind } of RECORDS) {
    if (kind.type !== "toggle") continue;
    spelled.set(`--${name}`, `--${name}=true`);
    if (short !== undefined) spelled.set(`-${short}`, `--${name}=true`);
  }
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  return args.map((arg, index) => {
    if (index >= end) return arg;
    const flag = spelled.get(arg) ?? arg;
    return flag.startsWith("--") ? `--${masked(flag.slice(2))}` : flag;
  });
}

function readFlags(given: (name: string) => string[], mistakes: string[]): FlagValues {
  const values: Record<string, FlagValue> = {};
  for (const flag of RECORDS) {
    const all = given(flag.name);
    const repeatable = flag.kind.type === "list" || flag.kind.type === "toggle";
    if (all.length > 1 && !repeatable) {
      mistakes.push(refusal(`--${flag.name}`, {
        problem: `is given ${all.length} times (${all.map(quote).join(", ")})`,
        allowed: "given once",
        example: flagExample(flag),
      }));
      continue;
    }
    for (const text of all) {
      const value = readOne(flag, { text, subject: `--${flag.name}`, example: flagExample(flag), mistakes });
      if (value === undefined) continue;
      const before = values[flag.name];
      values[flag.name] = Array.isArray(value) && Array.isArray(before)
        ? [...new Set([...before, ...value])]
        : value;
    }
  }
  return values as FlagValues;
}

interface Given {
  text: string;
  subject: string;
  example: string;
  mistakes: string[];
}

function readOne(flag: FlagRecord, { text, subject, example, mistakes }: Given): FlagValue | undefined {
  const checked = text === "" ? { reason: "" } : readText(flag.kind, text);
  if ("value" in checked) return checked.value;
  const problem = text === "" ? "has no value" : `is ${quote(text)}`;
  mistakes.push(
    refusal(subject, { problem, allowed: allowedText(flag.kind), reason: checked.reason, example }),
  );
  return undefined;
}

function readEnvironment(env: Env | undefined, given: (name: string) => string[]) {
  const values: Record<string, FlagValue> = {};
  const mistakes: string[] = [];
  const httpMistakes: string[] = [];
  let envToken: string | undefined;
  for (const flag of RECORDS) {
    if (flag.env === undefined || given(flag.name).length > 0) continue;
    const text = env?.(flag.env);
    if (flag.envIsSecret) {
      envToken = text;
    } else if (text !== undefined && text !== "") {
      const value = readOne(flag, {
        text,
        subject: `the environment variable ${flag.env}`,
        example: `${flag.env}=${flag.example}`,
        mistakes: flag.httpOnly ? httpMistakes : mistakes,
      });
      if (value !== undefined) values[flag.name] = value;
    }
  }
  return { env: values as FlagValues, envToken, mistakes, httpMistakes };
}

function nothingToServe(): string {
  const lines = [
    "nothing to serve: give one or more directories, --config=FILE, --dir=DIR or --workspaces-root=DIR; examples:",
    ...EXAMPLES,
  ];
  return lines.join("\n  ");
}

function choiceMistakes(dirs: readonly string[], flags: FlagValues): string[] {
  const mistakes: string[] = [];
  if (dirs.includes("")) {
    mistakes.push(refusal("a directory", {
      problem: 'is ""',
      allowed: "the path of a directory",
      reason: "was a variable empty?",
      example: `${NAME} .`,
    }));
  }
  const surfaces = [
    ...(dirs.length > 0 ? [dirs.map(quote).join(", ")] : []),
    ...SURFACE_FLAGS.flatMap((name) => {
      const value = flags[name];
      return value === undefined ? [] : [`--${name}=${quote(value)}`];
    }),
  ];
  if (flags.classic && surfaces.length > 0 && (dirs.length === 0 || surfaces.length > 1)) {
    mistakes.push(refusal("--classic", {
      problem: `is given with ${surfaces.join(" and ")}`,
      allowed: "given with directories only",
      example: `${NAME} --classic .`,
    }));
  } else if (surfaces.length > 1) {
    mistakes.push(refusal("the command line", {
      problem: `has ${surfaces.join(" and ")}`,
      allowed: "only one of these: directories, --config, --dir or --workspaces-root",
      example: `${NAME} --config=paddock.yaml`,
    }));
  }
  return mistakes;
}

/** Quotes only the flag's name: the value of a mistyped flag may be a secret. */
function unknownFlag(arg: string): string {
  const name = arg.replace(/=.*$/s, "");
  const near = nearest(name.replace(/^-+/, "--"), RECORDS.map((flag) => `--${flag.name}`));
  const meant = RECORDS.find((flag) => `--${flag.name}` === near);
  return meant === undefined
    ? `unknown flag ${quote(name)}; ${NAME} --help lists all flags; example: ${EXAMPLES[1]}`
    : `unknown flag ${
      quote(name)
    } (did you mean --${meant.name}?); ${NAME} --help lists all flags; example: ` +
      flagExample(meant);
}

function texts(given: unknown): string[] {
  return Array.isArray(given) ? given.map(String) : [];
}
