import * as s from "../../../tools/schema/mod.ts";
import { PaddockError } from "../../../base/errors.ts";
import type { ConfinedPath } from "../../../engine/fence.ts";
import { describeEntry } from "../../../engine/metadata.ts";
import { readWhole } from "../../../engine/read.ts";
import { countLfLines } from "../../../text/lf_lines.ts";
import { LINE_ENDINGS, lineEndingsOf } from "../../../text/line_endings.ts";
import { decodeUtf8, looksBinary } from "../../../text/utf8.ts";
import { entryType, pathArgument, rootArgument, timestamp } from "../../../tools/schemas.ts";
import { compactFields } from "../../../tools/compact_fields.ts";
import { defineTool } from "../../../tools/tool.ts";
import type { RootsContext } from "../context.ts";

export const statFile = defineTool({
  name: "stat_file",
  title: "File metadata",
  description:
    "Type, size and times of a file, folder or link; of a text file also encoding, line endings and number of lines.",
  details:
    "Show what a file, folder or symlink is: type, size in bytes, times of last change and creation. " +
    "A symlink is described itself, with its `target` if that is inside the root. The size of a folder " +
    "is that of its own entry, not of what is in it. For many entries at once use list_folder. " +
    'Example: {"root":"src","path":"main.ts"}.',
  access: "read",
  input: s.strictObject({ root: rootArgument, path: pathArgument }),
  output: s.object({
    name: s.string(),
    path: s.string(),
    type: entryType,
    size: s.int(),
    is_directory: s.boolean(),
    is_symlink: s.boolean(),
    modified_at: timestamp,
    created_at: timestamp.optional(),
    encoding: s.choice(["utf-8", "utf-8-bom", "binary"]).optional().describe(
      "Of a file that is not too large to read.",
    ),
    line_endings: s.choice(LINE_ENDINGS).optional().describe("Of a text file."),
    lines: s.int().optional().describe("Of a text file."),
    target: s.object({
      type: s.choice([...entryType.options, "external", "missing"]),
      size: s.int().optional(),
      is_directory: s.boolean().optional(),
      modified_at: timestamp.optional(),
    }).optional(),
  }),
  compact: (value) => compactFields(value, { leaveOut: ["name", "path", "is_directory", "is_symlink"] }),
  run: async ({ root, path }, context: RootsContext) => {
    const resolved = context.resolve(root, path, { follow: false });
    const { name, type, size, modifiedAt, createdAt, target } = describeEntry(resolved);
    return {
      value: {
        name: name === "" ? root : name,
        path,
        type,
        size,
        is_directory: type === "directory",
        is_symlink: type === "symlink",
        modified_at: modifiedAt,
        ...(createdAt === undefined ? {} : { created_at: createdAt }),
        ...(type === "file" ? await textFacts(resolved, size, context) : {}),
        ...(target === undefined
          ? {}
          : { target: targetFields(target, () => mayFollow(context, root, path)) }),
      },
    };
  },
});

/** Nothing for a file that is too large, or cannot be read. */
async function textFacts(file: ConfinedPath, size: number, { maxSize, call }: RootsContext) {
  if (size > maxSize) return {};
  let bytes: Uint8Array;
  try {
    const tooLarge = () => new PaddockError("TOO_LARGE", "the file has grown");
    ({ bytes } = await readWhole(file, {
      maxBytes: maxSize,
      signal: call.signal,
      room: call.room,
      tooLarge,
    }));
  } catch (error) {
    if (error instanceof PaddockError && error.code !== "TIMEOUT") return {};
    throw error;
  }
  const text = looksBinary(bytes) ? undefined : decodeUtf8(bytes);
  if (text === undefined) return { encoding: "binary" as const };
  return {
    encoding: text.startsWith("\uFEFF") ? "utf-8-bom" as const : "utf-8" as const,
    line_endings: lineEndingsOf(text),
    lines: countLfLines(text),
  };
}

type Target = NonNullable<ReturnType<typeof describeEntry>["target"]>;

/** The target may be in a nested root that does not allow this tool. */
function mayFollow(context: RootsContext, root: string, path: string): boolean {
  try {
    context.resolve(root, path);
    return true;
  } catch (error) {
    if (error instanceof PaddockError) return false;
    throw error;
  }
}

function targetFields(target: Target, mayFollow: () => boolean) {
  if (!("size" in target) || !mayFollow()) return { type: target.type };
  const { type, size, modifiedAt } = target;
  return { type, size, is_directory: type === "directory", modified_at: modifiedAt };
}
