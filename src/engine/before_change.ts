/** A file right before it is changed: for callers that decide the new content while they hold a lock. */
import { ConfinedFile, lstat } from "../confine/confined_fs.ts";
import type { ConfinedPath } from "../confine/resolve_path.ts";
import { editOpenFile } from "./edit.ts";
import { refuseFolderPath } from "./guarded.ts";
import { checkExpectedHash } from "./expected_hash.ts";
import { fromSettled } from "./open_settled.ts";
import { readAll } from "./read.ts";

export interface LookOptions {
  /** The sha256 of the only content that may be changed; default: any. */
  expectedHash: string | undefined;
  signal: AbortSignal | undefined;
}

export interface Found {
  /** Whether there is a file to be replaced. */
  exists: boolean;
  /** Its content, if only a file with that content may be replaced. */
  content: Uint8Array | undefined;
}

/** What would be replaced. Anything but a file is an error. */
export async function lookBefore(path: ConfinedPath, options: LookOptions): Promise<Found> {
  refuseFolderPath(path);
  const info = lstat(path);
  const exists = info !== undefined;
  const { expectedHash, signal } = options;
  // It is opened and proven only for its content; otherwise the result only says that it exists.
  const mustOpen = exists && (expectedHash !== undefined || !info.isFile);
  using current = mustOpen ? await ConfinedFile.open(path) : undefined;
  const content = current === undefined ? undefined : await readAll(current, signal);
  await checkExpectedHash(path, { expectedHash, current, ...(content && { bytes: content }) });
  return { exists, content: expectedHash === undefined ? undefined : content };
}

export interface PlannedEdit {
  before: string;
  after: string;
  /** What is to be written, and what that was made from. */
  bytes: Uint8Array;
  madeFrom: Uint8Array;
}

export interface PlanOptions extends LookOptions {
  /** Limits the text before and after. */
  maxBytes: number;
  /** Whether a missing file is edited as an empty one; otherwise it is an error. */
  mayBeMissing?: boolean;
}

/** What an edit makes of an existing text. */
export async function planEdit(
  path: ConfinedPath,
  edit: (text: string) => string | Promise<string>,
  options: PlanOptions,
): Promise<PlannedEdit> {
  const plan = async (current: ConfinedFile | undefined) => {
    let [before, after] = ["", ""];
    const { before: madeFrom, after: bytes } = await editOpenFile(path, async (text) => {
      before = text;
      return after = await edit(text);
    }, { ...options, current });
    return { before, after, bytes, madeFrom };
  };
  if (options.mayBeMissing && lstat(path) === undefined) return await plan(undefined);
  return await fromSettled(path, plan, options.signal);
}
