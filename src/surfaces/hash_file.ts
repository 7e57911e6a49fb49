/** The hash of a file, the same on every surface that offers it. */
import { z } from "zod";
import type { ConfinedPath } from "../engine/fence.ts";
import { HASH_ALGORITHMS, type HashAlgorithm, hashFile } from "../engine/hash.ts";
import type { ToolCall } from "../tools/tool.ts";

export const hashAlgorithm = z.enum(HASH_ALGORITHMS, {
  error: ({ input }) =>
    `unsupported hash algorithm: ${String(input).slice(0, 100)}; supported: ${HASH_ALGORITHMS.join(", ")}`,
});

export const fileHash = z.object({
  path: z.string(),
  algorithm: z.enum(HASH_ALGORITHMS),
  hash: z.string().describe("In hexadecimal digits."),
  size: z.int().describe("Bytes hashed."),
});

export async function hashWithProgress(
  path: ConfinedPath,
  { algorithm, call: { signal, progress } }: { algorithm: HashAlgorithm; call: ToolCall },
) {
  const { hash, size } = await hashFile(path, {
    algorithm,
    signal,
    onBytes: progress && ((done) => progress({ progress: done, message: `${done} bytes hashed` })),
  });
  return { algorithm, hash, size };
}
