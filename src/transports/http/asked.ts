/**
 * A request that carries messages, as far as those who answer them need it. Most are answered before their client
 * could go away, so there is no signal until somebody asks for one.
 */
export class Asked {
  readonly headers: Headers;
  readonly #whenGone: (() => void)[] = [];
  #controller: AbortController | undefined;
  #isGone = false;

  constructor(headers: Headers) {
    this.headers = headers;
  }

  /** Aborted when the client has gone away. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = this.#controller = new AbortController();
      this.whenGone(() => controller.abort());
    }
    return this.#controller.signal;
  }

  /** Calls `then` when the client has gone away, at once if it already has. */
  whenGone(then: () => void): void {
    if (this.#isGone) then();
    else this.#whenGone.push(then);
  }

  /** The client has gone away. */
  gone(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    for (const then of this.#whenGone) then();
  }
}
