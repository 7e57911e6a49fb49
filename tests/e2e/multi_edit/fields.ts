/**
 * The surfaces that have multi_edit_text_file, each with its own setting: the real process, a folder that it may edit
 * in, and the two ways to name a file there.
 */
import { type Message, TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";

export type Arguments = Record<string, unknown>;

export interface Field extends AsyncDisposable {
  readonly server: TestServer;
  /** Absolute: where files can be edited. */
  readonly path: string;
  /** Absolute: beside it, where they cannot. */
  readonly outside: string;
  /** Arguments that name a file without the host's path. */
  at(name: string): Arguments;
  write(name: string, content: string | Uint8Array): string;
  read(name: string): string;
  /** Another tool that takes the same arguments. */
  readonly readTool: string;
  /** A second process that serves the same folder. */
  another(): Promise<TestServer>;
}

export interface FieldSurface {
  readonly name: string;
  start(args?: string[]): Promise<Field>;
}

const roots: FieldSurface = {
  name: "roots",
  start: async (args = []) => {
    const folder = tempFolder();
    Deno.mkdirSync(`${folder.path}/field`);
    const another = async () => {
      const server = new TestServer([`${folder.path}/field`, ...args]);
      await server.initialize();
      return server;
    };
    const server = await another();
    return {
      server,
      path: `${folder.path}/field`,
      outside: folder.path,
      at: (name) => ({ root: "field", path: name }),
      readTool: "read_file",
      write: (name, content) => folder.write(`field/${name}`, content),
      read: (name) => folder.read(`field/${name}`),
      another,
      [Symbol.asyncDispose]: async () => {
        await server[Symbol.asyncDispose]();
        folder[Symbol.dispose]();
      },
    };
  },
};

const workspaces: FieldSurface = {
  name: "workspaces",
  start: async (args = []) => {
    const folder = tempFolder();
    const another = async () => {
      const server = new TestServer(["--transport=stdio", `--workspaces-root=${folder.path}`, ...args]);
      await server.initialize();
      return server;
    };
    const server = await another();
    const { workspaceId } = (await server.call("workspace_create", { name: "field" })).value;
    return {
      server,
      path: `${folder.path}/${workspaceId}`,
      outside: folder.path,
      at: (name) => ({ workspaceId, path: name }),
      readTool: "fs_read_text_file",
      write: (name, content) => folder.write(`${workspaceId}/${name}`, content),
      read: (name) => folder.read(`${workspaceId}/${name}`),
      another,
      [Symbol.asyncDispose]: async () => {
        await server[Symbol.asyncDispose]();
        folder[Symbol.dispose]();
      },
    };
  },
};

export const SURFACES: readonly FieldSurface[] = [roots, workspaces];

/** A call's answer on the wire. */
export function multiEdit({ server }: Pick<Field, "server">, args: Arguments): Promise<Message> {
  return server.request("tools/call", { name: "multi_edit_text_file", arguments: args });
}

/** Edits in the tool's form, from pairs of old and new. */
export function edits(...pairs: [old: string, now: string][]): Arguments[] {
  return pairs.map(([old_string, new_string]) => ({ old_string, new_string }));
}
