/** What somebody at a terminal is told who does not know the program yet. */
import { NAME, VERSION } from "../base/version.ts";

/** For one who starts it with nothing; `command` is what was typed for it. */
export function firstWords(command: string): string {
  return `${NAME} ${VERSION} lets AI agents read, search and edit files in the directories you choose, and nowhere else.
It is an MCP server: a client, such as Claude Desktop, Cursor or VS Code, starts it. Ways to begin:

  ${command} setup cursor .             shows what to tell a client (setup --help lists all it knows)
  ${command} --transport=http .         serves this folder over HTTP, to any client
  ${command} doctor .                   checks that its fences hold in this folder

error: nothing to serve was given; ${command} --help lists all there is
`;
}

/** For one who starts it as a client would. */
export function waitingWords(command: string): string {
  return `${NAME} waits for an MCP client on standard input, which is this terminal; Ctrl-C ends it.
A client starts it by itself: ${command} setup --help. Without one: ${command} --transport=http DIR
`;
}
