/**
 * Handles what the plain lane leaves to the SDK, which is loaded when first needed. It then also gets the
 * connection's first messages, and has to agree with how they were answered.
 */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import type { Greeting } from "../server/greeting.ts";
import type { SdkStdioOptions } from "./sdk_stdio.ts";

export interface SdkLaneOptions extends SdkStdioOptions {
  /** The answer to its first message. */
  greeting: Greeting;
  send(message: JSONRPCMessage): Promise<void>;
}

export class SdkLane implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: SdkLaneOptions;
  /** The message that has already been answered. */
  #first: JSONRPCMessage | undefined;
  readonly #waiting: JSONRPCMessage[] = [];
  #isGreeted = false;
  #handle: Promise<{ close(): Promise<void> }> | undefined;

  constructor(options: SdkLaneOptions) {
    this.#options = options;
  }

  take(message: JSONRPCMessage): void {
    if (this.#first === undefined) {
      this.#first = message;
    } else if (this.#isGreeted) {
      this.onmessage?.(message);
    } else if ("method" in message && "id" in message) {
      this.#waiting.push(message);
      this.#handle ??= this.#load();
    } else if ("method" in message && message.method === "notifications/initialized") {
      this.#waiting.push(message); // other notifications mean nothing before the first call
    }
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { greeting, send } = this.#options;
    if (this.#isGreeted) return send(message);
    if (JSON.stringify(message) !== JSON.stringify(greeting)) {
      this.onerror?.(new Error(`initialize was answered differently: ${JSON.stringify(message)}`));
    }
    this.#isGreeted = true;
    for (const later of this.#waiting.splice(0)) this.onmessage?.(later);
    return Promise.resolve();
  }

  /** Does not close the connection, which is not its own. */
  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  async end(): Promise<void> {
    await (await this.#handle)?.close();
  }

  async #load() {
    const { serveBySdk } = await import("./sdk_stdio.ts");
    const handle = serveBySdk(this, this.#options);
    if (this.#first !== undefined) this.onmessage?.(this.#first);
    return handle;
  }
}
