import * as s from "../../../tools/schema/mod.ts";
import { defineTool } from "../../../tools/tool.ts";
import { fileHash, hashAlgorithm, hashWithProgress } from "../../hash_file.ts";
import type { WorkspacesContext } from "../context.ts";
import { pathArgument, workspaceArgument } from "../schemas.ts";

export const hashFile = defineTool({
  name: "fs_hash_file",
  title: "Hash file",
  description: "Hash a file of any size.",
  details:
    "Compute the md5, sha1 or sha256 of a file of any size; the sha256 is what `expected_hash` takes. " +
    'Example: {"workspaceId":"my-first-workspace","path":"data.bin"}.',
  access: "read",
  input: s.strictObject({
    workspaceId: workspaceArgument,
    path: pathArgument,
    algorithm: hashAlgorithm.default("sha256"),
  }),
  output: fileHash,
  run: async ({ workspaceId, path, algorithm }, context: WorkspacesContext) => {
    const file = (await context.open(workspaceId)).resolve(path);
    return { value: { path, ...await hashWithProgress(file, { algorithm, call: context.call }) } };
  },
});
