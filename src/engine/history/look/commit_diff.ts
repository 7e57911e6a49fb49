/** Writes differences in git's format, so that `git apply` accepts them. */
import { decodeUtf8, looksBinary } from "../../../text/utf8.ts";
import { quotedName, unifiedDiffSteps } from "../../../text/diff.ts";
import { type DiffBudget, diffBudget, withHalf } from "../../../text/line_diff.ts";
import { inSteps, type Pace } from "../../yield.ts";
import { fromBytes } from "../objects/byte_names.ts";
import { MODE_REPOSITORY } from "../objects/objects.ts";
import type { ContentOf, Paired } from "./rename_pairs.ts";
import type { Differences, FileChange } from "../store.ts";
import type { TreeEntry } from "../objects/tree.ts";

export interface DiffLimits {
  readonly maxBytes: number;
  readonly maxFiles: number;
}

const NO_OBJECT = "0".repeat(40);
const DIGITS = 10;
/** A larger file is reported as different, without its lines. */
export const MAX_TEXT = 4 * 1024 * 1024;
/** Git apply skips text between two files. Cannot be a file's text: it has no trailing newline. */
const TOO_LARGE = `# too large to show: more than ${MAX_TEXT} bytes`;

export async function writeDifferences(
  pairs: readonly Paired[],
  contentOf: ContentOf,
  { maxBytes, maxFiles, pace }: DiffLimits & { readonly pace: Pace },
): Promise<Differences> {
  const writing = { contentOf, pace, budget: { left: 2 * diffBudget().left } };
  const parts: string[] = [];
  let left = maxBytes;
  let truncated = pairs.length > maxFiles;
  for (const pair of pairs.slice(0, maxFiles)) {
    await pace.step();
    const shown = left > 0 ? await fileDiff(pair, writing) : undefined;
    const part = shown?.text;
    truncated ||= shown?.isCut === true;
    const size = part === undefined ? 0 : new TextEncoder().encode(part).length;
    if (part === undefined || size > left) {
      truncated = true;
      continue; // a smaller file after it may still fit
    }
    left -= size;
    parts.push(part);
  }
  return {
    files: pairs.slice(0, maxFiles).map(fileChange),
    count: pairs.length,
    diff: parts.join(""),
    truncated,
  };
}

export function fileChange({ name, before, after, renamed }: Paired): FileChange {
  const path = fromBytes(name);
  if (renamed !== undefined) return { path, status: "renamed", from: fromBytes(renamed.from) };
  return { path, status: before === undefined ? "added" : after === undefined ? "deleted" : "modified" };
}

interface FileDiff {
  readonly text: string;
  /** Whether its lines are left out because there are too many. */
  readonly isCut: boolean;
}

interface Writing {
  readonly contentOf: ContentOf;
  readonly pace: Pace;
  readonly budget: DiffBudget;
}

async function fileDiff(pair: Paired, writing: Writing): Promise<FileDiff> {
  const { before, after, renamed } = pair;
  const path = fromBytes(pair.name);
  const oldPath = renamed === undefined ? path : fromBytes(renamed.from);
  // A file that becomes a link is shown as deleted and added, as git does it.
  if (before !== undefined && after !== undefined && kind(before) !== kind(after)) {
    const gone = await fileDiff({ ...pair, after: undefined }, writing);
    const come = await fileDiff({ ...pair, before: undefined }, writing);
    return { text: gone.text + come.text, isCut: gone.isCut || come.isCut };
  }
  const lines = [`diff --git ${quotedName(`a/${oldPath}`)} ${quotedName(`b/${path}`)}`];
  if (before === undefined) lines.push(`new file mode ${octal(after)}`);
  else if (after === undefined) lines.push(`deleted file mode ${octal(before)}`);
  else if (before.mode !== after.mode) lines.push(`old mode ${octal(before)}`, `new mode ${octal(after)}`);
  if (renamed !== undefined) {
    lines.push(`similarity index ${renamed.percent}%`);
    lines.push(`rename from ${quotedName(oldPath)}`, `rename to ${quotedName(path)}`);
  }
  if (before?.oid === after?.oid) return whole(lines);
  const texts = textsOf(pair, writing.contentOf);
  const same = before !== undefined && after !== undefined && before.mode === after.mode;
  // Without lines, git apply takes the content from the repository, by its full name.
  const digits = typeof texts === "string" ? NO_OBJECT.length : DIGITS;
  const oids = [before, after].map((entry) => (entry?.oid ?? NO_OBJECT).slice(0, digits)).join("..");
  lines.push(`index ${oids}${same ? ` ${octal(after)}` : ""}`);
  const names = {
    old: before === undefined ? "/dev/null" : `a/${oldPath}`,
    new: after === undefined ? "/dev/null" : `b/${path}`,
  };
  if (typeof texts === "string") {
    lines.push(`Binary files ${quotedName(names.old)} and ${quotedName(names.new)} differ`);
    return texts === "binary" ? whole(lines) : { ...whole([...lines, TOO_LARGE]), isCut: true };
  }
  const { budget, pace } = writing;
  const steps = withHalf(
    budget,
    (half) => unifiedDiffSteps(texts.before, texts.after, { path, budget: half }),
  );
  const diff = await inSteps(steps, pace);
  const hunks = diff.slice(diff.indexOf("\n", diff.indexOf("\n") + 1) + 1); // after the two header lines
  if (hunks !== "") lines.push(`--- ${headerName(names.old)}`, `+++ ${headerName(names.new)}`);
  return { text: whole(lines).text + hunks, isCut: false };
}

function whole(lines: readonly string[]): FileDiff {
  return { text: `${lines.join("\n")}\n`, isCut: false };
}

function textsOf(
  pair: Paired,
  contentOf: ContentOf,
): { before: string; after: string } | "binary" | "too large" {
  const text = (entry: TreeEntry | undefined, side: "before" | "after") => {
    if (entry === undefined) return "";
    if (entry.mode === MODE_REPOSITORY) return `Subproject commit ${entry.oid}\n`;
    const bytes = contentOf(pair, side);
    return bytes === undefined ? TOO_LARGE : looksBinary(bytes) ? undefined : decodeUtf8(bytes);
  };
  const before = text(pair.before, "before");
  const after = text(pair.after, "after");
  if (before === TOO_LARGE || after === TOO_LARGE) return "too large";
  return before === undefined || after === undefined ? "binary" : { before, after };
}

/** A tab marks the end of a name with a space. */
function headerName(name: string): string {
  return name.includes(" ") ? `${quotedName(name)}\t` : quotedName(name);
}

function kind({ mode }: TreeEntry): number {
  return mode & 0o170000;
}

function octal(entry: TreeEntry | undefined): string {
  return (entry?.mode ?? 0).toString(8).padStart(6, "0");
}
