/** Writes text: replaces a file, appends to it, or creates one that must be new. */
import { PaddockError } from "../base/errors.ts";
import type { ConfinedPath } from "../confine/resolve_path.ts";
import { encodeUtf8 } from "../text/utf8.ts";
import type { Content } from "./atomic_write.ts";
import type { Changing } from "./changing.ts";
import { contentOf } from "./content_of.ts";
import { checkExpectedHash } from "./expected_hash.ts";
import { hashedContent } from "./hash.ts";
import { updateFile } from "./update_file.ts";

export type WriteMode = "overwrite" | "append" | "create_only";

export interface TextWritten {
  /** How many bytes the given text has. */
  bytes: number;
  fileSize: number;
  /** The sha256 of the whole file. */
  hash: string;
  created: boolean;
}

export interface WriteTextOptions {
  mode: WriteMode;
  changing: Changing;
  /** The sha256 of the only content that may be changed. */
  expectedHash?: string | undefined;
}

export async function writeText(
  path: ConfinedPath,
  text: string,
  { mode, changing, expectedHash }: WriteTextOptions,
): Promise<TextWritten> {
  const bytes = encodeUtf8(text);
  const { signal } = changing;
  let hash: () => string | Promise<string> = () => "";
  const { size, created } = await updateFile(path, async (current) => {
    if (current !== undefined && mode === "create_only") {
      throw new PaddockError(
        "ALREADY_EXISTS",
        `file already exists: ${path.given}; use overwrite mode to replace`,
      );
    }
    await checkExpectedHash(path, { expectedHash, current, signal });
    const appends = mode === "append" && current !== undefined;
    const hashed = await hashedContent(appends ? appended(contentOf(current, signal), bytes) : bytes);
    hash = hashed.hash;
    return hashed.content;
  }, mode === "append" ? { ...changing, appends: bytes } : changing);
  return { bytes: bytes.length, fileSize: size, hash: await hash(), created };
}

function appended(before: Content, bytes: Uint8Array): Content {
  return async (write) => {
    if (typeof before === "function") await before(write);
    await write(bytes);
  };
}
