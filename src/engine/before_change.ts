/** A file as it is right before it is changed: for those who decide the new content while they hold a lock. */
import { ConfinedFile, lstat } from "../confine/confined_fs.ts";
import { type ConfinedPath } from "../confine/resolve_path.ts";
import { editOpenFile } from "./edit.ts";
import { checkExpectedHash } from "./expected_hash.ts";

export interface LookOptions {
  /** The sha256 of the only content that may be changed; any may without it. */
  expectedHash: string | undefined;
  signal: AbortSignal | undefined;
}

/** Whether there is a file to be replaced. What is not a file is an error. */
export async function isThere(path: ConfinedPath, options: LookOptions): Promise<boolean> {
  const info = lstat(path);
  // To open it and prove that it is the one is for its content only; that there is one is all that is told else.
  const mustOpen = info !== undefined && (options.expectedHash !== undefined || !info.isFile);
  using current = mustOpen ? await ConfinedFile.open(path) : undefined;
  await checkExpectedHash(path, { ...options, current });
  return info !== undefined;
}

export interface PlannedEdit {
  before: string;
  after: string;
  /** What is to be written. */
  bytes: Uint8Array;
}

/** What an edit makes of a text that is there; `maxBytes` bounds it before and after. */
export async function planEdit(
  path: ConfinedPath,
  edit: (text: string) => string | Promise<string>,
  options: LookOptions & { maxBytes: number },
): Promise<PlannedEdit> {
  using current = await ConfinedFile.open(path);
  let [before, after] = ["", ""];
  const { after: bytes } = await editOpenFile(path, async (text) => {
    before = text;
    return after = await edit(text);
  }, { ...options, current });
  return { before, after, bytes };
}
