/** Writing text: replacing a file, adding to it, or creating one that must be new. */
import { PaddockError } from "../base/errors.ts";
import { type ConfinedPath } from "../confine/resolve_path.ts";
import { encodeUtf8 } from "../text/utf8.ts";
import { type Changing } from "./changing.ts";
import { contentOf } from "./content_of.ts";
import { updateFile } from "./update_file.ts";

export type WriteMode = "overwrite" | "append" | "create_only";

export interface TextWritten {
  /** How many bytes the given text has. */
  bytes: number;
  fileSize: number;
  created: boolean;
}

export async function writeText(
  path: ConfinedPath,
  text: string,
  { mode, changing }: { mode: WriteMode; changing: Changing },
): Promise<TextWritten> {
  const bytes = encodeUtf8(text);
  const { size, created } = await updateFile(path, (current) => {
    if (current === undefined || mode === "overwrite") return bytes;
    if (mode === "create_only") {
      throw new PaddockError(
        "ALREADY_EXISTS",
        `file already exists: ${path.given}; use overwrite mode to replace`,
      );
    }
    const before = contentOf(current, changing.signal);
    return async (write) => {
      if (typeof before === "function") await before(write);
      await write(bytes);
    };
  }, changing);
  return { bytes: bytes.length, fileSize: size, created };
}
