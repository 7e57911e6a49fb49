/**
 * What the program can do beside serving, one record each. A word counts only as the first argument; the code
 * behind it is loaded only then, so that starting the server costs nothing more. Help, completions and the man
 * page are generated from these records, as they are from those of flags.ts.
 */
import type { FlagRecord } from "./flags.ts";
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
  /** What comes after the name, as help writes it. */
  readonly form: string;
  /** What the first argument can be, where it is not a directory. */
  readonly words?: readonly string[];
  /** Whether directories can follow. */
  readonly directories: boolean;
  readonly flags: readonly FlagRecord[];
  /** One sentence for the list of all. */
  readonly summary: string;
  /** The rest of what there is to say, a paragraph each. */
  readonly details: readonly string[];
  readonly examples: readonly string[];
}

const HELP: FlagRecord = {
  name: "help",
  short: "h",
  kind: toggle(),
  default: "off",
  description: "Print the help of this command and exit.",
};

/** Where the records of changes are. */
const STORE_FLAGS = [
  {
    name: "undo-dir",
    kind: text("the path of a folder"),
    placeholder: "DIR",
    default: "where the server keeps them",
    example: "/var/lib/paddock",
    description: "Where changes are recorded.",
  },
  {
    name: "store",
    kind: text("the name of a folder in there", checkStore),
    placeholder: "NAME",
    default: "the directory's own",
    example: "site-1x2y3z-abc",
    description: "Use this store, of a directory that was there before.",
  },
] as const satisfies readonly FlagRecord[];

const CONFIRM_FLAGS: readonly FlagRecord[] = [
  { name: "dry-run", kind: toggle(), default: "off", description: "Only show what would be done." },
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
        description: "Put it into the client's file, after showing the difference and keeping a backup.",
      },
      {
        name: "remove",
        kind: toggle(),
        default: "off",
        description: "Take the server out of the client's file again, in the same careful way.",
      },
      {
        name: "workspaces-root",
        kind: text("the path of a directory"),
        placeholder: "DIR",
        default: "none",
        example: "~/agents",
        description: "Have the client use workspaces in this directory, in place of DIR….",
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
        description: "What the client is to call this server.",
      },
      HELP,
    ],
    summary: "print, or write, the configuration for a client to use directories",
    details: [
      "Without --write or --remove nothing is changed. With one of them the rest of the file stays as it is, comments included, and " +
      "doing it twice is the same as doing it once.",
      "What stands after -- is given to the server: paddock setup cursor . -- --read-only",
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
    summary: "check that fences, locks and writes hold in directories here",
    details: [
      "Works in a temporary folder in each directory (the current one unless told), and leaves nothing behind. " +
      "Known attacks are tried against the tools behind their fence. The exit code is 1 if anything fails.",
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
        description: "Only what was changed there.",
      },
      {
        name: "since",
        kind: text("a time"),
        placeholder: "TIME",
        default: "the beginning",
        example: "2026-01-31T12:00:00Z",
        description: "Only what was changed since then; without a zone it is local.",
      },
      {
        name: "client",
        kind: text("a client's name"),
        placeholder: "NAME",
        default: "all",
        example: "claude-code",
        description: "Only what this client changed.",
      },
      {
        name: "limit",
        kind: integer(1, 10_000),
        placeholder: "N",
        default: "20",
        example: "50",
        description: "How many changes.",
      },
      { name: "json", kind: toggle(), default: "off", description: "Print them as one JSON object." },
      ...STORE_FLAGS,
      HELP,
    ],
    summary: "show what agents changed in a directory, the newest first",
    details: ["The directory is the current one unless told."],
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
        description: "Take the last N changes back, where no ids are given.",
      },
      ...CONFIRM_FLAGS,
      ...STORE_FLAGS,
      HELP,
    ],
    summary: "take back what agents changed: by id, or the last changes",
    details: [
      "Shows the difference and asks first. Without a terminal and without --yes it only shows. What was changed since " +
      "is kept; what does not fit is a conflict, and then nothing is changed. Undoing an undo does it again.",
      "The exit code is 0 when it was done or shown, 2 for a conflict, 3 when there is nothing to undo.",
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
        default: "none; it has to be given",
        example: "6a6najf9",
        description: "Right after this change, or at this time; without a zone it is local.",
      },
      ...CONFIRM_FLAGS,
      ...STORE_FLAGS,
      HELP,
    ],
    summary: "bring a file or folder to what it was after a change, or at a time",
    details: [
      "--at has to be given. What is not known of that time stays as it is. The exit codes are those of undo.",
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
        kind: text("an IP address or a name of this machine", checkListenHost),
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
        description: "Host values accepted beside localhost, for containers and proxies.",
      },
      { name: "read-only", kind: toggle(), default: "off", description: "Only look: nothing can be undone." },
      STORE_FLAGS[0],
      HELP,
    ],
    summary: "show in a browser what agents changed, and take it back",
    details: [
      "Prints an address that opens the page, once; Enter prints a fresh one. What is shown are the changes of every " +
      "server on these directories (the current one unless told), as they are made.",
    ],
    examples: ["paddock console ~/projects/site", "paddock console --workspaces-root=./data --port=9000"],
  },
  {
    name: "completions",
    form: "SHELL",
    words: SHELLS,
    directories: false,
    flags: [HELP],
    summary: "print the script that completes paddock's arguments in a shell",
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

/** The record that a first argument stands for. A folder of that name is meant by `./doctor`. */
export function subcommandNamed(word: string | undefined): SubcommandRecord | undefined {
  return SUBCOMMANDS.find(({ name }) => name === word);
}

/** The lines of the general help. */
export function subcommandsHelp(name: string): string[] {
  const forms = SUBCOMMANDS.map((command) => `${name} ${command.name} ${command.form}`.trimEnd());
  const width = Math.max(...forms.map((form) => form.length));
  return [
    `Commands (a folder of such a name is served as ./${SUBCOMMANDS[1].name}):`,
    ...SUBCOMMANDS.map(({ summary }, i) => `  ${(forms[i] ?? "").padEnd(width)}  ${summary}`),
  ];
}

function checkName(given: string) {
  return /^[A-Za-z0-9_-]{1,64}$/.test(given) ? { value: given } : { reason: "" };
}

function checkStore(given: string) {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,150}$/.test(given) ? { value: given } : { reason: "" };
}
