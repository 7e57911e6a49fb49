import * as s from "../../../tools/schema/mod.ts";
import { PaddockError } from "../../../base/errors.ts";
import {
  expectedHashArgument,
  hashResult,
  pathArgument,
  rootArgument,
  textArgument,
} from "../../../tools/schemas.ts";
import { compactFields } from "../../../tools/compact_fields.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { RootsContext } from "../context.ts";

const MODES = ["overwrite", "append", "create_only"] as const;

export const writeFile = defineTool({
  name: "write_file",
  title: "Write file",
  description:
    "Create a file or replace its whole content; `append` adds to the end, `create_only` fails if it exists. Creates missing folders. To change a part: edit_file.",
  details:
    "Write text to a file. `mode` is `overwrite` (the default: replaces what is there, creates the file if " +
    "needed), `append` (adds to the end, creates if needed) or `create_only` (fails if the file exists). Missing " +
    "parent folders are created. The file changes as a whole or not at all, and its mode is kept. " +
    'Example: {"root":"src","path":"notes/todo.md","content":"- first\\n"}.',
  access: "write",
  input: s.strictObject({
    root: rootArgument,
    path: pathArgument,
    content: textArgument,
    mode: s.choice(MODES).default("overwrite"),
    expected_hash: expectedHashArgument,
  }),
  output: s.object({
    path: s.string(),
    size: s.int().describe("Bytes written."),
    mode: s.choice(MODES),
    created: s.boolean().describe("Whether the file is new."),
    file_size: s.int().describe("Size of the whole file afterwards."),
    hash: hashResult,
  }),
  compact: (value) => compactFields(value, { leaveOut: ["size", "mode"] }),
  run: async ({ root, path, content, mode, expected_hash }, context: RootsContext) => {
    if (mode === "create_only" && expected_hash !== undefined) {
      throw new PaddockError(
        "INVALID_INPUT",
        "expected_hash is for an existing file, and create_only for a new one: give one of the two",
      );
    }
    const { writeText } = await import("../../../engine/write.ts");
    const written = await writeText(context.resolve(root, path), content, {
      mode,
      changing: context.changing,
      expectedHash: expected_hash,
    });
    const { bytes: size, created, fileSize: file_size, hash } = written;
    return { value: { path, size, mode, created, file_size, hash } };
  },
});
