/** The manual page in man(7) format, from the records of flags and commands. */
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
    "A flag overrides the environment, which overrides the config file.",
    ...flags.flatMap(flagEntry),
    ".SH COMMANDS",
    "A word is a command only as the first argument; to serve a folder of that name, write",
    ".IR ./ word.",
    ...commands.flatMap(commandSection),
    ".SH ENVIRONMENT",
    ...flags.flatMap(environmentEntry),
    ".SH EXIT STATUS",
    ...tagged("0", ["The server was stopped normally, or the command succeeded."]),
    ...tagged("1", [
      "The command line or configuration has a mistake, the port is in use, or a check failed.",
    ]),
    ...tagged("70", ["The server crashed."]),
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
  return tagged(env, [envIsSecret ? `The secret itself, instead of --${name}.` : `The same as --${name}.`]);
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

/** A bold term and its description. */
function tagged(tag: string, sentences: readonly string[]): string[] {
  return [".TP", `.B ${line(tag)}`, ...sentences.map(line)];
}

/** Text as a line of its own: a dot or quote at its start would make it a macro. */
function line(text: string): string {
  const safe = text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("…", "\\&...")
    .replaceAll("~", "\\(ti").replaceAll("^", "\\(ha").replaceAll("`", "\\(ga");
  return /^[.']/.test(safe) ? `\\&${safe}` : safe;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
