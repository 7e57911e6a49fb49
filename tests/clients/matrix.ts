/** A client library on one surface, over one transport: the real library, and the server as people start it. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { HttpServer } from "../support/http_server.ts";
import { clientEnv, serverCommand } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";
import type { Call, Trial } from "./trials.ts";

/** How a client reaches the server. */
export type Target =
  | { readonly command: string; readonly args: string[]; readonly env: Record<string, string> }
  | { readonly url: string };

/** A connected client, in the terms of the trials. */
export interface Connected {
  tools(): Promise<string[]>;
  /** What a model would get for the call, whether answer or error. */
  call(call: Call): Promise<string>;
  /** The text of a resource; absent if the library does not support resources. */
  read?(uri: string): Promise<string>;
  close(): Promise<unknown>;
}

export interface ClientLibrary {
  readonly name: string;
  connect(target: Target): Promise<Connected>;
}

export const TRANSPORTS = ["stdio", "http"] as const;

type TransportName = typeof TRANSPORTS[number];

export async function tryClient(
  { connect }: ClientLibrary,
  trial: Trial,
  transport: TransportName,
): Promise<void> {
  await tryWith(trial, transport, async (target, root) => await runTrial(await connect(target), trial, root));
}

/** `use` gets a server of its own, and the name of its root if it has one. */
export async function tryWith(
  trial: Trial,
  transport: TransportName,
  use: (target: Target, root: string) => Promise<void>,
): Promise<void> {
  using folder = tempFolder();
  const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
  const serverArgs = ["--log-level=error", ...trial.args(folder.path)];
  if (transport === "http") {
    await using server = await HttpServer.start(serverArgs);
    return await use({ url: `${server.url}/mcp` }, root);
  }
  const [command = "", ...args] = serverCommand(["--transport=stdio", ...serverArgs]);
  await use({ command, args, env: clientEnv() }, root);
}

async function runTrial(client: Connected, trial: Trial, root: string): Promise<void> {
  try {
    const [write, read, fail] = [trial.write(root), trial.read(root), trial.fail(root)];
    const tools = await client.tools();
    for (const { tool } of [write, read, fail]) assert(tools.includes(tool), `${tool} is not listed`);
    if (trial.first !== undefined) await client.call(trial.first);
    await client.call(write);
    assertStringIncludes(await client.call(read), trial.content);
    const told = await client.call(fail);
    assertStringIncludes(told, trial.tells);
    assert(!/^An error occurred/i.test(told), told);
    const uri = trial.resource?.(root);
    if (uri !== undefined && client.read !== undefined) {
      assertEquals((await client.read(uri)).trimEnd(), trial.content);
    }
  } finally {
    await client.close();
  }
}
