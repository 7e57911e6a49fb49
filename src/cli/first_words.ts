/** What the program says to somebody at a terminal who does not know it yet. */
import { NAME, VERSION } from "../base/version.ts";

/** For somebody who starts it without arguments; `command` is what they typed. */
export function firstWords(command: string): string {
  return `${NAME} ${VERSION} lets AI agents read, search and edit files in the directories you choose, and nowhere else.
It is an MCP server: a client, such as Claude Desktop, Cursor or VS Code, starts it. Ways to begin:

  ${command} setup cursor .             shows what to put into a client's configuration (setup --help lists the clients)
  ${command} --transport=http .         serves this folder over HTTP, to any client
  ${command} doctor .                   checks that its fences hold in this folder

error: nothing to serve was given; ${command} --help lists everything
`;
}

/** For somebody who starts it as a client would. */
export function waitingWords(command: string): string {
  return `${NAME} is waiting for an MCP client on standard input, which is this terminal. Ctrl-C stops it.
Clients normally start it themselves: see ${command} setup --help. To start it yourself: ${command} --transport=http DIR
`;
}
