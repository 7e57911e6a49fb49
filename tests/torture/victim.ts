/** A server that may be killed at any moment, and the calls it never answered. */
import { type ServerOptions, TestServer } from "../support/server.ts";
import { within } from "../support/long_run.ts";

/** "gone": it was killed before it answered. */
export type Outcome = { readonly text: string; readonly failed: boolean } | "gone";

const PATIENCE_MS = 60_000;

export class Victim implements AsyncDisposable {
  readonly #server: TestServer;
  readonly #gone: Promise<"gone">;
  #killed = false;
  calls = 0;
  /** What no answer may say, but one did. */
  readonly violations: string[] = [];

  constructor(args: string[], options: ServerOptions = {}) {
    this.#server = new TestServer(args, options);
    this.#gone = this.#server.status.then(() => "gone");
  }

  get killed(): boolean {
    return this.#killed;
  }

  async start(): Promise<void> {
    await this.#orGone(this.#server.initialize());
  }

  async call(name: string, args: Record<string, unknown>): Promise<Outcome> {
    this.calls++;
    const answer = await this.#orGone(this.#server.request("tools/call", { name, arguments: args }));
    if (answer === "gone") {
      if (!this.#killed) {
        this.violations.push(`the server ended by itself during ${name}: ${this.#server.log}`);
      }
      return "gone";
    }
    if (answer === "late") {
      this.violations.push(`no answer to ${name} ${JSON.stringify(args).slice(0, 200)}`);
      return "gone";
    }
    const { result, error } = answer;
    const text: string = error?.message ?? result.content[0]?.text ?? "";
    if (/internal error/i.test(text)) {
      this.violations.push(`${name}: ${text}\n${this.#server.log.slice(-2_000)}`);
    }
    return { text, failed: error !== undefined || result.isError === true };
  }

  kill(): void {
    this.#killed = true;
    this.#server.kill("SIGKILL");
  }

  /** Ends it normally. */
  async end(): Promise<void> {
    const code = await within(PATIENCE_MS, this.#server.end());
    if (code !== 0 && !this.#killed) {
      this.violations.push(`exit code ${code}: ${this.#server.log.slice(-2_000)}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }

  async #orGone<T>(promise: Promise<T>): Promise<T | "gone" | "late"> {
    promise.catch(() => {}); // a pipe that breaks with the server
    return await within(PATIENCE_MS, Promise.race([promise.catch(() => this.#gone), this.#gone]));
  }
}
