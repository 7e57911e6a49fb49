/**
 * The real server as a child process on its own port, for tests over HTTP: started, awaited until it answers, stopped
 * with the test. With PADDOCK_EXE set, that executable is tested instead of the source.
 */
import { inShell, serverCommand, type ServerOptions } from "./server.ts";

/** A port that nobody listens on now. Another process may take it first: start() then tries another. */
export function freePort(hostname = "127.0.0.1"): number {
  const listener = Deno.listen({ hostname, port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  return port;
}

export interface HttpServerOptions extends Pick<ServerOptions, "env" | "cwd" | "shell"> {
  /** The port, if a test needs to know it beforehand; otherwise a free one is chosen. */
  port?: number;
  /** The address that the server is asked to listen on, as in a URL. */
  host?: string;
}

export class HttpServer implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #logging: Promise<void>;
  #exited = false;
  readonly port: number;
  /** Without a slash at its end. */
  readonly url: string;
  /** Everything on standard error so far. */
  log = "";
  readonly status: Promise<Deno.CommandStatus>;

  /** Starts `paddock --transport=http --port=P ARGS` and waits until it answers. */
  static async start(args: string[], options: HttpServerOptions = {}): Promise<HttpServer> {
    for (let attempt = 0;; attempt++) {
      const server = new HttpServer(args, options);
      if (await server.#answers()) return server;
      await server.exit();
      const clash = server.log.includes("already in use") && options.port === undefined;
      if (!clash || attempt === 5) throw new Error(`the server did not start:\n${server.log}`);
    }
  }

  private constructor(args: string[], options: HttpServerOptions) {
    this.port = options.port ?? freePort();
    this.url = `http://${options.host ?? "127.0.0.1"}:${this.port}`;
    const command = serverCommand(["--transport=http", `--port=${this.port}`, ...args]);
    const [file = "", ...rest] = inShell(command, options.shell);
    this.#child = new Deno.Command(file, {
      args: rest,
      stdin: "null",
      stdout: "null",
      stderr: "piped",
      env: { NO_COLOR: "1", ...options.env },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    }).spawn();
    this.status = this.#child.status.then((status) => {
      this.#exited = true;
      return status;
    });
    this.#logging = this.#readLog();
  }

  get pid(): number {
    return this.#child.pid;
  }

  kill(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Waits for the end, and returns the exit code. */
  async exit(): Promise<number> {
    const { code } = await this.status;
    await this.#logging;
    return code;
  }

  /** Waits until the log contains the text this many times. */
  async logged(text: string, times = 1): Promise<void> {
    const count = () => this.log.split(text).length - 1;
    for (let i = 0; i < 1_000 && count() < times && !this.#exited; i++) await pause(10);
    if (this.#exited) await this.#logging;
    if (count() < times) throw new Error(`not logged ${times} times: ${JSON.stringify(text)}\n${this.log}`);
  }

  /** A figure of /metrics, by its name or by its name and labels. */
  async metric(name: string, headers: Record<string, string> = {}): Promise<number> {
    const text = await (await fetch(`${this.url}/metrics`, { headers })).text();
    const line = text.split("\n").find((line) => line.startsWith(`paddock_${name} `));
    return line === undefined ? NaN : Number(line.slice(line.lastIndexOf(" ")));
  }

  /** Bytes of memory that the process holds now; Linux only. */
  memory(): number {
    const status = Deno.readTextFileSync(`/proc/${this.pid}/status`);
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#exited) {
      try {
        this.#child.kill("SIGKILL");
      } catch { /* it has ended meanwhile */ }
    }
    await this.exit();
  }

  async #answers(): Promise<boolean> {
    for (let i = 0; i < 1_000 && !this.#exited; i++) {
      try {
        const response = await fetch(`${this.url}/health`);
        if (await response.text() === "ok" && !this.log.includes("already in use")) return true;
      } catch { /* not yet */ }
      await pause(10);
    }
    return false;
  }

  async #readLog(): Promise<void> {
    for await (const chunk of this.#child.stderr.pipeThrough(new TextDecoderStream())) this.log += chunk;
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Asks again until the answer is the expected one; returns the last answer in any case. */
export async function eventually<T>(ask: () => Promise<T> | T, wanted: (value: T) => boolean): Promise<T> {
  for (let i = 0;; i++) {
    const value = await ask();
    if (wanted(value) || i === 500) return value;
    await pause(10);
  }
}
