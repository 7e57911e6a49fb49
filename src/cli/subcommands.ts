/**
 * What the program does besides serving, one record each. A word counts only as the first argument, and its
 * code is loaded only then, so the server starts just as fast. Help, completions and the man page are
 * generated from these records and those in flags.ts.
 */
import type { FlagRecord } from "./flags.ts";
import { nearest } from "./mistakes.ts";
import { checkAllowedHost, checkListenHost } from "./net_names.ts";
import { integer, list, text, toggle } from "./values.ts";

export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = typeof SHELLS[number];

export const CLIENTS = [
  "claude-desktop",
  "claude-code",
  "cursor",
  "vscode",
  "zed",
  "windsurf",
  "gemini-cli",
  "codex",
  "cline",
  "continue",
  "jetbrains",
] as const;
export type ClientName = typeof CLIENTS[number];

export interface SubcommandRecord {
  readonly name: string;
  /** What follows the name, as help shows it. */
  readonly form: string;
  /** What the first argument can be, if not a directory. */
  readonly words?: readonly string[];
  /** Whether directories can follow. */
  readonly directories: boolean;
  readonly flags: readonly FlagRecord[];
  /** One line for the list of commands. */
  readonly summary: string;
  /** More paragraphs for the command's own help. */
  readonly details: readonly string[];
  readonly examples: readonly string[];
}

const HELP: FlagRecord = {
  name: "help",
  short: "h",
  kind: toggle(),
  default: "off",
  description: "Print help for this command and exit.",
};

const STORE_FLAGS = [
  {
    name: "undo-dir",
    kind: text("the path of a folder"),
    placeholder: "DIR",
    default: "where the server records them",
    example: "/var/lib/paddock",
    description: "Where changes are recorded.",
  },
  {
    name: "store",
    kind: text("the name of a folder in the undo folder", checkStore),
    placeholder: "NAME",
    default: "the directory's own",
    example: "site-1x2y3z-abc",
    description: "Use this store, for example that of a directory since replaced.",
  },
] as const satisfies readonly FlagRecord[];

const CONFIRM_FLAGS: readonly FlagRecord[] = [
  { name: "dry-run", kind: toggle(), default: "off", description: "Only show what would change." },
  { name: "yes", short: "y", kind: toggle(), default: "off", description: "Do it without asking." },
];

