/**
 * What two servers tell each other while one takes over from the other: the sessions each has begun. A client's
 * next request may reach either of them, so a session is made known to the other side before its client is.
 */

/** What a session was begun with: enough to go on with it elsewhere. */
export interface SessionRecord {
  id: string;
  /** The client's `initialize` request. */
  initialize: unknown;
}

/** Takes sessions in that were begun elsewhere. */
export type Adopt = (records: readonly SessionRecord[], from: SessionLink) => Promise<void>;

type Word =
  | { kind: "sessions"; number: number; records: readonly SessionRecord[] }
  | { kind: "taken"; number: number }
  | { kind: "quiet" };

/** How long the other side may take; it may be busy, or gone. */
const PATIENCE_MS = 3_000;

export class SessionLink {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, () => void>();
  readonly #first = Promise.withResolvers<void>();
  #number = 0;
  #quiet = false;

  constructor(port: MessagePort, adopt: Adopt) {
    this.#port = port;
    port.onmessage = async ({ data }: MessageEvent<Word>) => {
      switch (data.kind) {
        case "sessions":
          await adopt(data.records, this);
          this.#first.resolve();
          return this.#tell({ kind: "taken", number: data.number });
        case "taken":
          return this.#waiting.get(data.number)?.();
        case "quiet":
          this.#quiet = true;
          for (const resolve of this.#waiting.values()) resolve();
      }
    };
  }

  /** Settles when the other side's first sessions are taken in, or are not to be expected any more. */
  get first(): Promise<void> {
    return withPatience(this.#first.promise);
  }

  /** Settles when the other side knows the sessions too, or does not want to. */
  async announce(records: readonly SessionRecord[]): Promise<void> {
    if (this.#quiet) return;
    const number = this.#number++;
    const taken = new Promise<void>((resolve) => this.#waiting.set(number, resolve));
    this.#tell({ kind: "sessions", number, records });
    await withPatience(taken);
    this.#waiting.delete(number);
  }

  /** Wants to hear of no more sessions: no more requests will come here. */
  hush(): void {
    this.#tell({ kind: "quiet" });
  }

  #tell(word: Word): void {
    this.#port.postMessage(word);
  }
}

async function withPatience(promise: Promise<void>): Promise<void> {
  const enough = Promise.withResolvers<void>();
  const timer = setTimeout(enough.resolve, PATIENCE_MS);
  await Promise.race([promise, enough.promise]);
  clearTimeout(timer);
}
