/**
 * Every flag, one record each. Parsing, validation, the config file's keys, `--help` and the table of flags
 * in the documentation are all generated from these records: to add a flag, add a record (and read its value
 * in resolve.ts).
 */
import { TEXT_FORMS, TOOL_NAMES } from "../base/config.ts";
import { LOG_FORMATS, LOG_LEVELS } from "../base/log.ts";
import { NAME, VERSION } from "../base/version.ts";
import { checkSessionId } from "./acp_session_id.ts";
import { checkAllowedHost, checkCorsOrigin, checkListenHost } from "./net_names.ts";
import { subcommandsHelp } from "./subcommands.ts";
import { choice, integer, list, text, toggle, type ValueKind, type ValueOf } from "./values.ts";

export interface FlagRecord {
  readonly name: string;
  readonly short?: string;
  readonly kind: ValueKind;
  /** How help writes the value; toggles have none. */
  readonly placeholder?: string;
  /** The default, as help words it. */
  readonly default: string;
  /** Environment variable with the same effect. */
  readonly env?: string;
  /** The variable holds a secret rather than the flag's value, so it is never quoted. */
  readonly envIsSecret?: true;
  /** Config file key with the same effect. */
  readonly fileKey?: string;
  /** Has no effect on stdio. */
  readonly httpOnly?: true;
  /** A value for the example at the end of an error message. */
  readonly example?: string;
  readonly description: string;
}

export const DEFAULTS = {
  host: "127.0.0.1",
  port: 8091,
  flatPort: 8080,
  workspacesPort: 8080,
  maxSizeMb: 10,
  timeoutSeconds: 10,
  logLevel: "info",
  maxFullReadSize: 1_048_576,
} as const;

