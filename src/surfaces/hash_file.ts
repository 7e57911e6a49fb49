/** The hash of a file, the same on every surface that offers it. */
import * as s from "../tools/schema/mod.ts";
import type { ConfinedPath } from "../engine/fence.ts";
import { HASH_ALGORITHMS, type HashAlgorithm, hashFile } from "../engine/hash.ts";
import type { ToolCall } from "../tools/tool.ts";

export const hashAlgorithm = s.choice(HASH_ALGORITHMS, {
  wording: (given) =>
    `unsupported hash algorithm: ${shortly(given)}; supported: ${HASH_ALGORITHMS.join(", ")}`,
});

function shortly(given: unknown): string {
  const text = typeof given === "string" ? given : String(JSON.stringify(given));
  return text.slice(0, 100);
}

export const fileHash = s.object({
  path: s.string(),
  algorithm: s.choice(HASH_ALGORITHMS),
  hash: s.string().describe("In hexadecimal digits."),
  size: s.int().describe("Bytes hashed."),
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
