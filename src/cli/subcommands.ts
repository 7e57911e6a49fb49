/**
 * What the program can do beside serving, one record each. A word counts only as the first argument; the code
 * behind it is loaded only then, so that starting the server costs nothing more. Help, completions and the man
 * page are generated from these records, as they are from those of flags.ts.
 */
import type { FlagRecord } from "./flags.ts";
import { text, toggle } from "./values.ts";

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

export const SUBCOMMANDS = [
  {
    name: "setup",
    form: "CLIENT DIR…",
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
    summary: "print the configuration that makes a client use these directories, or write it",
    details: [
      "Without --write nothing is changed. With it the rest of the file stays as it is, comments included, and " +
      "doing it twice is the same as doing it once.",
      "What stands after -- is given to the server: paddock setup cursor . -- --read-only",
    ],
    examples: ["paddock setup claude-desktop ~/notes", "paddock setup zed --write ~/projects/site"],
  },
  {
    name: "doctor",
    form: "[DIR…]",
    directories: true,
    flags: [
      { name: "json", kind: toggle(), default: "off", description: "Print the findings as one JSON object." },
      HELP,
    ],
    summary: "check on this machine that the fences, locks and writes hold in these directories",
    details: [
      "Works in a temporary folder in each directory (the current one unless told), and leaves nothing behind. " +
      "Known attacks are tried against the tools behind their fence. The exit code is 1 if anything fails.",
    ],
    examples: ["paddock doctor", "paddock doctor --json /srv/data"],
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
