/**
 * Encodes lines one after the other in memory that is reused: lines that wait together can be written at once without
 * copying, and none needs memory of its own.
 */

/** For one UTF-16 unit of a text. */
export const MOST_BYTES = 3;

const NOTHING = new Uint8Array(0);

export class LineSheet {
  readonly #encoder = new TextEncoder();
  readonly #size: number;
  #sheet = NOTHING;
  #filled = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** Call this when all lines have been written: their memory is used again. */
  clear(): void {
    this.#filled = 0;
  }

  /** The bytes of a text, valid until the next `clear`; a long text has its own memory. */
  encode(text: string): Uint8Array {
    const most = text.length * MOST_BYTES;
    if (most > this.#size / 4) return this.#encoder.encode(text);
    if (this.#filled + most > this.#sheet.length) {
      this.#sheet = new Uint8Array(this.#size); // the old one is freed once its lines are written
      this.#filled = 0;
    }
    const { written } = this.#encoder.encodeInto(text, this.#sheet.subarray(this.#filled));
    return this.#sheet.subarray(this.#filled, this.#filled += written);
  }
}
