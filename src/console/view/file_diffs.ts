/** Prepares changed files for a person: text as a diff of limited size, and images as images. */
import type { FileDiff, FileSide } from "../api_types.ts";
import { mediaType } from "../../engine/media.ts";
import { inSteps, Pace } from "../../engine/yield.ts";
import { unifiedDiffSteps } from "../../text/diff.ts";
import { type DiffBudget, diffBudget } from "../../text/line_diff.ts";
import { looksBinary } from "../../text/utf8.ts";
import type { RawFile, RawSide } from "./raw_file.ts";

export interface DiffLimits {
  /** How many files are listed. */
  readonly files: number;
  /** Characters of one diff, and of all together. */
  readonly each: number;
  readonly all: number;
}

export const DIFF_LIMITS: DiffLimits = { files: 200, each: 128 * 1024, all: 512 * 1024 };
/** For one file by itself. */
export const WIDE_LIMITS: DiffLimits = { files: 1, each: 2 * 1024 * 1024, all: 2 * 1024 * 1024 };

/** Larger files are not compared. */
const MOST_TEXT = 1024 * 1024;
/** Larger images are not shown. */
export const MOST_IMAGE = 8 * 1024 * 1024;
/** Image types that a browser shows and cannot run; an SVG is treated as text. */
export const SHOWN_IMAGES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/bmp",
  "image/x-icon",
  "image/avif",
]);
const IMAGE_NAME = /\.(png|jpe?g|gif|webp|bmp|ico|avif)$/i;

export interface DiffOptions {
  readonly source: string;
  readonly limits?: DiffLimits;
  readonly signal?: AbortSignal | undefined;
  /** The number of the first file. */
  readonly first?: number;
}

export interface Diffs {
  readonly files: FileDiff[];
  readonly truncated: boolean;
}

export async function fileDiffs(files: readonly RawFile[], options: DiffOptions): Promise<Diffs> {
  const { limits = DIFF_LIMITS, first = 0, signal } = options;
  const run = {
    source: options.source,
    left: limits.all,
    each: limits.each,
    pace: new Pace(signal),
    budget: diffBudget(),
  };
  const told: FileDiff[] = [];
  for (const [i, file] of files.slice(0, limits.files).entries()) {
    await run.pace.step();
    told.push(await fileDiff(file, { ...run, n: first + i, left: run.left }));
    run.left -= told.at(-1)?.diff?.length ?? 0;
  }
  const isCut = ({ truncated, no_diff }: FileDiff) => truncated || no_diff === "limit";
  return { files: told, truncated: files.length > limits.files || told.some(isCut) };
}

interface Run {
  source: string;
  n: number;
  left: number;
  each: number;
  pace: Pace;
  budget: DiffBudget;
}

async function fileDiff(file: RawFile, run: Run): Promise<FileDiff> {
  const { path, to, status } = file;
  const sides = [await read(file.before, path), await read(file.after, to ?? path)] as const;
  const [before, after] = sides;
  const compared = run.left <= 0 ? { why: "limit" } : await compare(file, sides, run);
  const diff = "diff" in compared ? compared.diff : null;
  const shown = (side: RawSide, { image }: ReadSide, at: string): FileSide => ({
    kind: side.kind,
    size: side.size,
    mode: side.mode === null ? null : (side.mode & 0o7777).toString(8).padStart(4, "0"),
    hash: side.hash,
    target: side.target,
    image: image && side.hash !== null ? imageAddress(run.source, { hash: side.hash, path: at }) : null,
  });
  return {
    n: run.n,
    path,
    status,
    to,
    before: shown(file.before, before, path),
    after: shown(file.after, after, to ?? path),
    binary: before.binary || after.binary,
    diff,
    no_diff: "why" in compared ? compared.why : null,
    truncated: "cut" in compared && compared.cut,
    ...counted(diff ?? ""),
  };
}

export function sideOf(side: RawSide): FileSide {
  const { kind, size, mode, hash, target } = side;
  const bits = mode === null ? null : (mode & 0o7777).toString(8).padStart(4, "0");
  return { kind, size, mode: bits, hash, target, image: null };
}

export function imageAddress(source: string, { hash, path }: { hash: string; path: string }): string {
  return `/console/api/content?${new URLSearchParams({ source, hash, path })}`;
}

interface ReadSide {
  /** Undefined if it has no text, or if its text is unavailable. */
  readonly text: string | undefined;
  readonly binary: boolean;
  readonly image: boolean;
  readonly tooLarge: boolean;
}

async function read(side: RawSide, path: string): Promise<ReadSide> {
  const none = { text: undefined, binary: false, image: false, tooLarge: false };
  if (side.kind === "absent") return { ...none, text: "" };
  if (side.kind === "link") return { ...none, text: side.target ?? "" };
  if (side.kind !== "file") return none;
  const isNamedImage = IMAGE_NAME.test(path);
  const bytes = await side.bytes(isNamedImage ? MOST_IMAGE : MOST_TEXT);
  if (bytes === undefined) return { ...none, tooLarge: (side.size ?? 0) > MOST_TEXT };
  if (SHOWN_IMAGES.has(mediaType(bytes))) return { ...none, binary: true, image: true };
  if (looksBinary(bytes)) return { ...none, binary: true };
  if (bytes.length > MOST_TEXT) return { ...none, tooLarge: true };
  return { ...none, text: new TextDecoder().decode(bytes) };
}

type Compared = { why: string } | { diff: string; cut: boolean };

async function compare(
  { before, after, path, status }: RawFile,
  [was, is]: readonly [ReadSide, ReadSide],
  { left, each, pace, budget }: Run,
): Promise<Compared> {
  const kinds = [before.kind, after.kind];
  if (kinds.includes("folder") || kinds.includes("tree")) {
    return { why: status === "moved" ? "moved" : "folder" };
  }
  if (status === "moved" && before.hash === after.hash) return { why: "moved" };
  if (was.binary || is.binary) return { why: "binary" };
  if (was.tooLarge || is.tooLarge) return { why: "too large" };
  if (was.text === undefined || is.text === undefined) {
    return { why: kinds.includes("link") ? "link" : "not kept" };
  }
  const whole = await inSteps(unifiedDiffSteps(was.text, is.text, { path, budget }), pace);
  const lines = whole.slice(whole.indexOf("\n", whole.indexOf("\n") + 1) + 1); // after the two lines of names
  return cutAt(lines, Math.min(left, each));
}

/** Cuts at the end of a line, or within a line that is longer than the limit. */
function cutAt(diff: string, most: number): { diff: string; cut: boolean } {
  if (diff.length <= most) return { diff, cut: false };
  const end = diff.lastIndexOf("\n", most - 1) + 1;
  const part = end > most / 2 ? diff.slice(0, end) : diff.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  return { diff: part, cut: true };
}

function counted(diff: string): { added: number; removed: number } {
  let [added, removed] = [0, 0];
  for (let at = 0; at >= 0 && at < diff.length; at = diff.indexOf("\n", at) + 1 || diff.length) {
    if (diff[at] === "+") added++;
    else if (diff[at] === "-") removed++;
  }
  return { added, removed };
}
