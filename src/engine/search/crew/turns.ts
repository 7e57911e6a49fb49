/**
 * Lets messages have a turn: a message to oneself comes back after those that were there before, within a few
 * microseconds. A timer takes two milliseconds, which is a tenth of what a worker does in between.
 */
export class Turns {
  readonly #channel = new MessageChannel();
  readonly #waiting: (() => void)[] = [];

  constructor() {
    this.#channel.port2.onmessage = () => this.#waiting.shift()?.();
  }

  /** Settles when messages that were there before have been handled; never after `close`. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#channel.port1.postMessage(undefined);
    });
  }

  close(): void {
    this.#channel.port1.close();
    this.#channel.port2.close();
  }
}
