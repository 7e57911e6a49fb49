/**
 * Sits between the SDK and standard input, for `subscriptions/listen`: the SDK serves it, and promises
 * whatever was asked for. So a request is passed on with only those notifications that can be sent.
 */
import type { JSONRPCMessage, JSONRPCRequest, Server, Transport } from "@modelcontextprotocol/server";
import { BAD_WISHES, LISTEN, metWishes } from "../server/listen.ts";
import type { Tools } from "../server/methods.ts";
import type { Member, Notices } from "../server/notices.ts";
import type { Id } from "./batches.ts";

/** How many requests to listen may be open at once. */
export const MOST_LISTENING = 32;

export interface ListenGateOptions {
  transport: Transport;
  notices: Notices;
  resources?: Tools | undefined;
}

export class ListenGate implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: ListenGateOptions;
  /** One for all requests: the SDK forwards a notification to each request that asked for it. */
  readonly #member: Member;
  /** The subscriptions of each request. */
  readonly #listening = new Map<Id, readonly string[]>();
  #server: Server | undefined;

  constructor(options: ListenGateOptions) {
    this.#options = options;
    this.#member = options.notices.join((notice) =>
      void this.#server?.notification({ ...notice }).catch(() => {})
    );
  }

  /** Sets the SDK's server whose notifications go to those who listen. */
  serve(server: Server): void {
    this.#server = server;
  }

  async start(): Promise<void> {
    const { transport } = this.#options;
    transport.onclose = () => {
      this.#member.leave();
      this.onclose?.();
    };
    transport.onerror = (error) => this.onerror?.(error);
    transport.onmessage = (message) => this.#take(message);
    await transport.start();
  }

  send: Transport["send"] = (message, options) => {
    if (!("method" in message) && message.id !== undefined) this.#end(message.id);
    return this.#options.transport.send(message, options);
  };

  async close(): Promise<void> {
    await this.#options.transport.close();
  }

  setProtocolVersion = (version: string): void => this.#options.transport.setProtocolVersion?.(version);

  #take(message: JSONRPCMessage): void {
    if ("method" in message) {
      if (message.method === LISTEN && "id" in message) return void this.#listen(message as JSONRPCRequest);
      if (message.method === "notifications/cancelled") this.#end(message.params?.requestId as Id);
    }
    this.onmessage?.(message);
  }

  async #listen(message: JSONRPCRequest): Promise<void> {
    const { id, params } = message;
    const refuse = (text: string) =>
      this.send({ jsonrpc: "2.0", id, error: { code: -32602, message: text } });
    if (this.#listening.size >= MOST_LISTENING) {
      return await refuse(`at most ${MOST_LISTENING} requests to listen at once; cancel some`);
    }
    this.#listening.set(id, []);
    const { resources } = this.#options;
    const notifications = await metWishes(params?.notifications, { member: this.#member, resources });
    const isCancelled = !this.#listening.has(id);
    this.#listening.set(id, notifications?.resourceSubscriptions ?? []);
    if (isCancelled) return this.#end(id);
    if (notifications === undefined) return await refuse(BAD_WISHES);
    this.onmessage?.({ ...message, params: { ...params, notifications: { ...notifications } } });
  }

  #end(id: Id): void {
    const uris = this.#listening.get(id);
    if (uris === undefined) return;
    this.#listening.delete(id);
    const others = new Set([...this.#listening.values()].flat());
    for (const uri of uris) if (!others.has(uri)) this.#member.unsubscribe(uri);
  }
}
