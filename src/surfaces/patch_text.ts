/**
 * Applies a unified diff to a text, the same on every surface that offers it, and explains to a model why one does
 * not fit. Loaded when there is one.
 */
import { PaddockError } from "../base/errors.ts";
import { quote } from "../engine/fence.ts";
import { inSteps, Pace } from "../engine/yield.ts";
import { unifiedDiffSteps } from "../text/diff.ts";
import { nearestText } from "../text/edit_words.ts";
import { fold } from "../text/folded.ts";
import { nearestMatchesSteps } from "../text/nearest_match.ts";
import { applyPatchSteps, PatchConflict, type Patched } from "../text/patch.ts";

export interface PatchedText {
  readonly text: string;
  readonly diff: string;
  readonly offsets: number[];
  readonly notes: string[];
}

interface Patching {
  readonly patch: string;
  /** Whether there is a file: a patch of a missing one must create it from nothing. */
  readonly exists: boolean;
  /** As it was given, and as the diff is to name it. */
  readonly path: string;
  readonly name: string;
  /** The tools for removing and for reading a file. */
  readonly tools: { readonly remove: string; readonly look: string };
  readonly signal: AbortSignal | undefined;
}

/** How many places to suggest for a hunk that fits nowhere. */
const MOST_NEAREST = 3;

export async function patchText(text: string, patching: Patching): Promise<PatchedText> {
  const pace = new Pace(patching.signal);
  let patched: Patched;
  try {
    patched = await inSteps(applyPatchSteps(text, patching.patch), pace);
  } catch (error) {
    if (!(error instanceof PatchConflict)) throw error;
    if (!patching.exists && error.oldText !== "") throw noFile(patching.path);
    throw await withNearest(error, text, { pace, look: patching.tools.look });
  }
  if (patched.deletes) {
    throw new PaddockError(
      "INVALID_INPUT",
      `the patch deletes the file; use ${patching.tools.remove} for that`,
    );
  }
  const steps = unifiedDiffSteps(text, patched.text, { path: patching.name, prefixed: false });
  const diff = await inSteps(steps, pace);
  return {
    text: patched.text,
    diff,
    offsets: patched.hunks.map((hunk) => hunk.offset),
    notes: [...patched.notes],
  };
}

function noFile(path: string): PaddockError {
  return new PaddockError("NOT_FOUND", `file not found: ${quote(path)}, and the patch changes lines of it`);
}

/** Adds the lines of the file that the hunk may mean. */
async function withNearest(
  error: PatchConflict,
  text: string,
  { pace, look }: { pace: Pace; look: string },
): Promise<PaddockError> {
  if (error.oldText === "") return error;
  const { matches } = await inSteps(
    nearestMatchesSteps(fold(text).text, error.oldText, MOST_NEAREST),
    pace,
  );
  const places = nearestText(matches, error.oldText);
  const { message, data = {}, forLog } = error;
  if (places === undefined) {
    const next = `nothing in the file is similar, and nothing was changed: read it with ${look}`;
    return new PaddockError("CONFLICT", `${message}; ${next}`, { data, forLog });
  }
  const what = "Nothing was changed. Write the old lines of the hunk exactly like one of these.";
  return new PaddockError("CONFLICT", `${message}. ${places}\n${what}`, { data, forLog, lines: true });
}
