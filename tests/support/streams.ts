/** Byte streams in memory, instead of standard input and output. */
import type { Message } from "./server.ts";

const encoder = new TextEncoder();

/** An input that returns what was put in, as chunks, and waits for more until it is ended. */
export class MemoryInput {
  readonly #chunks: Uint8Array[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  /** How many bytes nobody has read yet. */
  get unread(): number {
    return this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  }

  put(data: string | Uint8Array): void {
    this.#chunks.push(typeof data === "string" ? encoder.encode(data) : data);
    this.#wake?.();
  }

  send(...messages: unknown[]): void {
    for (const message of messages) this.put(JSON.stringify(message) + "\n");
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async read(buffer: Uint8Array): Promise<number | null> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) {
        const taken = chunk.subarray(0, buffer.length);
        if (taken.length < chunk.length) this.#chunks.unshift(chunk.subarray(taken.length));
        buffer.set(taken);
        return taken.length;
      }
      if (this.#ended) return null;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }
}

/** An output that keeps what was written; `take` may accept less, wait or throw. */
export class MemoryOutput {
  readonly #decoder = new TextDecoder();
  readonly #take: (bytes: Uint8Array, nth: number) => number | Promise<number>;
  #wake: (() => void)[] = [];
  #rest = "";
  /** How much each write accepted. */
  readonly writes: string[] = [];
  /** The whole lines so far. */
  readonly lines: string[] = [];

  constructor(take: (bytes: Uint8Array, nth: number) => number | Promise<number> = (bytes) => bytes.length) {
    this.#take = take;
  }

  get text(): string {
    return this.writes.join("");
  }

  async write(bytes: Uint8Array): Promise<number> {
    const taken = await this.#take(bytes, this.writes.length);
    const text = this.#decoder.decode(bytes.subarray(0, taken), { stream: true });
    this.writes.push(text);
    const parts = (this.#rest + text).split("\n");
    this.#rest = parts.pop() ?? "";
    this.lines.push(...parts);
    for (const wake of this.#wake.splice(0)) wake();
    return taken;
  }

  /** Everything written so far; a batch counts as its messages. */
  get messages(): Message[] {
    return this.lines.flatMap((line) => JSON.parse(line) as Message | Message[]);
  }

  /** The answer to a request, as soon as it arrives. */
  answerTo(id: string | number | null): Promise<Message> {
    return this.#when(() => this.messages.find((message) => message.id === id && !("method" in message)));
  }

  /** This many lines, as soon as they arrive. */
  async atLeast(lines: number): Promise<Message[]> {
    await this.#when(() => this.lines.length >= lines || undefined);
    return this.messages;
  }

  async #when<T>(look: () => T | undefined): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }
}
