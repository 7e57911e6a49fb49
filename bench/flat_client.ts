// paddock's flat surface for one folder, over stdio, started with the command that starts paddock.

import type { Session } from "./session.ts";
import { type Launch, StdioClient } from "./stdio_client.ts";

export function flatLaunch(session: Session, dir: string): Launch {
  const { command, args } = session.server.launch(dir);
  return { command, args: [...args.slice(0, -1), `--dir=${dir}`, "--transport=stdio"] };
}

/** A separate process, after its handshake, with its tools loaded. The caller closes it. */
export async function startFlat(session: Session, dir: string): Promise<StdioClient> {
  const client = new StdioClient(flatLaunch(session, dir));
  try {
    await client.initialize();
    await client.request("tools/list", {});
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** The one that is kept for a folder over all rounds. */
export function keptFlat(session: Session, dir: string): Promise<StdioClient> {
  return session.kept(`flat ${dir}`, () => startFlat(session, dir));
}
