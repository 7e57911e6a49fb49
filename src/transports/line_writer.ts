/** Messages to a byte stream, one a line. What queues up while a write is under way leaves in the next one. */

export interface WritableBytes {
  /** As Deno.stdout.write: the number of bytes taken. */
  write(bytes: Uint8Array): Promise<number>;
}

export class LineWriter {
  readonly #output: WritableBytes;
  readonly #encoder = new TextEncoder();
  readonly #broken = Promise.withResolvers<void>();
  #pending = "";
  #inFlight = 0;
  #writing: Promise<void> | undefined;
  #isBroken = false;

  constructor(output: WritableBytes) {
    this.#output = output;
  }

  /** Settles when the reader at the other end has gone. */
  get broken(): Promise<void> {
    return this.#broken.promise;
  }

  /** About how many bytes are waiting to be taken. */
  get unsent(): number {
    return this.#pending.length + this.#inFlight;
  }

  write(message: unknown): Promise<void> {
    if (this.#isBroken) return Promise.resolve();
    this.#pending += JSON.stringify(message) + "\n";
    return this.#writing ??= this.#flush();
  }

  async flushed(): Promise<void> {
    await this.#writing;
  }

  async #flush(): Promise<void> {
    await Promise.resolve(); // answers of the same moment leave together
    while (this.#pending !== "" && !this.#isBroken) {
      const bytes = this.#encoder.encode(this.#pending);
      this.#pending = "";
      this.#inFlight = bytes.length;
      for (let at = 0; at < bytes.length && !this.#isBroken;) at += await this.#take(bytes.subarray(at));
      this.#inFlight = 0;
    }
    this.#writing = undefined;
  }

  async #take(bytes: Uint8Array): Promise<number> {
    try {
      return await this.#output.write(bytes);
    } catch (error) {
      if (error instanceof Deno.errors.WouldBlock) {
        await new Promise((resolve) => setTimeout(resolve, 2)); // a non-blocking pipe that is full
        return 0;
      }
      this.#isBroken = true;
      this.#broken.resolve();
      return bytes.length;
    }
  }
}
