/**
 * The real server as a child process, with raw JSON lines, so that tests can send what no client would. With
 * PADDOCK_EXE set (relative to the repository), that executable is tested instead of `deno run main.ts`. The test
 * command sets PADDOCK_MAIN to a bundle of the program, which starts with half the processor time of its sources.
 * With PADDOCK_JITLESS=1 Deno runs without a JIT compiler and without WebAssembly, like a small engine.
 */
import { NO_UNDO_ENV } from "./no_undo.ts";

/** Ends in a slash. */
export const REPOSITORY = pathOf(new URL("../../", import.meta.url));
export const MAIN = `${REPOSITORY}main.ts`;

/** Without the slash before the drive in a URL. */
function pathOf({ pathname }: URL): string {
  return decodeURIComponent(pathname).replace(/^\/(?=[a-z]:)/i, "");
}

export interface Message {
  jsonrpc?: string;
  id?: string | number | null;
  method?: string;
  // deno-lint-ignore no-explicit-any
  result?: any;
  // deno-lint-ignore no-explicit-any
  error?: { code: number; message: string; data?: any };
  // deno-lint-ignore no-explicit-any
  params?: any;
}

export interface ToolAnswer {
  text: string;
  isError: boolean;
  // deno-lint-ignore no-explicit-any
  value: any;
}

export interface ServerOptions {
  /** What comes before the arguments, instead of `deno run -A main.ts` or PADDOCK_EXE. */
  command?: string[];
  env?: Record<string, string>;
  cwd?: string;
  /** Run through a shell, with `$SERVER` standing for the command: for redirections. */
  shell?: string;
}

/** The executable under test, if it is one. */
export function testedExecutable(): string | undefined {
  const given = Deno.env.get("PADDOCK_EXE");
  if (given === undefined || given === "") return undefined;
  return /^([a-z]:)?[/\\]/i.test(given) ? given : `${REPOSITORY}${given}`;
}

/** The command, run through the shell line in which `$SERVER` stands for it, if there is one. */
export function inShell(command: string[], shell: string | undefined): string[] {
  if (shell === undefined) return command;
  return ["sh", "-c", shell.replace("$SERVER", command.map((part) => `'${part}'`).join(" "))];
}

/** The module that `deno run` starts: the program's bundle, if there is one, or main.ts. */
function testedMain(): string {
  return Deno.env.get("PADDOCK_MAIN") || MAIN;
}

/** The command line that starts the server. */
export function serverCommand(args: string[]): string[] {
  const executable = testedExecutable();
  return executable === undefined
    ? [Deno.execPath(), "run", "-A", ...engineFlags(), testedMain(), ...args]
    : [executable, ...args];
}

/** V8 without its compilers has no WebAssembly either, in main and in every Worker. */
function engineFlags(): string[] {
  return Deno.env.get("PADDOCK_JITLESS") === "1" ? ["--v8-flags=--jitless"] : [];
}

/** The same without permission to load libraries: the kernel fence can be neither set up nor queried. */
export function commandWithoutLibraries(args: string[]): string[] {
  const permissions = ["--allow-read", "--allow-write", "--allow-env", "--allow-sys", "--no-prompt"];
  return [Deno.execPath(), "run", ...permissions, testedMain(), ...args];
}

/** Where npm and npx keep their downloads. */
export function npmCache(): string {
  return Deno.env.get("npm_config_cache") ??
    (Deno.build.os === "windows"
      ? `${Deno.env.get("LOCALAPPDATA")}/npm-cache`
      : `${Deno.env.get("HOME")}/.npm`);
}

/**
 * What the SDKs' clients, which start a server with few of their variables, have to pass on: where packages are.
 * Otherwise they would be downloaded again, into the home folder, where npx would leave a log as well.
 */
export function clientEnv(): Record<string, string> {
  const cache = Deno.env.get("DENO_DIR");
  return {
    ...(cache === undefined ? {} : { DENO_DIR: cache }),
    ...NO_UNDO_ENV,
    npm_config_cache: npmCache(),
    npm_config_prefer_offline: "true", // what is in the cache is not requested again
    npm_config_logs_max: "0",
    npm_config_update_notifier: "false",
  };
}