export const SUBCOMMANDS = [
  {
    name: "setup",
    form: "CLIENT [DIR…]",
    words: CLIENTS,
    directories: true,
    flags: [
      {
        name: "write",
        kind: toggle(),
        default: "off",
        description: "Write to the client's file, after showing a diff and saving a backup.",
      },
      {
        name: "remove",
        kind: toggle(),
        default: "off",
        description: "Remove the server from the client's file, with the same diff and backup.",
      },
      {
        name: "workspaces-root",
        kind: text("the path of a directory"),
        placeholder: "DIR",
        default: "none",
        example: "~/agents",
        description: "Serve the workspaces in this directory instead of DIR….",
      },
      {
        name: "file",
        kind: text("the path of the client's configuration file"),
        placeholder: "FILE",
        default: "where the client looks for it",
        example: "~/.cursor/mcp.json",
        description: "The file to write to.",
      },
      {
        name: "name",
        kind: text("a name of letters, digits, - and _", checkName),
        placeholder: "NAME",
        default: "paddock",
        example: "notes",
        description: "Name of this server in the client.",
      },
      HELP,
    ],
    summary: "print or write a client's configuration for these directories",
    details: [
      "Without --write or --remove nothing is changed. With them, the rest of the file stays as it is, comments " +
      "included, and a second run changes nothing more.",
      "Arguments after -- are passed to the server: paddock setup cursor . -- --read-only",
    ],
    examples: [
      "paddock setup claude-desktop ~/notes",
      "paddock setup zed --write ~/projects/site",
      "paddock setup codex --write --workspaces-root=~/agents",
      "paddock setup codex --remove",
    ],
  },
  {
    name: "doctor",
    form: "[DIR…]",
    directories: true,
    flags: [
      { name: "json", kind: toggle(), default: "off", description: "Print the findings as one JSON object." },
      HELP,
    ],
    summary: "check that fences, locks and safe writes work in your directories",
    details: [
      "Works in a temporary folder in each directory (default: the current one) and leaves nothing behind. " +
      "Tries known attacks against the fenced tools. The exit code is 1 if anything fails.",
    ],
    examples: ["paddock doctor", "paddock doctor --json /srv/data"],
  },
  {
    name: "log",
    form: "[DIR]",
    directories: true,
    flags: [
      {
        name: "path",
        kind: text("a path relative to the directory"),
        placeholder: "PATH",
        default: "all",
        example: "src/main.ts",
        description: "Only changes to this path.",
      },
      {
        name: "since",
        kind: text("a time"),
        placeholder: "TIME",
        default: "the beginning",
        example: "2026-01-31T12:00:00Z",
        description: "Only changes since then; local time unless a zone is given.",
      },
      {
        name: "client",
        kind: text("a client's name"),
        placeholder: "NAME",
        default: "all",
        example: "claude-code",
        description: "Only changes by this client.",
      },
      {
        name: "limit",
        kind: integer(1, 10_000),
        placeholder: "N",
        default: "20",
        example: "50",
        description: "How many changes to show.",
      },
      { name: "json", kind: toggle(), default: "off", description: "Print them as one JSON object." },
      ...STORE_FLAGS,
      HELP,
    ],
    summary: "show what agents changed in a directory, newest first",
    details: ["The default directory is the current one."],
    examples: ["paddock log", "paddock log ~/projects/site --path=src --since=2026-01-31"],
  },
  {
    name: "undo",
    form: "[DIR] [ID…]",
    directories: true,
    flags: [
      {
        name: "last",
        kind: integer(1, 1_000),
        placeholder: "N",
        default: "1",
        example: "3",
        description: "Undo the last N changes, if no ids are given.",
      },
      ...CONFIRM_FLAGS,
      ...STORE_FLAGS,
      HELP,
    ],
    summary: "undo what agents changed: by id, or the last changes",
    details: [
      "Shows the diff and asks first; without a terminal or --yes it only shows the diff. Later changes " +
      "are kept; if they cannot be merged, that is a conflict and nothing is changed. Undoing an undo redoes it.",
      "The exit code is 0 if the changes were made or shown, 2 for a conflict, 3 if there is nothing to undo.",
    ],
    examples: [
      "paddock undo",
      "paddock undo ~/projects/site 6a6najf9 --yes",
      "paddock undo --last=3 --dry-run",
    ],
  },
  {
    name: "restore",
    form: "DIR PATH",
    directories: true,
    flags: [
      {
        name: "at",
        kind: text("the id of a change, or a time"),
        placeholder: "ID|TIME",
        default: "none; required",
        example: "6a6najf9",
        description: "Right after this change, or at this time; local time unless a zone is given.",
      },
      ...CONFIRM_FLAGS,
      ...STORE_FLAGS,
      HELP,
    ],
    summary: "restore a file or folder to its state after a change, or at a time",
    details: [
      "--at is required. What was not recorded then stays as it is. The exit codes are those of undo.",
    ],
    examples: ["paddock restore . src/main.ts --at=6a6najf9"],
  },
  {
    name: "console",
    form: "[DIR…]",
    directories: true,
    flags: [
      {
        name: "workspaces-root",
        kind: text("the path of a directory"),
        placeholder: "DIR",
        default: "none",
        example: "./data",
        description: "Show the workspaces in this directory too.",
      },
      {
        name: "port",
        kind: integer(1, 65_535),
        placeholder: "PORT",
        default: "8092",
        example: "8092",
        description: "Port to listen on.",
      },
      {
        name: "host",
        kind: text("an IP address or host name of this machine", checkListenHost),
        placeholder: "HOST",
        default: "127.0.0.1",
        example: "127.0.0.1",
        description: "Address to listen on.",
      },
      {
        name: "allowed-hosts",
        kind: list("host names", checkAllowedHost),
        placeholder: "NAME,…",
        default: "none",
        example: "files.example.com",
        description: "Host header values to accept besides localhost, for containers and proxies.",
      },
      {
        name: "read-only",
        kind: toggle(),
        default: "off",
        description: "Only show changes; nothing can be undone.",
      },
      STORE_FLAGS[0],
      HELP,
    ],
    summary: "show in a browser what agents changed, and undo it",
    details: [
      "Prints an address that opens the page once; press Enter for a new one. The page shows the changes of every " +
      "server on these directories (default: the current one) as they happen.",
    ],
    examples: ["paddock console ~/projects/site", "paddock console --workspaces-root=./data --port=9000"],
  },
  {
    name: "completions",
    form: "SHELL",
    words: SHELLS,
    directories: false,
    flags: [HELP],
    summary: "print a shell's completion script for paddock",
    details: [
      "bash: paddock completions bash > ~/.local/share/bash-completion/completions/paddock",
      "zsh: paddock completions zsh > a folder of your $fpath, as _paddock",
      "fish: paddock completions fish > ~/.config/fish/completions/paddock.fish",
      "powershell: paddock completions powershell >> $PROFILE",
    ],
    examples: ["paddock completions bash"],
  },
  {
    name: "man",
    form: "",
    directories: false,
    flags: [HELP],
    summary: "print the manual page",
    details: [],
    examples: ["paddock man | man -l -"],
  },
] as const satisfies readonly SubcommandRecord[];

export type SubcommandName = typeof SUBCOMMANDS[number]["name"];

/** The command a first argument names. To serve a folder of that name, write `./doctor`. */
export function subcommandNamed(word: string | undefined): SubcommandRecord | undefined {
  return SUBCOMMANDS.find(({ name }) => name === word);
}

/** Commands of other programs, and their equivalents here. */
const SPELLED_OTHERWISE = new Map([
  ["help", "--help"],
  ["version", "--version"],
  ["install", "setup"],
]);

/** The command or flag that a first argument probably meant, if it is not a directory. */
export function commandMeantBy(word: string): string | undefined {
  if (!/^[A-Za-z]+$/.test(word)) return undefined;
  const near = nearest(word, [...SUBCOMMANDS.map(({ name }) => name), ...SPELLED_OTHERWISE.keys()]);
  return near === undefined ? undefined : SPELLED_OTHERWISE.get(near) ?? near;
}

export function subcommandsHelp(name: string): string[] {
  const forms = SUBCOMMANDS.map((command) => `${name} ${command.name} ${command.form}`.trimEnd());
  const width = Math.max(...forms.map((form) => form.length));
  return [
    `Commands (to serve a folder of that name, write ./${SUBCOMMANDS[1].name}):`,
    ...SUBCOMMANDS.map(({ summary }, i) => `  ${(forms[i] ?? "").padEnd(width)}  ${summary}`),
  ];
}

function checkName(given: string) {
  return /^[A-Za-z0-9_-]{1,64}$/.test(given) ? { value: given } : { reason: "" };
}

function checkStore(given: string) {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,150}$/.test(given) ? { value: given } : { reason: "" };
}
