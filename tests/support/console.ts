/**
 * The real console as a child process, and the browser's side of the conversation: the token, the cookie, the
 * answers.
 */
import { assert } from "@std/assert";
import type { z } from "zod";
import type { Events } from "../../src/console/api_types.ts";
import { ANSWERS, EVENTS } from "../../src/console/schemas.ts";
import { freePort } from "./http_server.ts";
import { serverCommand } from "./server.ts";

export interface ConsoleOptions {
  args: string[];
  /** Whether it is the console of a server over HTTP, rather than a separate process. */
  isServer?: boolean;
  env?: Record<string, string>;
  port?: number;
}

type AnswerName = keyof typeof ANSWERS;
type Answer<N extends AnswerName> = z.infer<typeof ANSWERS[N]>;

/** A browser that was let in. */
export class ConsoleClient {
  readonly url: string;
  readonly cookie: string;

  private constructor(url: string, cookie: string) {
    this.url = url;
    this.cookie = cookie;
  }

  static async open(address: string): Promise<ConsoleClient> {
    const response = await fetch(address, { redirect: "manual" });
    await response.body?.cancel();
    const cookie = response.headers.get("set-cookie")?.split(";")[0];
    assert(response.status === 303 && cookie !== undefined, `${response.status} for ${address}`);
    return new ConsoleClient(new URL(address).origin, cookie);
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      redirect: "manual",
      ...init,
      headers: { cookie: this.cookie, ...init.headers as Record<string, string> },
    });
  }

  /** An answer that matches the schema exactly, without extra fields. */
  async get<N extends AnswerName>(
    name: N,
    path: string,
    query: Record<string, string | number | string[]> = {},
  ): Promise<Answer<N>> {
    return checked(name, await this.fetch(`/console/api/${path}?${queryText(query)}`));
  }

  async post<N extends AnswerName>(name: N, path: string, body: unknown): Promise<Answer<N>> {
    return checked(name, await this.send(path, body));
  }

  send(path: string, body: unknown): Promise<Response> {
    return this.fetch(`/console/api/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  /** The answer to a refused request. */
  async refusal(status: number, response: Response): Promise<Answer<"Failure">["error"]> {
    const text = await response.text();
    assert(response.status === status, `${response.status} instead of ${status}: ${text.slice(0, 300)}`);
    return ANSWERS.Failure.parse(JSON.parse(text)).error;
  }

  async events(): Promise<EventReader> {
    const controller = new AbortController();
    const response = await this.fetch("/console/api/events", { signal: controller.signal });
    assert(response.status === 200 && response.body !== null, `${response.status} for events`);
    return new EventReader(response.body, controller);
  }
}

export function queryText(query: Record<string, string | number | string[]>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  return search.toString();
}

async function checked<N extends AnswerName>(name: N, response: Response): Promise<Answer<N>> {
  const text = await response.text();
  assert(response.status === 200, `${response.status}: ${text.slice(0, 500)}`);
  const value = JSON.parse(text);
  ANSWERS[name].parse(value);
  const known = JSON.stringify(ANSWERS[name].parse(value), sorted);
  assert(known === JSON.stringify(value, sorted), `${name} has fields that its schema does not know`);
  return value as Answer<N>;
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1));
}

type Told = { [K in keyof Events]: { event: K; data: Events[K] } }[keyof Events];

/** Reads a stream of events. */
export class EventReader implements AsyncDisposable {
  readonly #controller: AbortController;
  readonly #reader: ReadableStreamDefaultReader<string>;
  readonly seen: Told[] = [];
  #text = "";

  constructor(body: ReadableStream<Uint8Array<ArrayBuffer>>, controller: AbortController) {
    this.#controller = controller;
    this.#reader = body.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** The next matching event that was not consumed yet. Throws if the stream ends first. */
  async next<K extends keyof Events>(
    name: K,
    fits: (data: Events[K]) => boolean = () => true,
  ): Promise<Events[K]> {
    for (;;) {
      const found = this.seen.findIndex(({ event, data }) => event === name && fits(data as Events[K]));
      if (found >= 0) return this.seen.splice(found, 1)[0]?.data as Events[K];
      if (!await this.#read()) throw new Error(`the stream ended before ${name}`);
    }
  }

  async ended(): Promise<void> {
    while (await this.#read());
  }

  async #read(): Promise<boolean> {
    const { done, value } = await this.#reader.read();
    if (done) return false;
    this.#text += value;
    const parts = this.#text.split("\n\n");
    this.#text = parts.pop() ?? "";
    for (const part of parts) {
      const field = (name: string) =>
        part.split("\n").find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const event = field("event") as keyof Events | undefined;
      const data = field("data");
      if (event === undefined || data === undefined) continue;
      this.seen.push({ event, data: EVENTS[event].parse(JSON.parse(data)) } as Told);
    }
    return true;
  }

  async [Symbol.asyncDispose]() {
    this.#controller.abort();
    await this.#reader.cancel().catch(() => {});
  }
}

export class ConsoleProcess implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: string[] = [];
  readonly #reading: Promise<unknown>;
  #more = Promise.withResolvers<void>();
  #taken = 0;
  readonly port: number;
  readonly status: Promise<Deno.CommandStatus>;
  /** Everything on standard error so far. */
  log = "";

  constructor({ args, isServer = false, env = {}, port = freePort() }: ConsoleOptions) {
    this.port = port;
    const [file = "", ...rest] = serverCommand([
      ...isServer ? ["--transport=http", "--console"] : ["console"],
      `--port=${this.port}`,
      ...args,
    ]);
    this.#child = new Deno.Command(file, {
      args: rest,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      env: { NO_COLOR: "1", ...env },
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.status = this.#child.status;
    this.#reading = Promise.all([this.#readOutput(), this.#readLog()]);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** The next line on standard output. */
  async line(): Promise<string> {
    while (this.#lines.length <= this.#taken) {
      const ended = this.status.then(() => "ended" as const);
      if (await Promise.race([this.#more.promise, ended]) === "ended") {
        throw new Error(`the console has ended:\n${this.log}`);
      }
    }
    return this.#lines[this.#taken++] ?? "";
  }

  async enter(): Promise<void> {
    await this.#input.write(new TextEncoder().encode("\n"));
  }

  /** Opens the next address that is printed. */
  async client(): Promise<ConsoleClient> {
    return await ConsoleClient.open(await this.line());
  }

  async #readOutput(): Promise<void> {
    let text = "";
    for await (const part of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (text + part).split("\n");
      text = lines.pop() ?? "";
      this.#lines.push(...lines);
      this.#more.resolve();
      this.#more = Promise.withResolvers();
    }
  }

  async #readLog(): Promise<void> {
    for await (const part of this.#child.stderr.pipeThrough(new TextDecoderStream())) this.log += part;
  }

  async stop(signal: Deno.Signal = "SIGTERM"): Promise<Deno.CommandStatus> {
    try {
      this.#child.kill(signal);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // it has ended
    }
    return await this.status;
  }

  async [Symbol.asyncDispose]() {
    await this.stop();
    await this.#input.close().catch(() => {});
    await this.#reading;
  }
}
