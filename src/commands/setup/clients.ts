/**
 * The clients that can be set up: where each keeps its configuration, and the form it expects a server in.
 * The locations come from the clients' own documentation.
 */
import type { Env } from "../../cli/parse.ts";
import type { ClientName } from "../../cli/subcommands.ts";
import type { ServerCommand } from "../../base/program.ts";

export interface Client {
  /** The client's own name for itself. */
  readonly title: string;
  /** The format of its file. Default: JSON. */
  readonly format?: "toml" | "yaml";
  /** The key that contains the servers. */
  readonly key: string;
  /** Whether its file may have comments and trailing commas. */
  readonly comments: boolean;
  readonly entry: (command: ServerCommand) => Record<string, unknown>;
  /** Undefined where the environment variables it depends on are not set. */
  readonly file: (place: Place) => string | undefined;
  /** How to make it read the file again. */
  readonly then: string;
}

export interface Place {
  readonly os: typeof Deno.build.os;
  readonly env: Env;
}

const plain = (server: ServerCommand) => ({ command: server.command, args: server.args });
const typed = (server: ServerCommand) => ({ type: "stdio", ...plain(server) });

export const CLIENT_RECORDS: Record<ClientName, Client> = {
  "claude-desktop": {
    title: "Claude Desktop",
    key: "mcpServers",
    comments: false,
    entry: plain,
    file: (place) => inAppData(place, "Claude/claude_desktop_config.json"),
    then: "quit and restart Claude Desktop",
  },
  "claude-code": {
    title: "Claude Code",
    key: "mcpServers",
    comments: false,
    entry: typed,
    file: () => ".mcp.json", // in the project it is started in
    then: "start claude in this folder and allow the server when it asks",
  },
  cursor: {
    title: "Cursor",
    key: "mcpServers",
    comments: true,
    entry: plain,
    file: (place) => inHome(place, ".cursor/mcp.json"),
    then: "switch the server on in Cursor's settings, under MCP",
  },
  vscode: {
    title: "VS Code",
    key: "servers",
    comments: true,
    entry: typed,
    file: (place) => inAppData(place, "Code/User/mcp.json"),
    then: "run the command MCP: List Servers and start it",
  },
  zed: {
    title: "Zed",
    key: "context_servers",
    comments: true,
    entry: plain,
    file: (place) =>
      place.os === "windows"
        ? inAppData(place, "Zed/settings.json")
        : inConfigHome(place, "zed/settings.json"),
    then: "Zed reads it at once",
  },
  windsurf: {
    title: "Windsurf",
    key: "mcpServers",
    comments: false,
    entry: plain,
    file: (place) => inHome(place, ".codeium/windsurf/mcp_config.json"),
    then: "press the refresh button in Windsurf's MCP panel",
  },
  cline: {
    title: "Cline",
    key: "mcpServers",
    comments: false,
    entry: (server) => ({ ...plain(server), disabled: false }),
    file: (place) =>
      inAppData(
        place,
        "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
      ),
    then: "Cline reads it at once",
  },
  continue: {
    title: "Continue",
    format: "yaml",
    key: "mcpServers",
    comments: true,
    entry: plain,
    file: (place) => inHome(place, ".continue/config.yaml"),
    then: "Continue reads it at once; the tools are available in agent mode",
  },
  codex: {
    title: "Codex CLI",
    format: "toml",
    key: "mcp_servers",
    comments: true,
    entry: plain,
    file: (place) =>
      below(place.env("CODEX_HOME"), "config.toml", place.os) ?? inHome(place, ".codex/config.toml"),
    then: "restart codex",
  },
  jetbrains: {
    title: "JetBrains IDEs (Junie)",
    key: "mcpServers",
    comments: false,
    entry: plain,
    file: (place) => inHome(place, ".junie/mcp/mcp.json"),
    then:
      "Junie reads it at once; for AI Assistant, paste the same text under Settings, Tools, AI Assistant, MCP",
  },
  "gemini-cli": {
    title: "Gemini CLI",
    key: "mcpServers",
    comments: true,
    entry: plain,
    file: (place) => inHome(place, ".gemini/settings.json"),
    then: "restart gemini",
  },
};

export function inHome({ os, env }: Place, path: string): string | undefined {
  return below(os === "windows" ? env("USERPROFILE") ?? env("HOME") : env("HOME"), path, os);
}

/** Where desktop programs keep their data. */
function inAppData(place: Place, path: string): string | undefined {
  const { os, env } = place;
  if (os === "windows") return below(env("APPDATA"), path, os);
  if (os === "darwin") return inHome(place, `Library/Application Support/${path}`);
  return inConfigHome(place, path);
}

function inConfigHome(place: Place, path: string): string | undefined {
  const set = place.os === "darwin" ? undefined : place.env("XDG_CONFIG_HOME");
  return set?.startsWith("/") ? below(set, path, place.os) : inHome(place, `.config/${path}`);
}

function below(folder: string | undefined, path: string, os: Place["os"]): string | undefined {
  if (folder === undefined || folder === "") return undefined;
  const separator = os === "windows" ? "\\" : "/";
  return [folder.replace(/[\\/]+$/, ""), ...path.split("/")].join(separator);
}
