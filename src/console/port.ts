/**
 * Questions and answers over a MessagePort: the asking side gets a promise, the answering side has one function for
 * each name.
 */
import { type ErrorCode, PaddockError } from "../base/errors.ts";

interface Failure {
  code: ErrorCode | undefined;
  message: string;
  data: Record<string, unknown> | undefined;
}

type ToAnswerer = { id: number; ask: string; args: unknown } | { cancel: number };
type ToAsker = { id: number; value: unknown } | { id: number; failure: Failure } | { tell: unknown };

// deno-lint-ignore no-explicit-any -- stands for functions of any kind
type Functions = Record<string, (args: any, signal: AbortSignal) => unknown>;

/** The other end: its functions, as promises. */
export type Remote<F> = {
  [K in keyof F]: F[K] extends (args: infer A, signal?: AbortSignal) => infer R
    ? (args: A, signal?: AbortSignal) => Promise<Awaited<R>>
    : never;
};

/** Answers until the port is closed. The function it returns sends the other end something it did not ask for. */
export function answerOn(port: MessagePort, functions: Functions): (told: unknown) => void {
  const running = new Map<number, AbortController>();
  const say = (message: ToAsker) => port.postMessage(message);
  port.onmessage = async ({ data }: MessageEvent<ToAnswerer>) => {
    if ("cancel" in data) return running.get(data.cancel)?.abort();
    const { id, ask, args } = data;
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const run = Object.hasOwn(functions, ask) ? functions[ask] : undefined;
      if (run === undefined) throw new TypeError(`nobody answers ${ask}`);
      say({ id, value: await run(args, controller.signal) });
    } catch (error) {
      say({ id, failure: failureOf(error) });
    } finally {
      running.delete(id);
    }
  };
  return (told) => say({ tell: told });
}

function failureOf(error: unknown): Failure {
  if (error instanceof PaddockError) {
    return { code: error.code, message: error.message, data: error.data };
  }
  const message = error instanceof Error ? `${error.message}\n${error.stack ?? ""}` : String(error);
  return { code: undefined, message, data: undefined };
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Asks the other end. If that is lost, unanswered questions fail. */
export class Asker {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;
  #lost: Error | undefined;

  constructor(port: MessagePort, onTold: (told: unknown) => void = () => {}) {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<ToAsker>) => {
      if ("tell" in data) return onTold(data.tell);
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if ("value" in data) waiting?.resolve(data.value);
      else waiting?.reject(errorOf(data.failure));
    };
  }

  async ask(name: string, args: unknown, signal?: AbortSignal): Promise<unknown> {
    if (this.#lost !== undefined) throw this.#lost;
    const id = this.#next++;
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    const cancel = () => this.#port.postMessage({ cancel: id } satisfies ToAnswerer);
    this.#port.postMessage({ id, ask: name, args } satisfies ToAnswerer);
    signal?.addEventListener("abort", cancel, { once: true });
    if (signal?.aborted) cancel();
    try {
      return await answer;
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  lose(why: Error): void {
    this.#lost = why;
    this.#port.close();
    for (const { reject } of this.#waiting.values()) reject(why);
    this.#waiting.clear();
  }
}

function errorOf({ code, message, data }: Failure): Error {
  return code === undefined ? new Error(message) : new PaddockError(code, message, data && { data });
}
