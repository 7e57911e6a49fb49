/** Hashing a file as a stream: in chunks of 32 KB, whatever its size. */
import { ConfinedFile } from "../confine/confined_fs.ts";
import { type ConfinedPath } from "../confine/resolve_path.ts";
import { Pace } from "./yield.ts";

export const HASH_ALGORITHMS = ["md5", "sha1", "sha256"] as const;
export type HashAlgorithm = typeof HASH_ALGORITHMS[number];

const CHUNK = 32 * 1024;

export interface Hashed {
  /** In hexadecimal digits. */
  hash: string;
  /** How many bytes were hashed. */
  size: number;
}

export async function hashFile(
  path: ConfinedPath,
  { algorithm, signal }: { algorithm: HashAlgorithm; signal?: AbortSignal | undefined },
): Promise<Hashed> {
  using file = await ConfinedFile.open(path);
  const { createHash } = await import("node:crypto");
  const hash = createHash(algorithm);
  const pace = new Pace(signal);
  const buffer = new Uint8Array(CHUNK);
  let size = 0;
  for (;;) {
    const read = file.readAt(buffer, size);
    if (read === 0) return { hash: hash.digest("hex"), size };
    hash.update(buffer.subarray(0, read));
    size += read;
    await pace.step();
  }
}
