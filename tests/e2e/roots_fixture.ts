/**
 * A server of the roots surface for its specification's tests: several roots from a config file, over HTTP or stdio.
 * Every answer that passes through it is checked for what all answers must respect.
 */
import { assert, assertEquals } from "@std/assert";
import { ROOTS_TOOLS } from "../../src/surfaces/roots/surface.ts";
import { parsed } from "../../src/tools/schema/mod.ts";
import { SessionClient } from "../support/http_client.ts";
import { HttpServer } from "../support/http_server.ts";
import { type Message, TestServer, type ToolAnswer } from "../support/server.ts";
import { type TempFolder, tempFolder } from "../support/temp.ts";

export interface RootSettings {
  name: string;
  /** Below the temporary folder. */
  path: string;
  tools: string[];
}

export type Transport = "http" | "stdio";

export type Arguments = Record<string, unknown>;

interface Connection extends AsyncDisposable {
  readonly pid: number;
  readonly log: string;
  request(method: string, params?: unknown): Promise<Message>;
  call(name: string, args: Arguments): Promise<ToolAnswer>;
}

export interface FixtureOptions {
  transport?: Transport;
  prepare?: (folder: TempFolder) => void;
  /** More lines for the config file. */
  settings?: string;
  args?: string[];
}

export class RootsFixture implements AsyncDisposable {
  readonly folder: TempFolder;
  readonly server: Connection;

  private constructor(folder: TempFolder, server: Connection) {
    this.folder = folder;
    this.server = server;
  }

  /** Starts a server for roots whose folders are created here, empty except for what `prepare` puts there. */
  static async start(roots: readonly RootSettings[], options: FixtureOptions = {}): Promise<RootsFixture> {
    const { transport = "stdio", prepare, settings = "", args = [] } = options;
    const folder = tempFolder();
    for (const { path } of roots) Deno.mkdirSync(`${folder.path}/${path}`, { recursive: true });
    prepare?.(folder);
    const lines = roots.map(({ name, path, tools }) =>
      `  - { name: ${name}, path: ${path}, allowed_tools: ${JSON.stringify(tools)} }\n`
    );
    const config = folder.write("paddock.yaml", `${settings}\nroots:\n${lines.join("")}`);
    return new RootsFixture(folder, await connect([`--config=${config}`, ...args], transport));
  }

  /** Calls a tool that must succeed; its value is checked against the tool's output schema. */
  async ok(name: string, args: Arguments = {}): Promise<ToolAnswer["value"]> {
    return (await this.#succeed(name, args)).value;
  }

  /** The text that a model reads, for a call that must succeed. */
  async text(name: string, args: Arguments): Promise<string> {
    return (await this.#succeed(name, args)).text;
  }

  /** Calls a tool that must fail, and returns the message. */
  async refused(name: string, args: Arguments): Promise<string> {
    const { text, isError, value } = await this.#call(name, args);
    assert(isError, `${name} ${JSON.stringify(args)} was not refused: ${text}`);
    assertEquals(value, undefined, "an error carries text only");
    return text;
  }

  /** The log lines (JSON, with a config file) that have these fields; waits until there is one. */
  async logged(fields: Record<string, unknown>, atLeast = 1): Promise<Record<string, unknown>[]> {
    const matches = (line: Record<string, unknown>) =>
      Object.entries(fields).every(([key, value]) => line[key] === value);
    for (let attempt = 0;; attempt++) {
      const lines = this.server.log.split("\n").slice(0, -1);
      const found = lines.map((line) => JSON.parse(line)).filter(matches);
      if (found.length >= atLeast) return found;
      if (attempt === 500) throw new Error(`never logged ${JSON.stringify(fields)}:\n${this.server.log}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async #succeed(name: string, args: Arguments): Promise<ToolAnswer> {
    const answer = await this.#call(name, args);
    const { value, text, isError } = answer;
    assertEquals(isError, false, `${name} ${JSON.stringify(args)}: ${text}`);
    const tool = ROOTS_TOOLS.find((tool) => tool.name === name);
    assertEquals(tool && parsed(tool.output, value), value, `${name}: not what its output schema says`);
    if (name !== "read_file") assertEquals(JSON.parse(text), value, `${name}: the text is not the value`);
    return answer;
  }

  /** No answer may reveal where on the host a root is. */
  async #call(name: string, args: Arguments): Promise<ToolAnswer> {
    const answer = await this.server.call(name, args);
    assert(!JSON.stringify(answer).includes(this.folder.path), `${name} tells a host path: ${answer.text}`);
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    this.folder[Symbol.dispose]();
  }
}

async function connect(args: string[], transport: Transport): Promise<Connection> {
  if (transport === "http") {
    const server = await HttpServer.start(args);
    return new HttpConnection(server, await SessionClient.begin(server.url));
  }
  const server = new TestServer([...args, "--transport=stdio"]);
  await server.initialize();
  return server;
}

class HttpConnection implements Connection {
  readonly #server: HttpServer;
  readonly #client: SessionClient;

  constructor(server: HttpServer, client: SessionClient) {
    this.#server = server;
    this.#client = client;
  }

  get pid(): number {
    return this.#server.pid;
  }

  get log(): string {
    return this.#server.log;
  }

  request(method: string, params?: unknown): Promise<Message> {
    return this.#client.request(method, params);
  }

  call(name: string, args: Arguments): Promise<ToolAnswer> {
    return this.#client.call(name, args);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server[Symbol.asyncDispose]();
  }
}
