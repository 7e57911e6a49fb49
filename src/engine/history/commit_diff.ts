/** Writes differences as git does, so that `git apply` takes them. */
import { decodeUtf8, looksBinary } from "../../text/utf8.ts";
import { quotedName, unifiedDiff } from "../../text/diff.ts";
import { fromBytes } from "./byte_names.ts";
import { MODE_REPOSITORY } from "./objects.ts";
import { type ContentOf, type Paired } from "./rename_pairs.ts";
import { type Differences, type FileChange } from "./store.ts";
import { type TreeEntry } from "./tree.ts";

export interface DiffLimits {
  readonly maxBytes: number;
  readonly maxFiles: number;
}

const NO_OBJECT = "0".repeat(40);
const DIGITS = 10;
/** A file that is larger is said to differ, without its lines. */
export const MAX_TEXT = 4 * 1024 * 1024;

export function writeDifferences(
  pairs: readonly Paired[],
  contentOf: ContentOf,
  { maxBytes, maxFiles }: DiffLimits,
): Differences {
  const parts: string[] = [];
  let left = maxBytes;
  let truncated = pairs.length > maxFiles;
  for (const pair of pairs.slice(0, maxFiles)) {
    const part = left > 0 ? fileDiff(pair, contentOf) : undefined;
    const size = part === undefined ? 0 : new TextEncoder().encode(part).length;
    if (part === undefined || size > left) {
      truncated = true;
      continue; // a smaller file behind it may still fit
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

function fileDiff(pair: Paired, contentOf: ContentOf): string {
  const { before, after, renamed } = pair;
  const path = fromBytes(pair.name);
  const oldPath = renamed === undefined ? path : fromBytes(renamed.from);
  // A file that becomes a link goes, and the link comes: that is how git tells it.
  if (before !== undefined && after !== undefined && kind(before) !== kind(after)) {
    return fileDiff({ ...pair, after: undefined }, contentOf) +
      fileDiff({ ...pair, before: undefined }, contentOf);
  }
  const lines = [`diff --git ${quotedName(`a/${oldPath}`)} ${quotedName(`b/${path}`)}`];
  if (before === undefined) lines.push(`new file mode ${octal(after)}`);
  else if (after === undefined) lines.push(`deleted file mode ${octal(before)}`);
  else if (before.mode !== after.mode) lines.push(`old mode ${octal(before)}`, `new mode ${octal(after)}`);
  if (renamed !== undefined) {
    lines.push(`similarity index ${renamed.percent}%`);
    lines.push(`rename from ${quotedName(oldPath)}`, `rename to ${quotedName(path)}`);
  }
  if (before?.oid === after?.oid) return `${lines.join("\n")}\n`;
  const same = before !== undefined && after !== undefined && before.mode === after.mode;
  lines.push(`index ${short(before)}..${short(after)}${same ? ` ${octal(after)}` : ""}`);
  const names = {
    old: before === undefined ? "/dev/null" : `a/${oldPath}`,
    new: after === undefined ? "/dev/null" : `b/${path}`,
  };
  const texts = textsOf(pair, contentOf);
  if (texts === undefined) {
    return `${lines.join("\n")}\nBinary files ${quotedName(names.old)} and ${quotedName(names.new)} differ\n`;
  }
  const hunks = unifiedDiff(texts.before, texts.after, { path }).split("\n").slice(2).join("\n");
  if (hunks === "") return `${lines.join("\n")}\n`;
  return `${lines.join("\n")}\n--- ${headerName(names.old)}\n+++ ${headerName(names.new)}\n${hunks}`;
}

function textsOf(pair: Paired, contentOf: ContentOf): { before: string; after: string } | undefined {
  const text = (entry: TreeEntry | undefined, side: "before" | "after") => {
    if (entry === undefined) return "";
    if (entry.mode === MODE_REPOSITORY) return `Subproject commit ${entry.oid}\n`;
    const bytes = contentOf(pair, side);
    return bytes === undefined || looksBinary(bytes) ? undefined : decodeUtf8(bytes);
  };
  const before = text(pair.before, "before");
  const after = text(pair.after, "after");
  return before === undefined || after === undefined ? undefined : { before, after };
}

/** A tab shows where a name with a space ends. */
function headerName(name: string): string {
  return name.includes(" ") ? `${quotedName(name)}\t` : quotedName(name);
}

function kind({ mode }: TreeEntry): number {
  return mode & 0o170000;
}

function octal(entry: TreeEntry | undefined): string {
  return (entry?.mode ?? 0).toString(8).padStart(6, "0");
}

function short(entry: TreeEntry | undefined): string {
  return (entry?.oid ?? NO_OBJECT).slice(0, DIGITS);
}
