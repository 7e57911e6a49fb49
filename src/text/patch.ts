/**
 * Applies a unified diff to a text, all or nothing. The text keeps what the patch does not mention: its BOM,
 * its line endings, a lone CR. Written here because no available library does that and explains where and why
 * a hunk does not apply.
 */

import { PaddockError } from "../base/errors.ts";
import { LineTable } from "./line_table.ts";
import { stripBom } from "./lines.ts";
import { type Hunk, parsePatch, type Patch } from "./parse_patch.ts";
import { headerIndex, type HunkMisfit, placeHunks } from "./place_hunks.ts";
import { runAll } from "./steps.ts";

export interface Patched {
  readonly text: string;
  readonly hunks: readonly {
    /** How many lines below its header's line the hunk was found; negative above, 0 without numbers. */
    readonly offset: number;
    /** Where it begins in the patched text, from 1. */
    readonly line: number;
  }[];
  /** What was wrong and was corrected; what the patch asks for and was not done. */
  readonly notes: readonly string[];
  /** The patch deletes the file (its new name is /dev/null): `text` is empty. */
  readonly deletes: boolean;
}

/** A hunk that cannot be placed in the text. */
export class PatchConflict extends PaddockError {
  /**
   * Its old lines, where the text does not have them; empty where it has them more than once, or there are
   * none.
   */
  readonly oldText: string;

  constructor({ hunk, line, problem, candidates }: HunkMisfit, oldText = "") {
    super("CONFLICT", `patch failed: hunk ${hunk} ${problem}`, {
      data: { hunk, line, ...(candidates === undefined ? {} : { candidates }) },
      forLog: `patch failed: hunk ${hunk} cannot be placed at line ${line}`,
    });
    this.oldText = candidates === undefined ? oldText : "";
  }
}

export function applyPatch(text: string, patch: string): Patched {
  return runAll(applyPatchSteps(text, patch));
}

/** The same in steps. */
export function* applyPatchSteps(text: string, patch: string): Generator<void, Patched> {
  const parsed = parsePatch(patch);
  if (parsed.creates && text !== "") {
    const problem = "does not match at line 1; the patch creates the file, but it exists and is not empty";
    throw new PatchConflict({ hunk: 1, line: 1, problem });
  }
  yield;
  const { bom, body } = knowsBom(parsed) ? { bom: "", body: text } : stripBom(text);
  const placed = yield* readAndPlace(body, parsed.hunks);
  yield;
  const notes = [...parsed.notes, ...placed.notes];
  const result = { ...rebuild(placed, parsed.hunks), notes };
  if (!parsed.deletes) return { ...result, text: bom + result.text, deletes: false };
  if (result.text === "") return { ...result, deletes: true };
  throw new PaddockError(
    "CONFLICT",
    "patch failed: it deletes the file, but does not contain all of its lines",
  );
}

/** A patch made by a program has the BOM in its first line; one written by hand omits it. */
function knowsBom({ hunks }: Patch): boolean {
  return hunks.some(({ lines }) => lines.some(({ content }) => stripBom(content).bom !== ""));
}

interface Placed {
  readonly lines: LineTable;
  readonly places: readonly number[];
  readonly notes: readonly string[];
}

function* readAndPlace(body: string, hunks: readonly Hunk[]): Generator<void, Placed> {
  const lines = new LineTable(body);
  yield;
  const placed = yield* placeHunks(lines, hunks);
  if ("misfit" in placed) throw new PatchConflict(placed.misfit, oldTextOf(hunks[placed.misfit.hunk - 1]));
  return { lines, ...placed };
}

function rebuild({ lines, places }: Placed, hunks: readonly Hunk[]): Pick<Patched, "text" | "hunks"> {
  const parts: string[] = [];
  const applied: { offset: number; line: number }[] = [];
  /** For the end of the file, where no line may have an ending to copy. */
  const usual = lines.length > 1 ? lines.ending(lines.length - 2) : "\n";
  const endingAt = (index: number) => index >= 0 && index < lines.length ? lines.ending(index) : "";
  let unended = false;
  const add = (part: string, isUnended: boolean) => {
    if (unended) parts.push(usual);
    parts.push(part);
    unended = isUnended;
  };
  const keep = (from: number, to: number) => {
    if (from < to) add(lines.text.slice(lines.start(from), lines.start(to)), lines.ending(to - 1) === "");
  };
  let next = 0;
  /** How many more lines the result has than what was read so far. */
  let grown = 0;
  for (const [i, hunk] of hunks.entries()) {
    const at = places[i] ?? next;
    keep(next, at);
    next = at;
    applied.push({ offset: at - (headerIndex(hunk) ?? at), line: at + grown + 1 });
    const literal = hasSameEndings(hunk, lines, at);
    let ending = endingAt(at - 1) || endingAt(at) || usual;
    for (const line of hunk.lines) {
      if (line.kind === "+") {
        add(line.content + (literal || line.ending === "" ? line.ending : ending), line.ending === "");
        grown++;
      } else {
        ending = endingAt(next) || ending;
        if (line.kind === " ") keep(next, next + 1);
        else grown--;
        next++;
      }
    }
  }
  keep(next, lines.length);
  return { text: parts.join(""), hunks: applied };
}

/**
 * Whether the patch means its line endings: all its old lines have the same ones as the file. Otherwise new
 * lines get the ending of the line before them.
 */
function hasSameEndings(hunk: Hunk, lines: LineTable, at: number): boolean {
  let compared = false;
  let index = at;
  for (const { kind, ending } of hunk.lines) {
    if (kind === "+") continue;
    const there = lines.ending(index++);
    if (ending === "" || there === "") continue;
    if (ending !== there) return false;
    compared = true;
  }
  return compared || hunk.lines.some(({ ending }) => ending === "\r\n");
}

function oldTextOf(hunk: Hunk | undefined): string {
  return (hunk?.lines ?? []).filter(({ kind }) => kind !== "+").map(({ content }) => content).join("\n");
}
