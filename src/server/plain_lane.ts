/**
 * Answers the usual requests of a connection without the SDK: loading it takes longer than the first call,
 * and going through it takes longer than most calls. Answers are word for word those of the SDK's server
 * (tests compare them). Anything unusual is left to the SDK, which is then loaded.
 */
import type { JSONRPCMessage, JSONRPCNotification, JSONRPCRequest } from "@modelcontextprotocol/server";
import type { RpcError } from "../tools/tool.ts";
import { MethodError, type Methods } from "./methods.ts";
import type { Member, Notices } from "./notices.ts";
import type { Tell } from "./progress.ts";

export interface PlainLaneOptions {
  methods: Methods;
  notices?: Notices | undefined;
  /** The name the client gave itself. */
  client: string | undefined;
  /** Sends a message, which may be about a request. */
  send(message: JSONRPCMessage, about?: JSONRPCRequest["id"]): void;
  /** The connection's name. Default: a random one. */
  session?: string;
}

type Id = JSONRPCRequest["id"];

const INTERNAL_ERROR: RpcError = { code: -32603, message: "Internal error" };

export class PlainLane {
  readonly #options: PlainLaneOptions;
  readonly #session: string;
  readonly #member: Member | undefined;
  readonly #calls = new Map<Id, AbortController>();

  constructor(options: PlainLaneOptions) {
    this.#options = options;
    this.#session = options.session ?? crypto.randomUUID();
    this.#member = options.notices?.join((notice) => options.send({ ...notice, jsonrpc: "2.0" }));
  }

  /** False when the SDK must handle the message. */
  take(message: JSONRPCRequest | JSONRPCNotification): boolean {
    if (!("id" in message)) return this.#takeNotification(message);
    const { id, method } = message;
    if (method === "ping") {
      this.#options.send({ result: {}, jsonrpc: "2.0", id });
      return true;
    }
    if (!this.#options.methods.has(method)) return false;
    const call = new AbortController();
    this.#calls.set(id, call);
    this.#answer(message, call).finally(() => {
      if (this.#calls.get(id) === call) this.#calls.delete(id); // a cancelled call's id may be in use again
    });
    return true;
  }

  /** Call this when nobody waits for answers any more. */
  close(): void {
    this.#member?.leave();
    for (const call of this.#calls.values()) call.abort();
  }

  #takeNotification({ method, params }: JSONRPCNotification): boolean {
    if (method !== "notifications/cancelled") return false;
    const call = this.#calls.get(params?.requestId as Id);
    call?.abort(params?.reason);
    return call !== undefined;
  }

  async #answer(request: JSONRPCRequest, { signal }: AbortController): Promise<void> {
    const { methods, client, send } = this.#options;
    const { id } = request;
    try {
      const who = { signal, requestId: id, client, session: this.#session };
      const result = await methods.answer(request, {
        ...who,
        member: this.#member,
        tell: this.#teller(request),
      });
      if (!signal.aborted) send({ result, jsonrpc: "2.0", id });
    } catch (thrown) {
      if (signal.aborted) return; // a cancelled call gets no answer
      const { code, message, data } = thrown instanceof MethodError ? thrown.error : INTERNAL_ERROR;
      send({ jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } });
    }
  }

  #teller({ id, params }: JSONRPCRequest): Tell | undefined {
    const progressToken = params?._meta?.progressToken;
    if (progressToken === undefined) return undefined;
    return (progress) => {
      const params = { progressToken, ...progress };
      this.#options.send({ method: "notifications/progress", params, jsonrpc: "2.0" }, id);
    };
  }
}
