import * as s from "../../../tools/schema/mod.ts";
import { pathArgument, rootArgument } from "../../../tools/schemas.ts";
import { defineTool } from "../../../tools/tool.ts";
import { fileHash, hashAlgorithm, hashWithProgress } from "../../hash_file.ts";
import type { RootsContext } from "../context.ts";

export const hashFile = defineTool({
  name: "hash_file",
  title: "Hash file",
  description: "Hash a file of any size.",
  details: "Compute the md5, sha1 or sha256 of a file of any size. Use it to see whether two files are " +
    'the same or whether one has changed. Example: {"root":"src","path":"data.bin","algorithm":"sha256"}.',
  access: "read",
  input: s.strictObject({ root: rootArgument, path: pathArgument, algorithm: hashAlgorithm }),
  output: fileHash,
  run: async ({ root, path, algorithm }, context: RootsContext) => ({
    value: {
      path,
      ...await hashWithProgress(context.resolve(root, path), { algorithm, call: context.call }),
    },
  }),
});
