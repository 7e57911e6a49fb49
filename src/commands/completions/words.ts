/** What can be completed, the same for every shell, from the records of flags and commands. */
import { type FlagRecord, FLAGS } from "../../cli/flags.ts";
import { type SubcommandRecord, SUBCOMMANDS } from "../../cli/subcommands.ts";

/** What a flag's value is completed with. */
export type ValueSource = "none" | "anything" | "files" | "directories" | readonly string[];

export interface CompletedFlag {
  readonly name: string;
  readonly short: string | undefined;
  readonly value: ValueSource;
  readonly repeatable: boolean;
  readonly description: string;
}

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly words: readonly string[];
  readonly directories: boolean;
  readonly flags: readonly CompletedFlag[];
}

export const SERVER_FLAGS: readonly CompletedFlag[] = FLAGS.map(completed);

export const COMMANDS: readonly CompletedCommand[] = SUBCOMMANDS.map((command: SubcommandRecord) => ({
  name: command.name,
  summary: command.summary,
  words: command.words ?? [],
  directories: command.directories,
  flags: command.flags.map(completed),
}));

/** `--port=`, or `--read-only` for a flag without a value. */
export function typed({ name, value }: CompletedFlag): string {
  return value === "none" ? `--${name}` : `--${name}=`;
}

export function isChoice(value: ValueSource): value is readonly string[] {
  return typeof value !== "string";
}

function completed(flag: FlagRecord): CompletedFlag {
  return {
    name: flag.name,
    short: flag.short,
    value: sourceOf(flag),
    repeatable: flag.kind.type === "list",
    description: flag.description,
  };
}

function sourceOf({ kind, placeholder }: FlagRecord): ValueSource {
  if (kind.type === "toggle") return "none";
  if (kind.type === "choice") return kind.choices;
  return placeholder === "FILE" ? "files" : placeholder === "DIR" ? "directories" : "anything";
}
