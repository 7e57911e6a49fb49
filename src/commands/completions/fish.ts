/** Completion for fish: one line per completion. */
import { COMMANDS, type CompletedCommand, type CompletedFlag, isChoice, SERVER_FLAGS } from "./words.ts";

const NO_COMMAND = `not __paddock_command ${COMMANDS.map(({ name }) => name).join(" ")}`;

export function fishScript(): string {
  return [
    "# fish completion for paddock; written by: paddock completions fish",
    "",
    "function __paddock_command --description 'Whether the first argument is one of these'",
    "    set -l words (commandline -opc)",
    "    set -q words[2]; and contains -- $words[2] $argv",
    "end",
    "",
    "function __paddock_nth --description 'Whether there are exactly this many arguments so far'",
    "    test (count (commandline -opc)) -eq (math $argv[1] + 1)",
    "end",
    "",
    "complete -c paddock -f",
    `complete -c paddock -n ${quoted(NO_COMMAND)} -a '(__fish_complete_directories)'`,
    ...COMMANDS.map(({ name, summary }) =>
      `complete -c paddock -n '__paddock_nth 0' -a ${name} -d ${quoted(summary)}`
    ),
    ...SERVER_FLAGS.map((flag) => line(NO_COMMAND, flag)),
    ...COMMANDS.flatMap(commandLines),
    "",
  ].join("\n");
}

function commandLines({ name, words, directories, flags }: CompletedCommand): string[] {
  const when = `__paddock_command ${name}`;
  const folders = words.length > 0 ? `${when}; and not __paddock_nth 1` : when;
  return [
    ...(words.length > 0
      ? [`complete -c paddock -n ${quoted(`${when}; and __paddock_nth 1`)} -a ${quoted(words.join(" "))}`]
      : []),
    ...(directories ? [`complete -c paddock -n ${quoted(folders)} -a '(__fish_complete_directories)'`] : []),
    ...flags.map((flag) => line(when, flag)),
  ];
}

function line(when: string, { name, short, value, description }: CompletedFlag): string {
  const takes = isChoice(value)
    ? ` -x -a ${quoted(value.join(" "))}`
    : value === "files"
    ? " -r -F"
    : value === "directories"
    ? " -x -a '(__fish_complete_directories)'"
    : value === "anything"
    ? " -x"
    : "";
  const letter = short === undefined ? "" : ` -s ${short}`;
  return `complete -c paddock -n ${quoted(when)} -l ${name}${letter}${takes} -d ${quoted(description)}`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
