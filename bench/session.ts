// One server at work in one scenario: a client that lasts for all rounds, started when first needed, and fresh ones
// for scenarios that measure the start itself. close() ends all of them.

import type { Server } from "./peers.ts";
import { type Launch, StdioClient } from "./stdio_client.ts";

export class Session implements AsyncDisposable {
  readonly server: Server;
  readonly dir: string;
  readonly #signal: AbortSignal;
  readonly #kept = new Map<string, Promise<AsyncDisposable>>();
  #client: StdioClient | undefined;

  constructor(server: Server, options: { dir: string; signal: AbortSignal }) {
    this.server = server;
    this.dir = options.dir;
    this.#signal = options.signal;
  }

  /** A separate process that has received nothing yet. The caller closes it. */
  spawn(launch: Launch = this.server.launch(this.dir)): StdioClient {
    return new StdioClient(launch, { signal: this.#signal });
  }

  /** The client kept over all rounds, after its handshake. */
  async client(): Promise<StdioClient> {
    if (!this.#client) {
      this.#client = this.spawn();
      await this.#client.initialize();
    }
    return this.#client;
  }

  /** Something else that is created once and kept over all rounds. */
  kept<T extends AsyncDisposable>(name: string, make: () => Promise<T>): Promise<T> {
    const made = this.#kept.get(name) as Promise<T> | undefined ?? make();
    this.#kept.set(name, made);
    return made;
  }

  async close(): Promise<void> {
    await this.#client?.close();
    this.#client = undefined;
    for (const kept of this.#kept.values()) await (await kept)[Symbol.asyncDispose]();
    this.#kept.clear();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
