/** What a person sees who starts the server on a terminal: where it is, and what to paste into a client. */
import { type HttpConfig } from "../../base/config.ts";

export function urlOf({ host, port }: HttpConfig): string {
  const shown = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${shown.includes(":") ? `[${shown}]` : shown}:${port}`;
}

export function banner(config: HttpConfig): string {
  const url = `${urlOf(config)}/mcp`;
  const headers = config.token === undefined ? {} : { headers: { Authorization: "Bearer YOUR_TOKEN" } };
  const show = (value: unknown) => JSON.stringify(value);
  const lines = [
    "",
    `  paddock is at ${url}`,
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
