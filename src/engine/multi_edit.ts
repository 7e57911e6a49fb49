/**
 * Several string edits as one change of a file, all or nothing, with one diff from the old file to the new. The
 * edits are staged in memory while the file is locked; long ones let others run between two edits.
 */
import { PaddockError } from "../base/errors.ts";
import { quote } from "../confine/path_rules.ts";
import { type ConfinedPath, nameOf } from "../confine/resolve_path.ts";
import { unifiedDiffSteps } from "../text/diff.ts";
import type { NumberedRange } from "../text/edited_lines.ts";
import {
  type EditedRange,
  type StringEdit,
  type StringEdited,
  stringEditSteps,
} from "../text/string_edits.ts";
import type { Changing } from "./changing.ts";
import { editText, planEdit } from "./edit.ts";
import { sha256 } from "./hash.ts";
import { inSteps, Pace } from "./yield.ts";

export interface EditsToPlan {
  edits: readonly StringEdit[];
  /** The largest text allowed, before and after. */
  maxBytes: number;
  /** The sha256 of the only content that may be changed. */
  expectedHash?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface EditsToMake extends Omit<EditsToPlan, "signal"> {
  changing: Changing;
  /** Do everything except write. */
  dryRun?: boolean;
}

export interface MultiEdited {
  /** From the file as it was to what the edits make of it; empty if that is the same. */
  diff: string;
  lineRanges: readonly EditedRange[];
  /** The lines of what the edits make, and how many places they replace. */
  newRanges: readonly NumberedRange[];
  replaced: number;
  /** The sha256 of the file as it is now: unchanged in a dry run. */
  hash: string;
  /** The file as it was. */
  before: Uint8Array;
}

export interface MultiEditPlan extends Omit<MultiEdited, "hash" | "before"> {
  /** What is to be written, and what that was made from. */
  bytes: Uint8Array;
  madeFrom: Uint8Array;
  /** The sha256 of those bytes, and of the file as it is. */
  hash: string;
  hashBefore: string;
}

export async function multiEdit(path: ConfinedPath, options: EditsToMake): Promise<MultiEdited> {
  const { changing, dryRun = false, ...rest } = options;
  const { signal } = changing;
  if (dryRun) {
    const { hashBefore: hash, bytes: _, madeFrom: before, ...planned } = await planMultiEdit(path, {
      ...rest,
      signal,
    });
    return { ...planned, hash, before };
  }
  let staged = NOTHING_STAGED;
  const { hash, before } = await editText(path, async (text, exists) => {
    if (!exists) throw new PaddockError("NOT_FOUND", `file not found: ${quote(path.given)}`);
    staged = await stage(text, rest.edits, { name: nameOf(path), signal });
    return staged.text;
  }, { ...rest, changing, refuseBinary: true });
  const { text: _, ...made } = staged;
  return { ...made, hash, before };
}

/** What the edits would make of a file, for a dry run and for callers that write it in another way. */
export async function planMultiEdit(path: ConfinedPath, options: EditsToPlan): Promise<MultiEditPlan> {
  const { edits, signal, ...rest } = options;
  let staged = NOTHING_STAGED;
  const { before, after } = await planEdit(path, async (text) => {
    staged = await stage(text, edits, { name: nameOf(path), signal });
    return staged.text;
  }, { ...rest, signal, refuseBinary: true });
  const { text: _, ...made } = staged;
  return {
    ...made,
    bytes: after,
    madeFrom: before,
    hash: await sha256(after),
    hashBefore: await sha256(before),
  };
}

interface Staged extends StringEdited {
  diff: string;
}

const NOTHING_STAGED: Staged = { text: "", diff: "", lineRanges: [], newRanges: [], replaced: 0 };

async function stage(
  text: string,
  edits: readonly StringEdit[],
  { name, signal }: { name: string; signal: AbortSignal | undefined },
): Promise<Staged> {
  const pace = new Pace(signal);
  const edited = await inSteps(stringEditSteps(text, edits), pace);
  const diff = await inSteps(unifiedDiffSteps(text, edited.text, { path: name, prefixed: false }), pace);
  return { ...edited, diff };
}