export const FLAGS = [
  {
    name: "config",
    kind: text("the path of a YAML file"),
    placeholder: "FILE",
    default: "none",
    example: "paddock.yaml",
    description: "Serve the roots listed in this YAML file, each with its own allowed tools.",
  },
  {
    name: "dir",
    kind: text("the path of a directory"),
    placeholder: "DIR",
    default: "none",
    example: "/srv/notes",
    description: "Serve the files of one folder by plain names, with three line-based tools.",
  },
  {
    name: "workspaces-root",
    kind: text("the path of a directory"),
    placeholder: "DIR",
    default: "none",
    env: "WORKSPACES_ROOT",
    example: "/srv/workspaces",
    description: "Serve the workspaces in this directory: folders where every change is a git commit.",
  },
  {
    name: "classic",
    kind: toggle(),
    default: "off",
    description:
      "Offer the tools of @modelcontextprotocol/server-filesystem, as a drop-in replacement for it.",
  },
  {
    name: "transport",
    kind: choice(["stdio", "http"]),
    placeholder: "stdio|http",
    default: "stdio; http with --config or --dir",
    env: "MCP_TRANSPORT",
    fileKey: "transport",
    example: "http",
    description: "How clients connect; required with --workspaces-root.",
  },
  {
    name: "port",
    kind: integer(1, 65535),
    placeholder: "PORT",
    default: `${DEFAULTS.port}; ${DEFAULTS.flatPort} with --dir or --workspaces-root`,
    env: "PORT",
    fileKey: "port",
    httpOnly: true,
    example: "8091",
    description: "Port to listen on, with http.",
  },
  {
    name: "host",
    kind: text("a host name or IP address", checkListenHost),
    placeholder: "ADDRESS",
    default: DEFAULTS.host,
    fileKey: "host",
    httpOnly: true,
    example: "127.0.0.1",
    description: "Address to listen on, with http. Set a token before you expose it to a network.",
  },
  {
    name: "max-size",
    kind: integer(1, 100),
    placeholder: "MB",
    default: String(DEFAULTS.maxSizeMb),
    fileKey: "max_size_mb",
    example: "20",
    description: "Largest request, and largest text file processed as a whole, in MiB.",
  },
  {
    name: "timeout",
    kind: integer(1, 300),
    placeholder: "SECONDS",
    default: String(DEFAULTS.timeoutSeconds),
    fileKey: "timeout_seconds",
    example: "30",
    description: "Time limit of a call; a change that has begun is always completed.",
  },
  {
    name: "read-only",
    kind: toggle(),
    default: "off",
    fileKey: "read_only",
    description: "Offer no tool that changes anything.",
  },
  {
    name: "tool-names",
    kind: choice(TOOL_NAMES),
    placeholder: "plain|slash",
    default: "plain",
    example: "slash",
    description: "List the tools of the workspaces surface as fs_write_file or as fs/write_file.",
  },
  {
    name: "tools",
    kind: list("names of tools, separated by commas", (value) => ({ value })),
    placeholder: "NAME[,NAME…]",
    default: "all that the root allows",
    fileKey: "tools",
    example: "read_file,grep,edit_file",
    description: "Offer only these tools, for a shorter list in the model's context. Can be repeated.",
  },
  {
    name: "text",
    kind: choice(TEXT_FORMS),
    placeholder: "json|compact",
    default: "json",
    fileKey: "text",
    example: "compact",
    description: "The form of results that models read: JSON, or the same facts in fewer tokens.",
  },
  {
    name: "log-format",
    kind: choice(LOG_FORMATS),
    placeholder: "text|json",
    default: "text; json with --config",
    fileKey: "log_format",
    example: "json",
    description: "Format of the log lines, which go to stderr.",
  },
  {
    name: "log-level",
    kind: choice(LOG_LEVELS),
    placeholder: "debug|info|warn|error",
    default: DEFAULTS.logLevel,
    fileKey: "log_level",
    example: "debug",
    description: "Lowest level to log.",
  },
  {
    name: "auth-token-file",
    kind: text("the path of a file that holds the token"),
    placeholder: "FILE",
    default: "no token",
    env: "PADDOCK_TOKEN",
    envIsSecret: true,
    fileKey: "auth_token_file",
    httpOnly: true,
    example: "/run/secrets/paddock_token",
    description: "File with the bearer token for http; the environment variable holds the token itself.",
  },
  {
    name: "allowed-hosts",
    kind: list("host names without a port, separated by commas", checkAllowedHost),
    placeholder: "NAME[,NAME…]",
    default: "localhost only",
    fileKey: "allowed_hosts",
    httpOnly: true,
    example: "files.example.com",
    description:
      "Host header values to accept besides localhost, for containers and proxies. Can be repeated.",
  },
  {
    name: "console",
    kind: toggle(),
    default: "off",
    fileKey: "console",
    httpOnly: true,
    description: "Show what clients do at /console, and let a person undo their changes, with http.",
  },
  {
    name: "cors-origin",
    kind: list("origins of the form http(s)://host[:port], separated by commas", checkCorsOrigin),
    placeholder: "ORIGIN[,ORIGIN…]",
    default: "none",
    fileKey: "cors_origins",
    httpOnly: true,
    example: "https://app.example.com",
    description: "Origins of web pages that may call the server, as http(s)://host[:port]. Can be repeated.",
  },
  {
    name: "acp-events",
    kind: text("the path of a file outside the served directories, or - for stderr"),
    placeholder: "FILE",
    default: "none",
    example: "/run/paddock/events.jsonl",
    description:
      "Append ACP session/update notifications for each multi_edit_text_file call to this file; - is stderr.",
  },
  {
    name: "acp-session-id",
    kind: text("an id of 1 to 200 printable characters without spaces", checkSessionId),
    placeholder: "ID",
    default: "paddock-PID",
    example: "sess_1",
    description: "The session id in these notifications.",
  },
  {
    name: "undo-dir",
    kind: text("the path of a folder"),
    placeholder: "DIR",
    default: "a paddock folder where the system keeps application state, such as ~/.local/state",
    example: "/var/lib/paddock",
    description: "Folder for the records that undo needs; also turns undo on with --dir and --config.",
  },
  {
    name: "no-undo",
    kind: toggle(),
    default: "off",
    env: "PADDOCK_NO_UNDO",
    example: "true",
    description: "Do not record changes; they cannot be undone.",
  },
  {
    name: "require-undo",
    kind: toggle(),
    default: "off",
    description: "Refuse to start, and refuse each change, where undo would be impossible.",
  },
  {
    name: "no-search-cache",
    kind: toggle(),
    default: "off",
    description: "Do not use up to 64 MB of memory to speed up repeated searches.",
  },
  {
    name: "no-sandbox",
    kind: toggle(),
    default: "off",
    description: "Start even if Deno's permissions cannot fence the process in.",
  },
  {
    name: "require-kernel-fence",
    kind: toggle(),
    default: "off",
    description: "Refuse to start without the kernel fence (Landlock, on Linux).",
  },
  {
    name: "help",
    short: "h",
    kind: toggle(),
    default: "off",
    description: "Print this help and exit.",
  },
  {
    name: "version",
    short: "V",
    kind: toggle(),
    default: "off",
    description: "Print the version and exit.",
  },
] as const satisfies readonly FlagRecord[];

