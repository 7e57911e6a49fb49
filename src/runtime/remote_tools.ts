/** Tools in another Worker, called over a message port: both ends. */
import type { Config } from "../base/config.ts";
import { PaddockError } from "../base/errors.ts";
import { type CallRecord, Metrics } from "../base/metrics.ts";
import { Stats } from "../base/stats.ts";
import type { Tools } from "../server/methods.ts";
import type { Progress, ToolCall } from "../tools/tool.ts";
import type { ToolHolder } from "./tool_holder.ts";

type Face = "tools" | "bare" | "resources";

/** The part of a call that is plain data. */
interface CallFacts {
  readonly requestId: ToolCall["requestId"];
  readonly client: ToolCall["client"];
  readonly session: ToolCall["session"];
  readonly clientRoots: ToolCall["clientRoots"];
  /** Whether progress reports are wanted. */
  readonly wantsProgress: boolean;
}

type Request =
  | { id: number; face: Face; ask: "list" }
  | { id: number; face: Face; ask: "access"; name: string }
  | { id: number; face: Face; ask: "call"; name: string; args: unknown; call: CallFacts }
  | { id: number; ask: "reload"; config: Config }
  | { id: number; ask: "lock waits" }
  | { id: number; ask: "retire" };

/** To the Worker with the tools. */
type ToTools = Request | { cancel: number; reason: string | undefined } | { granted: number };

/** From the Worker with the tools: answers, and things to count. */
type FromTools =
  | { id: number; result: unknown }
  | { id: number; failure: string }
  | { id: number; progress: Progress }
  /** The call asks for room for `room` bytes of its answer; the reply names the question. */
  | { id: number; room: number; question: number }
  | { record: CallRecord }
  | { searchCache: { lookups: number; hits: number } }
  | { changed: readonly string[] }
  | { error: true };

/** `Omit` would forget that a union has parts. */
type Unnumbered<T> = T extends unknown ? Omit<T, "id"> : never;

interface Pending extends Pick<CallListener, "progress" | "room"> {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** The caller's side of a call that has not ended. */
interface CallListener {
  signal?: AbortSignal;
  progress?: ToolCall["progress"] | undefined;
  room?: ToolCall["room"] | undefined;
}

/** Not worth asking for: answers hardly larger than a message. */
const LITTLE_ROOM = 64 * 1024;

/** Where to count and report what happens in the other Worker. */
interface Counting {
  stats: Stats;
  metrics: Metrics;
  /** Called for each name that was changed there. */
  changed?: (place: string) => void;
}

/** The tools as the server sees them. */
export class RemoteTools implements ToolHolder {
  readonly #port: MessagePort;
  readonly #pending = new Map<number, Pending>();
  #nextId = 0;
  #idle = Promise.withResolvers<void>();
  readonly tools: Tools = this.#face("tools");
  readonly bare: Tools = this.#face("bare");
  readonly resources: Tools = this.#face("resources");

  constructor(port: MessagePort, { stats, metrics, changed }: Counting) {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<FromTools>) => {
      if ("record" in data) return metrics.record(data.record);
      if ("searchCache" in data) {
        return metrics.recordSearchCache(data.searchCache.lookups, data.searchCache.hits);
      }
      if ("changed" in data) return data.changed.forEach((place) => changed?.(place));
      if ("error" in data) return stats.error();
      const pending = this.#pending.get(data.id);
      if ("progress" in data) return pending?.progress?.(data.progress);
      if ("room" in data) {
        const granted = () => this.#send({ granted: data.question });
        const waiting = pending?.room?.(data.room);
        return waiting === undefined ? granted() : void waiting.then(granted, granted);
      }
      this.#pending.delete(data.id);
      if ("failure" in data) pending?.reject(new Error(data.failure));
      else pending?.resolve(data.result);
      if (this.#pending.size === 0) this.#idle.resolve();
    };
  }

  async reload(config: Config): Promise<void> {
    await this.#ask({ ask: "reload", config });
  }

  async lockWaits(): Promise<number> {
    return await this.#ask({ ask: "lock waits" }) as number;
  }

