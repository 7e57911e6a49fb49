/** The manual page, in the language of man(7), from the records of flags and commands. */
import { NAME, VERSION } from "../base/version.ts";
import { EXAMPLES, type FlagRecord, FLAGS, sentences, spellings, USAGES } from "../cli/flags.ts";
import { type SubcommandRecord, SUBCOMMANDS } from "../cli/subcommands.ts";

export function manPage(): string {
  const flags: readonly FlagRecord[] = FLAGS;
  const commands: readonly SubcommandRecord[] = SUBCOMMANDS;
  return [
    `.\\" Written by \`deno task docs\` from src/cli/flags.ts and src/cli/subcommands.ts.`,
    `.TH ${NAME.toUpperCase()} 1 "" "${NAME} ${VERSION}" "User Commands"`,
    ".SH NAME",
    `${NAME} \\- an MCP server for files inside the directories you choose, and nowhere else`,
    ".SH SYNOPSIS",
    ...USAGES.flatMap(([form]) => synopsis(`[FLAG…] ${form}`)),
    ...commands.flatMap(({ name, form }) => synopsis(`${name} ${form}`)),
    ".SH DESCRIPTION",
    ...USAGES.flatMap(([form, meaning]) => tagged(form, [`${capital(meaning)}.`])),
    ".SH OPTIONS",
    "A flag beats the environment, which beats the config file.",
    ...flags.flatMap(flagEntry),
    ".SH COMMANDS",
    "A word counts as a command only as the first argument; a folder of that name is served as",
    ".IR ./ word.",
    ...commands.flatMap(commandSection),
    ".SH ENVIRONMENT",
    ...flags.flatMap(environmentEntry),
    ".SH EXIT STATUS",
    ...tagged("0", ["The server was stopped in good order, or the command succeeded."]),
    ...tagged("1", [
      "A mistake in the command line or the configuration; the port is taken; a check failed.",
    ]),
    ...tagged("70", ["The server has crashed."]),
    ".SH EXAMPLES",
    ".EX",
    ...[...EXAMPLES, ...commands.flatMap(({ examples }) => examples)].map(line),
    ".EE",
    "",
  ].join("\n");
}

function synopsis(words: string): string[] {
  return [`.B ${NAME}`, line(words.trimEnd()), ".br"];
}

function flagEntry(flag: FlagRecord): string[] {
  const notes = [
    ...(flag.kind.type === "toggle" ? [] : [`Default: ${flag.default}.`]),
    ...(flag.env === undefined ? [] : [`Environment: ${flag.env}.`]),
    ...(flag.fileKey === undefined ? [] : [`Config file: ${flag.fileKey}.`]),
  ];
  return tagged(spellings(flag).join(", "), [sentences(flag), ...notes]);
}

function environmentEntry({ name, env, envIsSecret }: FlagRecord): string[] {
  if (env === undefined) return [];
  return tagged(env, [envIsSecret ? `The secret itself, in place of --${name}.` : `The same as --${name}.`]);
}

function commandSection({ name, form, summary, words, details, flags }: SubcommandRecord): string[] {
  return [
    `.SS ${line(`${NAME} ${name} ${form}`.trimEnd())}`,
    line(`${capital(summary)}.`),
    ...(words === undefined ? [] : [line(`${form.split(" ")[0]} is one of: ${words.join(", ")}.`)]),
    ...details.flatMap((paragraph) => [".PP", line(paragraph)]),
    ...flags.flatMap(flagEntry),
  ];
}

/** A word in bold, and what there is to say of it beside it. */
function tagged(tag: string, sentences: readonly string[]): string[] {
  return [".TP", `.B ${line(tag)}`, ...sentences.map(line)];
}

/** Text as a line of its own: a dot or quote at its start would make it a command. */
function line(text: string): string {
  const safe = text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("…", "\\&...")
    .replaceAll("~", "\\(ti").replaceAll("^", "\\(ha").replaceAll("`", "\\(ga");
  return /^[.']/.test(safe) ? `\\&${safe}` : safe;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