export class TestServer implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #encoder = new TextEncoder();
  readonly #waiting = new Map<string | number, (message: Message) => void>();
  readonly #unclaimed: Message[] = [];
  readonly #onUnclaimed: ((message: Message) => void)[] = [];
  readonly #reading: Promise<void>;
  readonly #logging: Promise<void>;
  #nextId = 1;
  #exited = false;
  /** Everything on standard error so far. */
  log = "";
  /** Everything on standard output so far, as lines. */
  readonly lines: string[] = [];
  readonly status: Promise<Deno.CommandStatus>;

  constructor(args: string[], options: ServerOptions = {}) {
    const command = options.command === undefined ? serverCommand(args) : [...options.command, ...args];
    const [file = "", ...rest] = inShell(command, options.shell);
    this.#child = new Deno.Command(file, {
      args: rest,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      env: { NO_COLOR: "1", ...options.env },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.status = this.#child.status.then((status) => {
      this.#exited = true;
      return status;
    });
    this.#reading = this.#readLines();
    this.#logging = this.#readLog();
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** The handshake that every real client begins with. */
  async initialize(protocolVersion = "2025-06-18", client = "test"): Promise<Message> {
    const answer = await this.request("initialize", {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: client, version: "1" },
    });
    await this.notify("notifications/initialized");
    return answer;
  }

  async request(method: string, params?: unknown, id: string | number = this.#nextId++): Promise<Message> {
    const answer = this.answerTo(id);
    await this.send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
    return await answer;
  }

  async notify(method: string, params?: unknown): Promise<void> {
    await this.send({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) });
  }

  /** Calls a tool and unwraps the answer; a JSON-RPC error throws. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const { result, error } = await this.request("tools/call", { name, arguments: args });
    if (error !== undefined) throw new Error(`${name}: ${error.code} ${error.message}`);
    return {
      text: result.content[0]?.text ?? "",
      isError: result.isError ?? false,
      value: result.structuredContent,
    };
  }

  /** The answer to a request with this id, whoever sends it. */
  answerTo(id: string | number): Promise<Message> {
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  /** The next message that answers no request of ours: notifications and errors without an id. */
  next(): Promise<Message> {
    const waiting = this.#unclaimed.shift();
    if (waiting !== undefined) return Promise.resolve(waiting);
    return new Promise((resolve) => this.#onUnclaimed.push(resolve));
  }

  send(message: unknown): Promise<void> {
    return this.sendRaw(JSON.stringify(message) + "\n");
  }

  async sendRaw(text: string | Uint8Array): Promise<void> {
    await this.#writer.write(typeof text === "string" ? this.#encoder.encode(text) : text);
  }

  /** Waits until the log contains the text. */
  async logged(text: string): Promise<void> {
    for (let i = 0; i < 1000 && !this.log.includes(text); i++) {
      if (this.#exited) await this.#logging;
      if (this.log.includes(text)) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    if (!this.log.includes(text)) throw new Error(`never logged ${JSON.stringify(text)}:\n${this.log}`);
  }

  kill(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Closes standard input, as clients do to end a server, and waits for its exit code. */
  async end(): Promise<number> {
    await this.#writer.close().catch(() => {});
    return await this.exit();
  }

  async exit(): Promise<number> {
    const { code } = await this.status;
    await Promise.all([this.#reading, this.#logging]);
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#exited) {
      try {
        this.#child.kill("SIGKILL");
      } catch { /* it has ended meanwhile */ }
    }
    await this.#writer.close().catch(() => {});
    await this.exit();
  }

  async #readLines(): Promise<void> {
    const lines = this.#child.stdout.pipeThrough(new TextDecoderStream());
    let rest = "";
    for await (const chunk of lines) {
      const parts = (rest + chunk).split("\n");
      rest = parts.pop() ?? "";
      for (const line of parts) this.#take(line);
    }
  }

  #take(line: string): void {
    this.lines.push(line);
    const parsed = JSON.parse(line) as Message | Message[];
    for (const message of Array.isArray(parsed) ? parsed : [parsed]) {
      const { id } = message;
      const waiting = id === undefined || id === null ? undefined : this.#waiting.get(id);
      if (waiting !== undefined && id !== undefined && id !== null) {
        this.#waiting.delete(id);
        waiting(message);
      } else {
        const taker = this.#onUnclaimed.shift();
        if (taker === undefined) this.#unclaimed.push(message);
        else taker(message);
      }
    }
  }

  async #readLog(): Promise<void> {
    for await (const chunk of this.#child.stderr.pipeThrough(new TextDecoderStream())) this.log += chunk;
  }
}

/** Runs the server to its end with nothing on standard input; for mistakes, help and version. */
export async function runToEnd(
  args: string[],
  options: ServerOptions = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const [file = "", ...rest] = options.command === undefined
    ? serverCommand(args)
    : [...options.command, ...args];
  const output = await new Deno.Command(file, {
    args: rest,
    stdin: "null",
    env: { NO_COLOR: "1", ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  }).output();
  const decoder = new TextDecoder();
  return { code: output.code, stdout: decoder.decode(output.stdout), stderr: decoder.decode(output.stderr) };
}

/** Compiles a program of the tests, with the Worker that it starts; returns its path. */
export async function compiled(
  main: string,
  { include, output }: { include: string; output: string },
): Promise<string> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["compile", "--quiet", "--no-check", "-A", `--include=${include}`, `--output=${output}`, main],
    cwd: REPOSITORY,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return output;
}
