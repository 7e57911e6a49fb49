/** The stream of events, reopened for as long as the page is open. */
import type { Events } from "../../src/console/api_types.ts";
import { API, ApiError, get } from "./api.ts";
import { Store } from "./store.ts";

/** `ended` if the session is over: only a new address from the terminal helps. */
export type Connection =
  | { readonly state: "connecting" | "live" | "ended" }
  | { readonly state: "lost"; readonly retryAt: number };

type Listener<N extends keyof Events> = (data: Events[N]) => void;

const NAMES: readonly (keyof Events)[] = ["hello", "change", "reload", "sources", "call", "overview", "bye"];
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

export class Live {
  readonly connection = new Store<Connection>({ state: "connecting" });
  readonly #listeners = new Map<keyof Events, Set<(data: never) => void>>();
  #stream: EventSource | undefined;
  #timer: number | undefined;
  #wait = FIRST_WAIT_MS;
  /** Tabs of one browser share the session: the one that gets in notifies the others. */
  readonly #tabs = new BroadcastChannel("paddock-console");

  constructor() {
    this.#tabs.addEventListener("message", () => {
      const { state } = this.connection.value;
      if (state === "lost" || state === "ended") this.retry();
    });
  }

  /** Returns a function that ends it. */
  on<N extends keyof Events>(name: N, listener: Listener<N>): () => void {
    const all = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, all);
    all.add(listener);
    return () => all.delete(listener);
  }

  open(): void {
    clearTimeout(this.#timer);
    this.#stream?.close();
    const stream = new EventSource(`${API}events`);
    this.#stream = stream;
    for (const name of NAMES) {
      stream.addEventListener(
        name,
        (event) => this.#take(name, JSON.parse((event as MessageEvent<string>).data) as never),
      );
    }
    stream.addEventListener("error", () => {
      if (stream === this.#stream) this.#lost();
    });
  }

  #take(name: keyof Events, data: never): void {
    if (name === "hello") {
      this.#wait = FIRST_WAIT_MS;
      this.connection.set({ state: "live" });
      this.#tabs.postMessage("live");
    }
    for (const listener of this.#listeners.get(name) ?? []) listener(data);
    if (name === "bye") this.#lost();
  }

  #lost(): void {
    this.#stream?.close();
    this.#stream = undefined;
    if (this.connection.value.state === "ended") return;
    this.connection.set({ state: "lost", retryAt: Date.now() + this.#wait });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.retry(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
  }

  /** First asks whether the session is still valid: a stream does not say why it fails. */
  async retry(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      await get("session");
      this.open();
    } catch (error) {
      if (error instanceof ApiError && error.code === "UNAUTHENTICATED") this.end();
      else this.#lost();
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#stream?.close();
    this.#stream = undefined;
    this.connection.set({ state: "ended" });
  }
}
