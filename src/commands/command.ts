/** What every command other than serving receives, and how it reads its arguments. */
import { UsageError } from "../base/errors.ts";
import { NAME } from "../base/version.ts";
import { flagExample, flagHelp, type FlagRecord } from "../cli/flags.ts";
import { didYouMean, quote, refusal } from "../cli/mistakes.ts";
import type { Env } from "../cli/parse.ts";
import type { SubcommandRecord } from "../cli/subcommands.ts";
import { allowedText, type FlagValue, readText } from "../cli/values.ts";
import type { ProgramFiles } from "../sandbox/kernel/rules.ts";

/** A command's surroundings: its input, and where its output goes. */
export interface CommandIo {
  readonly args: readonly string[];
  readonly env: Env;
  /** Whether Workers can have permissions of their own here. */
  readonly workerOptions: boolean;
  /** The command line with which they can. */
  readonly lineWithFence: () => string;
  /** What the runtime itself reads while the program runs. */
  readonly programFiles: ProgramFiles | undefined;
  /** Writes the command's result to standard output. */
  print(text: string): void;
  /** Writes remarks for a person to standard error. */
  note(text: string): void;
  /** Asks a person at the terminal; absent where there is none. */
  confirm?: ((question: string) => boolean) | undefined;
  /** Calls back for every line of input, if there is any input. */
  onLine?: ((read: () => void) => void) | undefined;
  /** Whether standard output is a terminal that shows colours. */
  readonly colours: boolean;
}

export interface CommandArguments {
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, FlagValue>>;
  /** The arguments after `--`. */
  readonly rest: readonly string[];
}

/** Throws a UsageError with all mistakes. */
export function readArguments(command: SubcommandRecord, args: readonly string[]): CommandArguments {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const words: string[] = [];
  const flags: Record<string, FlagValue> = {};
  const mistakes: string[] = [];
  for (let i = 0; i < end; i++) {
    const arg = args[i] ?? "";
    if (!/^-./.test(arg)) {
      words.push(arg);
      continue;
    }
    const [spelled = "", ...parts] = arg.split("=");
    const flag = command.flags.find(({ name, short }) => spelled === `--${name}` || spelled === `-${short}`);
    if (flag === undefined) {
      mistakes.push(unknownFlag(command, spelled));
      continue;
    }
    let given: string | undefined = parts.length > 0 ? parts.join("=") : undefined;
    if (given === undefined && flag.kind.type === "toggle") given = "true";
    if (given === undefined && i + 1 < end) given = args[++i];
    const value = readValue(flag, given ?? "", mistakes);
    if (value !== undefined) flags[flag.name] = value;
  }
  if (mistakes.length > 0) throw new UsageError(mistakes);
  return { words, flags, rest: args.slice(end + 1) };
}

export function commandHelp(command: SubcommandRecord): string {
  return [
    `${NAME} ${command.name}: ${command.summary}`,
    "",
    "Usage:",
    `  ${NAME} ${command.name} ${command.form}`.trimEnd(),
    ...(command.words === undefined ? [] : ["", `${firstWord(command)} is ${allowedWords(command)}.`]),
    "",
    ...command.details.flatMap((paragraph) => [paragraph, ""]),
    "Flags:",
    ...command.flags.flatMap(flagHelp),
    "",
    "Examples:",
    ...command.examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
}

/** The first argument of a command that takes one of a few words. Throws a UsageError. */
export function wordOf<W extends string>(
  command: SubcommandRecord,
  { words, given }: { words: readonly W[]; given: string | undefined },
): W {
  const known = words.find((word) => word === given);
  if (known !== undefined) return known;
  throw new UsageError([refusal(firstWord(command), {
    problem: given === undefined ? "is missing" : `is ${quote(given)}`,
    allowed: allowedWords(command),
    reason: didYouMean(given ?? "", words).trim().replace(/^\(|\)$/g, ""),
    example: command.examples[0] ?? "",
  })]);
}

function firstWord({ form }: SubcommandRecord): string {
  return form.split(" ")[0] ?? "";
}

function allowedWords({ words = [] }: SubcommandRecord): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function readValue(flag: FlagRecord, given: string, mistakes: string[]): FlagValue | undefined {
  const checked = given === "" ? { reason: "" } : readText(flag.kind, given);
  if ("value" in checked) return checked.value;
  mistakes.push(refusal(`--${flag.name}`, {
    problem: given === "" ? "has no value" : `is ${quote(given)}`,
    allowed: allowedText(flag.kind),
    reason: checked.reason,
    example: flagExample(flag),
  }));
  return undefined;
}

function unknownFlag({ name, flags }: SubcommandRecord, spelled: string): string {
  const meant = didYouMean(spelled, flags.map((flag) => `--${flag.name}`));
  return `unknown flag ${quote(spelled)}${meant}; ${NAME} ${name} --help lists all flags`;
}
