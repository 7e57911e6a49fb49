/**
 * The calls that have arrived and are not answered yet, so that a server that has to stop leaves none of them
 * without an answer: those that have begun are told to stop, which they mostly do at once; those still
 * waiting their turn are refused; and a change that cannot be stopped is given up after a moment, and its
 * caller is told so.
 */
import { PaddockError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { within } from "../base/within.ts";
import type { ToolCall, ToolResult } from "../tools/tool.ts";
import type { Tools } from "./methods.ts";

/** A JSON-RPC code from the range that servers define themselves. */
export const STOPPING_CODE = -32000;

export const NOT_TAKEN =
  "the server is stopping: the request was not accepted; send it again when the server is back";
const NOT_BEGUN = "the server is stopping: the call did not begin; send it again when the server is back";
const NOT_FINISHED =
  "the server is stopping: the call could not finish in time; send it again when the server is back";
const NOT_KNOWN =
  "the server is stopping: the call has not ended, and its changes may or may not have been made; check before you repeat it";

export interface CallsInFlightOptions {
  log: Logger;
  /** Settles when there is room for one more answer. If absent, there always is. */
  hasRoom?: () => Promise<void>;
}

interface Open {
  readonly name: string;
  readonly requestId: ToolCall["requestId"];
  readonly stop: AbortController;
  readonly ended: Promise<unknown>;
  begun: boolean;
  refused: boolean;
  answer(result: ToolResult | undefined): void;
}

export class CallsInFlight {
  readonly #options: CallsInFlightOptions;
  readonly #open = new Set<Open>();
  #stopping = false;

  constructor(options: CallsInFlightOptions) {
    this.#options = options;
  }

  /** The same tools, with their calls tracked here. */
  of(tools: Tools): Tools {
    return {
      list: () => tools.list(),
      accessOf: (name) => tools.accessOf(name),
      call: (name, args, call) =>
        this.#call((signal) => tools.call(name, args, { ...call, signal }), name, call),
    };
  }

  /** Ends all calls and refuses new ones. Waits up to `maxMs` for those that have begun. */
  async stop(maxMs: number): Promise<void> {
    this.#stopping = true;
    for (const call of this.#open) {
      if (call.begun) call.stop.abort(new PaddockError("TIMEOUT", NOT_FINISHED));
      else this.#refuse(call, NOT_BEGUN);
    }
    await within(maxMs, Promise.allSettled([...this.#open].map(({ ended }) => ended)));
    for (const call of this.#open) this.#refuse(call, call.begun ? NOT_KNOWN : NOT_BEGUN);
  }

  async #call(
    run: (signal: AbortSignal) => Promise<ToolResult | undefined>,
    name: string,
    { signal, requestId }: ToolCall,
  ): Promise<ToolResult | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<ToolResult | undefined>();
    const stop = new AbortController();
    const open: Open = {
      name,
      requestId,
      stop,
      ended: promise,
      begun: false,
      refused: false,
      answer: resolve,
    };
    const forward = () => stop.abort(signal.reason);
    signal.addEventListener("abort", forward, { once: true });
    if (signal.aborted) forward();
    this.#open.add(open);
    this.#begin(open, run).catch(reject);
    try {
      return await promise;
    } finally {
      this.#open.delete(open);
      signal.removeEventListener("abort", forward);
    }
  }

  async #begin(open: Open, run: (signal: AbortSignal) => Promise<ToolResult | undefined>) {
    await this.#options.hasRoom?.();
    if (this.#stopping) return this.#refuse(open, NOT_BEGUN);
    open.begun = true;
    open.answer(await run(open.stop.signal));
  }

  #refuse(call: Open, reason: string): void {
    if (call.refused) return;
    call.refused = true;
    this.#options.log.warn("call_refused", { tool: call.name, request_id: call.requestId, reason });
    call.answer(refusal(reason));
  }
}

/** In every form in which the transports report an error. */
function refusal(message: string): ToolResult {
  const rpcError = { code: STOPPING_CODE, message };
  return {
    content: [{ type: "text", text: message }],
    structuredContent: { ...rpcError, status: 503 },
    isError: true,
    rpcError,
  };
}
