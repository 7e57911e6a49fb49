/** A search worker, as the server sees it: its port, and what it has not answered yet. */
import { PaddockError } from "../../../base/errors.ts";
import type { Failure, FromSearcher, MemberOptions, ToSearcher } from "./search_messages.ts";
import type { Unit, UnitResult } from "./unit.ts";

interface Pending {
  resolve(results: UnitResult[] | undefined): void;
  reject(error: Error): void;
}

export class PoolMember {
  readonly #port: MessagePort;
  readonly #pending = new Map<number, Pending & { search: number }>();
  #nextTask = 0;
  #isReady = false;
  #isLost = false;
  readonly #ready = Promise.withResolvers<void>();

  constructor(port: MessagePort, options: MemberOptions) {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<FromSearcher>) => this.#take(data);
    this.tell({ type: "hello", ...options });
    this.ready.catch(() => {}); // the search that waits for it is told
  }

  /** Rejects when the worker is lost first. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  get isReady(): boolean {
    return this.#isReady && !this.#isLost;
  }

  tell(message: ToSearcher): void {
    if (!this.#isLost) this.#port.postMessage(message);
    if (message.type === "end") this.#forget(message.search);
  }

  /** Undefined when the worker is lost, or the search has ended. */
  scan(search: number, units: readonly Unit[]): Promise<UnitResult[] | undefined> {
    const task = this.#nextTask++;
    const { promise, resolve, reject } = Promise.withResolvers<UnitResult[] | undefined>();
    this.#pending.set(task, { search, resolve, reject });
    this.tell({ type: "scan", search, task, units });
    return promise;
  }

  close(): void {
    this.tell({ type: "close" });
    this.lose();
  }

  lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#ready.reject(new Error("the search worker is lost"));
    this.#port.close();
    for (const { resolve } of this.#pending.values()) resolve(undefined);
    this.#pending.clear();
  }

  #forget(search: number): void {
    for (const [task, pending] of this.#pending) {
      if (pending.search !== search) continue;
      this.#pending.delete(task);
      pending.resolve(undefined);
    }
  }

  #take(message: FromSearcher): void {
    if (message.type === "ready") {
      this.#isReady = true;
      return this.#ready.resolve();
    }
    const pending = this.#pending.get(message.task);
    this.#pending.delete(message.task);
    if (message.type === "done") pending?.resolve(message.results);
    else pending?.reject(errorOf(message.failure));
  }
}

function errorOf({ code, message, stack }: Failure): Error {
  const error = new PaddockError(code, message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
