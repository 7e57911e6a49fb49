/** The beginning of what some compressed bytes hold, when they are only the first of them. */
import { Buffer } from "node:buffer";
import { constants, inflateSync } from "node:zlib";

/** Empty when they are damaged. */
export function inflateStart(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0);
  }
}
