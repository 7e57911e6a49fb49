/** Inflates compressed bytes of which only the first are at hand. */
import { Buffer } from "node:buffer";
import { constants, inflateSync } from "node:zlib";

/** Empty if they are damaged. */
export function inflateStart(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0);
  }
}
