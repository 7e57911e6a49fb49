/** `paddock console` as a child process, which prints the addresses that open its page. */
import { freePort } from "./http_server.ts";
import { serverCommand } from "./server.ts";

export class ConsoleProcess implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: ReadableStreamDefaultReader<string>;
  readonly #logging: Promise<void>;
  #rest = "";
  #exited = false;
  /** Everything on standard error so far. */
  log = "";
  readonly port: number;

  constructor(args: string[], { port = freePort() }: { port?: number } = {}) {
    this.port = port;
    const [file = "", ...rest] = serverCommand(["console", ...args, `--port=${port}`]);
    this.#child = new Deno.Command(file, {
      args: rest,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      env: { NO_COLOR: "1" },
    }).spawn();
    this.#child.status.then(() => this.#exited = true);
    this.#writer = this.#child.stdin.getWriter();
    this.#lines = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    this.#logging = this.#readLog();
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** The next address that it prints. */
  async url(): Promise<string> {
    while (!this.#rest.includes("\n")) {
      const { value, done } = await this.#lines.read();
      if (done) throw new Error(`the console has ended:\n${this.log}`);
      this.#rest += value;
    }
    const end = this.#rest.indexOf("\n");
    const line = this.#rest.slice(0, end);
    this.#rest = this.#rest.slice(end + 1);
    return line;
  }

  /** Asks for another, as a person does by Enter. */
  async freshUrl(): Promise<string> {
    await this.#writer.write(new TextEncoder().encode("\n"));
    return await this.url();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#exited) {
      try {
        this.#child.kill("SIGKILL");
      } catch { /* it has ended meanwhile */ }
    }
    await this.#writer.close().catch(() => {});
    await this.#lines.cancel();
    await Promise.all([this.#child.status, this.#logging]);
  }

  async #readLog(): Promise<void> {
    for await (const chunk of this.#child.stderr.pipeThrough(new TextDecoderStream())) this.log += chunk;
  }
}
