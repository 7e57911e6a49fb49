/**
 * The three interfaces of the flat surface on one folder, each over stdio and over HTTP, in one common form: so a
 * rule that applies to all of them is tested once, over all of them.
 */
import { assert, assertEquals } from "@std/assert";
import { answerOf, post, SessionClient } from "../../support/http_client.ts";
import { HttpServer } from "../../support/http_server.ts";
import { type Message, TestServer } from "../../support/server.ts";
import { type TempFolder, tempFolder } from "../../support/temp.ts";

export type Arguments = Record<string, unknown>;
export type Operation = "list_files" | "read_file" | "edit_file";

/** A failed call: the message without any prefix, and what else the interface returns. */
export interface Failure {
  message: string;
  code?: number;
  status?: number;
  // deno-lint-ignore no-explicit-any
  data?: any;
}

export interface Face {
  readonly name: "mcp" | "mcp over http" | "rest" | "bare" | "bare over http";
  /** How it counts lines. */
  readonly base: 0 | 1;
  /** The text over MCP, the object otherwise; a failure throws. */
  // deno-lint-ignore no-explicit-any
  ok(operation: Operation, args?: Arguments): Promise<any>;
  /** The failure; a success throws. */
  refused(operation: Operation, args?: Arguments): Promise<Failure>;
}

export interface FlatOptions {
  args?: string[];
}

export class Flat implements AsyncDisposable {
  readonly folder: TempFolder;
  readonly stdio: TestServer;
  readonly http: HttpServer;
  readonly faces: readonly Face[];

  private constructor(folder: TempFolder, { stdio, http, client }: Servers) {
    this.folder = folder;
    this.stdio = stdio;
    this.http = http;
    const onStdio = (method: string, params: unknown) => stdio.request(method, params);
    const onHttp = async (method: string, params: unknown) => {
      const id = `${method} ${crypto.randomUUID()}`;
      const response = await post(`${http.url}/mcp`, { jsonrpc: "2.0", id, method, params });
      assertEquals(response.status, 200);
      return await answerOf(response, id);
    };
    this.faces = [
      toolFace("mcp", (params) => stdio.request("tools/call", params)),
      toolFace("mcp over http", (params) => client.request("tools/call", params)),
      restFace(http.url),
      bareFace("bare", onStdio),
      bareFace("bare over http", onHttp),
    ];
  }

  static async start({ args = [] }: FlatOptions = {}): Promise<Flat> {
    const folder = tempFolder();
    await using stack = new AsyncDisposableStack(); // what was started before something failed
    stack.use(folder);
    const stdio = stack.use(new TestServer([`--dir=${folder.path}`, "--transport=stdio", ...args]));
    const http = stack.use(await HttpServer.start([`--dir=${folder.path}`, ...args]));
    await stdio.initialize("2024-11-05");
    const flat = new Flat(folder, { stdio, http, client: await SessionClient.begin(http.url) });
    stack.move();
    return flat;
  }

  face(name: Face["name"]): Face {
    const face = this.faces.find((face) => face.name === name);
    assert(face !== undefined);
    return face as Face;
  }

  get mcp(): Face {
    return this.face("mcp");
  }

  get rest(): Face {
    return this.face("rest");
  }

  /** Does something with every interface, in a separate file, and names the interface if it fails. */
  async each(test: (face: Face, file: string) => Promise<void>): Promise<void> {
    for (const face of this.faces) {
      try {
        await test(face, `${face.name.replaceAll(" ", "_")}-${crypto.randomUUID().slice(0, 8)}.txt`);
      } catch (error) {
        throw new Error(`over ${face.name}: ${(error as Error).message}`, { cause: error });
      }
    }
  }

  /** Ends it normally, so that coverage is written. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.http.kill("SIGTERM");
    const codes = [await this.stdio.end(), await this.http.exit()];
    this.folder[Symbol.dispose]();
    assertEquals(codes, [0, 0], `${this.stdio.log}\n${this.http.log}`);
  }
}

interface Servers {
  stdio: TestServer;
  http: HttpServer;
  client: SessionClient;
}

/** One Flat for all tests of a file. */
export function sharedFlat(options: FlatOptions = {}): () => Flat {
  let flat: Flat | undefined;
  Deno.test.beforeAll(async () => {
    flat = await Flat.start(options);
  });
  Deno.test.afterAll(async () => {
    await flat?.[Symbol.asyncDispose]();
  });
  return () => {
    if (flat === undefined) throw new Error("the servers were not started");
    return flat;
  };
}

function toolFace(name: Face["name"], call: (params: unknown) => Promise<Message>): Face {
  const run = async (operation: Operation, args: Arguments = {}) => {
    const { result, error } = await call({ name: operation, arguments: args });
    assertEquals(error, undefined); // a failed call is a result, never a protocol error
    assertEquals(Object.keys(result).sort(), ["content", "isError"]);
    assertEquals(result.content.length, 1);
    assertEquals(result.content[0].type, "text");
    return { text: result.content[0].text as string, isError: result.isError as boolean };
  };
  return {
    name,
    base: 0,
    ok: async (operation, args) => {
      const { text, isError } = await run(operation, args);
      if (isError !== false) throw new Error(text);
      return text;
    },
    refused: async (operation, args) => {
      const { text, isError } = await run(operation, args);
      if (isError !== true || !text.startsWith("Error: ")) throw new Error(`not refused: ${text}`);
      return { message: text.slice("Error: ".length) };
    },
  };
}

function restFace(url: string): Face {
  const run = async (operation: Operation, args: Arguments = {}) => {
    const response = await post(`${url}/${operation}`, args);
    assertEquals(response.headers.get("content-type"), "application/json; charset=utf-8");
    return { status: response.status, body: await response.json() };
  };
  return {
    name: "rest",
    base: 1,
    ok: async (operation, args) => {
      const { status, body } = await run(operation, args);
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
      return body;
    },
    refused: async (operation, args) => {
      const { status, body } = await run(operation, args);
      if (status === 200) throw new Error(`not refused: ${JSON.stringify(body)}`);
      assertEquals(Object.keys(body), ["error"]);
      return { status, ...body.error };
    },
  };
}

function bareFace(
  name: Face["name"],
  call: (method: string, params: unknown) => Promise<Message>,
): Face {
  return {
    name,
    base: 1,
    ok: async (operation, args = {}) => {
      const { result, error } = await call(operation, args);
      if (error !== undefined) throw new Error(`${error.code} ${error.message}`);
      return result;
    },
    refused: async (operation, args = {}) => {
      const { result, error } = await call(operation, args);
      if (error === undefined) throw new Error(`not refused: ${JSON.stringify(result)}`);
      return { ...error };
    },
  };
}
