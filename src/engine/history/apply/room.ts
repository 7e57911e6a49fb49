/** The most that the contents of one call may add up to: they are all in memory. */
import { PaddockError } from "../../../base/errors.ts";
import { sizeAndLimit } from "../../../text/human_size.ts";

const MOST_BYTES = 128 * 1024 * 1024;

export class Room {
  #taken = 0;

  take(bytes: number): void {
    this.#taken += bytes;
    if (this.#taken <= MOST_BYTES) return;
    throw new PaddockError(
      "TOO_LARGE",
      `the changed files are too large together (${
        sizeAndLimit(this.#taken, MOST_BYTES)
      }); make several calls`,
    );
  }
}
