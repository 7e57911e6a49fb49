/** What a person who starts the server at a terminal sees: where it is, and what to paste into a client. */
import type { HttpConfig } from "../../base/config.ts";

/** The listening address as a URL, even if it means every address of the machine. */
export function urlOf({ host, port }: Pick<HttpConfig, "host" | "port">): string {
  return `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`;
}

/** Addresses that mean every address of the machine. */
const EVERYWHERE = ["0.0.0.0", "::", "[::]"];

/** A URL by which it can be reached from this machine. */
export function reachableUrl({ host, port }: Pick<HttpConfig, "host" | "port">): string {
  return urlOf({ host: EVERYWHERE.includes(host) ? "127.0.0.1" : host, port });
}

export function banner(config: HttpConfig): string {
  const everywhere = EVERYWHERE.includes(config.host);
  const url = `${reachableUrl(config)}/mcp`;
  const headers = config.token === undefined ? {} : { headers: { Authorization: "Bearer YOUR_TOKEN" } };
  const show = (value: unknown) => JSON.stringify(value);
  const lines = [
    "",
    `  paddock is at ${url}${
      everywhere ? `, and at every other address of this machine (${config.host})` : ""
    }`,
    "",
    `  Claude Code      claude mcp add --transport http paddock ${url}` +
    (config.token === undefined ? "" : ' --header "Authorization: Bearer YOUR_TOKEN"'),
    `  Cursor           ${show({ mcpServers: { paddock: { url, ...headers } } })}`,
    `  VS Code          ${show({ servers: { paddock: { type: "http", url, ...headers } } })}`,
    `  Zed              ${show({ context_servers: { paddock: { url, ...headers } } })}`,
    `  Claude Desktop   ${
      show({ mcpServers: { paddock: { command: "npx", args: ["-y", "mcp-remote", url] } } })
    }`,
    "",
  ];
  return lines.join("\n");
}
