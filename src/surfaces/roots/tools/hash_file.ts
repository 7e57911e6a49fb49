import { z } from "zod";
import { HASH_ALGORITHMS, hashFile as hash } from "../../../engine/hash.ts";
import { pathArgument, rootArgument } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import { type RootsContext } from "../context.ts";

export const hashFile = defineTool({
  name: "hash_file",
  title: "Hash file",
  description: "Hash a file of any size.",
  details:
    "Compute the md5, sha1 or sha256 of a file's content, of whatever size. Use it to see whether two files are " +
    'the same or whether one has changed. Example: {"root":"src","path":"data.bin","algorithm":"sha256"}.',
  access: "read",
  input: z.strictObject({
    root: rootArgument,
    path: pathArgument,
    algorithm: z.enum(HASH_ALGORITHMS, {
      error: ({ input }) =>
        `unsupported hash algorithm: ${String(input).slice(0, 100)}; supported: ${
          HASH_ALGORITHMS.join(", ")
        }`,
    }),
  }),
  output: z.object({
    path: z.string(),
    algorithm: z.enum(HASH_ALGORITHMS),
    hash: z.string().describe("In hexadecimal digits."),
    size: z.int().describe("Bytes hashed."),
  }),
  run: async ({ root, path, algorithm }, context: RootsContext) => {
    const { signal, progress } = context.call;
    const { hash: digest, size } = await hash(context.resolve(root, path), {
      algorithm,
      signal,
      onBytes: progress && ((done) => progress({ progress: done, message: `${done} bytes hashed` })),
    });
    return { value: { path, algorithm, hash: digest, size } };
  },
});