type Flag = typeof FLAGS[number];
export type FlagName = Flag["name"];

/** Values by flag name; flags nobody set are absent. */
export type FlagValues = { readonly [F in Flag as F["name"]]?: ValueOf<F["kind"]> };

/** The ways to start the program, one per surface. */
export const USAGES = [
  ["DIR…", `serve each DIR as a root named after the folder, on stdio`],
  ["--classic DIR…", `the same, with the tools of the official filesystem server`],
  ["--config=FILE", `serve the roots of a config file, on http port ${DEFAULTS.port}`],
  ["--dir=DIR", `serve the files of one folder by plain names, on http port ${DEFAULTS.flatPort}`],
  ["--workspaces-root=DIR", "serve workspaces with a git history; needs --transport=stdio or http"],
] as const;

export const EXAMPLES = [
  `${NAME} .`,
  `${NAME} --read-only ~/notes ~/projects/site`,
  `${NAME} --transport=http --port=9000 /srv/data`,
  `${NAME} --classic ~/projects/site`,
  `${NAME} --config=paddock.yaml`,
  `${NAME} --dir=/srv/notes`,
  `${NAME} --transport=stdio --workspaces-root=/srv/workspaces`,
] as const;

export function helpText(): string {
  const width = Math.max(...USAGES.map(([form]) => form.length));
  return [
    `${NAME} ${VERSION}: an MCP server for files inside the directories you choose, and nowhere else`,
    "",
    "Usage:",
    ...USAGES.map(([form, meaning]) => `  ${NAME} ${form.padEnd(width)}  ${meaning}`),
    "",
    ...subcommandsHelp(NAME),
    "",
    "Flags (a flag overrides the environment, which overrides the config file):",
    ...FLAGS.flatMap(flagHelp),
    "",
    "Examples:",
    ...EXAMPLES.map((example) => `  ${example}`),
    "",
  ].join("\n");
}

export function versionText(): string {
  return `${NAME} ${VERSION}\n`;
}

/** The table of flags, for the documentation. */
export function flagsMarkdown(): string {
  const records: readonly FlagRecord[] = FLAGS;
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [
    row(["Flag", "Default", "Environment", "Config file", "What it does"]),
    row(["---", "---", "---", "---", "---"]),
    ...records.map((flag) =>
      row([
        spellings(flag).map(code).join(", "),
        flag.default,
        flag.env === undefined ? "" : code(flag.env),
        flag.fileKey === undefined ? "" : code(flag.fileKey),
        sentences(flag),
      ])
    ),
    "",
  ].join("\n");
}

/** The flag as a user would type it, for the end of an error message. */
export function flagExample(flag: FlagRecord): string {
  return flag.example === undefined ? `--${flag.name}` : `--${flag.name}=${flag.example}`;
}

export function flagHelp(flag: FlagRecord): string[] {
  const notes: string[] = [];
  if (flag.kind.type !== "toggle") notes.push(`Default: ${flag.default}.`);
  if (flag.env !== undefined) notes.push(`Environment: ${flag.env}.`);
  if (flag.fileKey !== undefined) notes.push(`Config file: ${flag.fileKey}.`);
  const lines = [sentences(flag), notes.join(" ")].filter((line) => line !== "");
  return [`  ${spellings(flag).join(", ")}`, ...lines.map((line) => `      ${line}`)];
}

/** How the flag can be written. */
export function spellings(flag: FlagRecord): string[] {
  const long = flag.placeholder === undefined ? `--${flag.name}` : `--${flag.name}=${flag.placeholder}`;
  return flag.short === undefined ? [long] : [long, `-${flag.short}`];
}

/** What the flag does, and what it takes. */
export function sentences({ kind, description }: FlagRecord): string {
  return kind.type === "integer" ? `${description} From ${kind.min} to ${kind.max}.` : description;
}

function code(words: string): string {
  return `\`${words}\``;
}
