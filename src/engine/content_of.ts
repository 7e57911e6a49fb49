/** An open file as the content of another: a copy, or the beginning of what is appended to. */
import type { ConfinedFile } from "../confine/confined_fs.ts";
import type { Content } from "./atomic_write.ts";
import { Pace } from "./yield.ts";

const CHUNK = 256 * 1024;

export function contentOf(file: ConfinedFile, signal: AbortSignal | undefined): Content {
  return async (write) => {
    const pace = new Pace(signal);
    const buffer = new Uint8Array(Math.min(CHUNK, file.size + 1));
    for (let position = 0;;) {
      const read = file.readAt(buffer, position);
      if (read === 0) return;
      await write(buffer.subarray(0, read));
      position += read;
      await pace.step();
    }
  };
}
