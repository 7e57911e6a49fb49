/** Messages to a byte stream, one a line. What queues up while a write is under way leaves in the next one. */

export interface WritableBytes {
  /** As Deno.stdout.write: the number of bytes taken. */
  write(bytes: Uint8Array): Promise<number>;
  /** As Deno.stdout.writeSync: skips the trip through the thread pool, but waits while the pipe is full. */
  writeSync?(bytes: Uint8Array): number;
}

/** The longest answer that skips that trip; it fits into the pipe of a client that keeps up. */
const INLINE = 16 * 1024;

export class LineWriter {
  readonly #output: WritableBytes;
  readonly #encoder = new TextEncoder();
  readonly #broken = Promise.withResolvers<void>();
  #pending: string[] = [];
  #unsent = 0;
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
    return this.#unsent;
  }

  /** `alone` tells that no other answer is due, as with a client that sends one call after the other. */
  write(message: unknown, { alone = false }: { alone?: boolean } = {}): Promise<void> {
    if (this.#isBroken) return Promise.resolve();
    const line = JSON.stringify(message) + "\n";
    const inline = alone && this.#unsent === 0 && line.length <= INLINE;
    if (inline && this.#writeInline(line)) return Promise.resolve();
    this.#pending.push(line);
    this.#unsent += line.length;
    return this.#writing ??= this.#flush();
  }

  async flushed(): Promise<void> {
    await this.#writing;
  }

  /** Whether the whole line went at once. */
  #writeInline(line: string): boolean {
    if (this.#output.writeSync === undefined) return false;
    const bytes = this.#encoder.encode(line);
    for (let at = 0; at < bytes.length;) {
      try {
        at += this.#output.writeSync(bytes.subarray(at));
      } catch (error) {
        if (!(error instanceof Deno.errors.WouldBlock)) {
          this.#break();
          return true;
        }
        if (at === 0) return false; // a non-blocking pipe that is full: queue it
      }
    }
    return true;
  }

  async #flush(): Promise<void> {
    await Promise.resolve(); // answers of the same moment leave together
    while (this.#pending.length > 0 && !this.#isBroken) {
      const text = this.#pending.join("");
      this.#pending = [];
      const bytes = this.#encoder.encode(text);
      for (let at = 0; at < bytes.length && !this.#isBroken;) at += await this.#take(bytes.subarray(at));
      this.#unsent -= text.length;
    }
    this.#writing = undefined;
  }

  async #take(bytes: Uint8Array): Promise<number> {
    try {
      return await this.#output.write(bytes);
    } catch (error) {
      if (error instanceof Deno.errors.WouldBlock) {
        await new Promise((resolve) => setTimeout(resolve, 2));
        return 0;
      }
      this.#break();
      return bytes.length;
    }
  }

  #break(): void {
    this.#isBroken = true;
    this.#broken.resolve();
  }
}