  async retire(): Promise<void> {
    while (this.#pending.size > 0) {
      this.#idle = Promise.withResolvers();
      await this.#idle.promise;
    }
    await this.#ask({ ask: "retire" });
    this.#port.close();
  }

  #face(face: Face): Tools {
    return {
      list: () => this.#ask({ face, ask: "list" }) as ReturnType<Tools["list"]>,
      accessOf: (name) => this.#ask({ face, ask: "access", name }) as ReturnType<Tools["accessOf"]>,
      call: (name, args, { signal, progress, room, requestId, client, session, clientRoots }) => {
        const call = { requestId, client, session, clientRoots, wantsProgress: progress !== undefined };
        const listener = { signal, progress, room };
        return this.#ask({ face, ask: "call", name, args, call }, listener) as ReturnType<Tools["call"]>;
      },
    };
  }

  async #ask(
    request: Unnumbered<Request>,
    { signal, progress, room }: CallListener = {},
  ): Promise<unknown> {
    const id = this.#nextId++;
    const cancel = () => {
      const reason = signal?.reason instanceof PaddockError ? signal.reason.message : undefined;
      this.#send({ cancel: id, reason });
    };
    const answer = new Promise((resolve, reject) =>
      this.#pending.set(id, { progress, room, resolve, reject })
    );
    this.#send({ ...request, id });
    signal?.addEventListener("abort", cancel, { once: true });
    if (signal?.aborted) cancel();
    try {
      return await answer;
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  #send(message: ToTools): void {
    this.#port.postMessage(message);
  }
}

/** Counts at the other end of the port, where the numbers are used. */
export function countsOver(port: MessagePort): { stats: Stats; metrics: Metrics } {
  const send = (message: FromTools) => port.postMessage(message);
  return {
    stats: new class extends Stats {
      override error = () => send({ error: true });
    }(),
    metrics: new class extends Metrics {
      override record = (record: CallRecord) => send({ record });
      override recordSearchCache = (lookups: number, hits: number) =>
        send({ searchCache: { lookups, hits } });
    }(),
  };
}

/** Lets the server at the other end of the port use these tools; settles when it no longer needs them. */
export async function offerTools(port: MessagePort, holder: ToolHolder): Promise<void> {
  const retired = Promise.withResolvers<void>();
  const calls = new Map<number, AbortController>();
  const questions = new Map<number, () => void>();
  let nextQuestion = 0;
  const askForRoom = (id: number, bytes: number): Promise<void> | undefined => {
    if (bytes <= LITTLE_ROOM) return undefined;
    const question = nextQuestion++;
    port.postMessage({ id, room: bytes, question } satisfies FromTools);
    return new Promise((resolve) => questions.set(question, resolve));
  };
  const answer = async (request: Request): Promise<unknown> => {
    switch (request.ask) {
      case "list":
        return await holder[request.face].list();
      case "access":
        return await holder[request.face].accessOf(request.name);
      case "call": {
        const controller = new AbortController();
        calls.set(request.id, controller);
        const { signal } = controller;
        const { id, call: { wantsProgress, ...facts } } = request;
        const report = (progress: Progress) => port.postMessage({ id, progress } satisfies FromTools);
        const room = (bytes: number) => askForRoom(id, bytes);
        const call = { ...facts, signal, room, ...(wantsProgress && { progress: report }) };
        return await holder[request.face].call(request.name, request.args, call)
          .finally(() => calls.delete(request.id));
      }
      case "reload":
        return await holder.reload(request.config);
      case "lock waits":
        return await holder.lockWaits();
      case "retire":
        return undefined;
    }
  };
  port.onmessage = async ({ data }: MessageEvent<ToTools>) => {
    if ("cancel" in data) {
      const reason = data.reason === undefined ? undefined : new PaddockError("TIMEOUT", data.reason);
      return calls.get(data.cancel)?.abort(reason);
    }
    if ("granted" in data) {
      questions.get(data.granted)?.();
      return void questions.delete(data.granted);
    }
    const { id } = data;
    const reply: FromTools = await answer(data).then(
      (result) => ({ id, result }),
      (error) => ({ id, failure: error instanceof Error ? error.message : String(error) }),
    );
    port.postMessage(reply);
    if (data.ask === "retire") retired.resolve();
  };
  await retired.promise;
  port.close();
}
