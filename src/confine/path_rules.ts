/**
 * The part of the inner fence that looks at strings only: what a path may be made of, before anything is
 * asked of the file system. Pure, so that every rule can be tested by table.
 */
import { PaddockError } from "../base/errors.ts";
import { shown } from "../base/shown.ts";

export type PathStyle = "posix" | "windows";

export const PATH_STYLE: PathStyle = Deno.build.os === "windows" ? "windows" : "posix";
export const SEPARATOR = PATH_STYLE === "windows" ? "\\" : "/";

export const OUTSIDE = "path resolves outside root boundary";

/**
 * The segments of a path as a client gave it, with `.` and `..` worked out by name. An empty list is the root.
 * `..` is resolved here, before any link is: `nope/../../x` climbs out even though `nope` does not exist.
 */
export function segmentsOf(given: string, style: PathStyle = PATH_STYLE): string[] {
  if (given.includes("\0")) {
    throw new PaddockError("OUT_OF_BOUNDS", `path contains a null byte: ${quote(given)}; remove it`);
  }
  if (!given.isWellFormed()) { // it would become U+FFFD, and so another name than the one that was given
    throw new PaddockError(
      "INVALID_INPUT",
      `path holds a lone surrogate, which no file name can: ${quote(given)}; remove it`,
    );
  }
  if (given === "/") return [];
  if (given.startsWith("/")) throw outside(given, "use a path relative to the root");
  const parts = given.split(style === "windows" ? /[\\/]/ : "/");
  if (style === "windows") refuseWindowsForms(given, parts);
  const segments: string[] = [];
  for (const part of parts) {
    if (part === "" || part === ".") continue;
    if (part !== "..") segments.push(part);
    else if (segments.pop() === undefined) throw outside(given, "use a path relative to the root");
  }
  return segments;
}

/** Whether a path says by its end that it means a folder: with a slash, `.` or `..`. */
export function namesFolder(given: string, style: PathStyle = PATH_STYLE): boolean {
  const last = given.split(style === "windows" ? /[\\/]/ : "/").at(-1);
  return last === "" || last === "." || last === "..";
}

/** An OUT_OF_BOUNDS error for a path as the client gave it; `resolved` is for the log only. */
export function outside(given: string, hint?: string, resolved?: string): PaddockError {
  return new PaddockError(
    "OUT_OF_BOUNDS",
    `${OUTSIDE}: ${quote(given)}${hint === undefined ? "" : `; ${hint}`}`,
    {
      audit: { attempted_path: given, resolved_path: resolved },
    },
  );
}

/** Where a path would lead if there were no links, absolute ones included: by names alone, and no proof. */
export function lexicalPath(
  root: string,
  given: string,
  style: PathStyle = PATH_STYLE,
): string | undefined {
  if (given.includes("\0")) return undefined;
  const separator = style === "windows" ? "\\" : "/";
  const isAbsolute = given.startsWith("/") || (style === "windows" && /^(\\|[a-z]:)/i.test(given));
  const whole = isAbsolute ? given : `${root}${separator}${given}`;
  const [top = "", ...parts] = whole.split(style === "windows" ? /[\\/]/ : "/");
  const kept: string[] = [];
  for (const part of parts) {
    if (part === "..") kept.pop();
    else if (part !== "" && part !== ".") kept.push(part);
  }
  return `${top}${separator}${kept.join(separator)}`;
}

/**
 * Whether `path` is `folder` or lies below it. Both are absolute and normalised. By segments, never by string
 * prefix: `/a/b` does not contain `/a/b_evil`.
 */
export function contains(folder: string, path: string, separator: string = SEPARATOR): boolean {
  if (path === folder) return true;
  return path.startsWith(folder.endsWith(separator) ? folder : folder + separator);
}

const TEMP_NAME = /^\.paddock-[0-9a-z]+\.tmp$/i;

/** A name for a temporary file, no longer than it needs to be; names of this form are ours alone. */
export function tempName(): string {
  return `.paddock-${crypto.randomUUID().replaceAll("-", "").slice(-20)}.tmp`;
}

export function isTempName(name: string): boolean {
  return TEMP_NAME.test(name);
}

/**
 * Whether a file system somewhere takes this name for `.git`: by letter case (macOS, Windows), as the short
 * name `git~1`, with trailing dots or spaces or a stream name (Windows), or with code points that HFS+ and ext4
 * (where it folds letter case) ignore. An agent that can write there can have a hook run at the user's next commit.
 */
export function isGitName(name: string): boolean {
  if (!/^[.g]|[^\x20-\x7e]/i.test(name)) return false; // most names
  const folded = foldedName(name);
  return folded === ".git" || folded === "git~1";
}

/** The name without all that some file system does not tell names apart by, in small letters. */
export function foldedName(name: string): string {
  const stream = name.indexOf(":");
  const kept = (stream < 0 ? name : name.slice(0, stream)).replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  let end = kept.length; // by hand: /[. ]+$/ takes quadratic time
  while (end > 0 && (kept[end - 1] === "." || kept[end - 1] === " ")) end--;
  return kept.slice(0, end).toLowerCase();
}

/** Whether some file system takes the two names for one: by letter case, or by how accents are written. */
export function isOneSpelling(name: string, other: string): boolean {
  return name.normalize().toLowerCase() === other.normalize().toLowerCase();
}

/** A path in a message: quoted, with odd characters escaped, and never longer than it helps. */
export function quote(text: string): string {
  const cut = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return shown(JSON.stringify(cut));
}

// deno-lint-ignore no-control-regex
const NOT_IN_NAMES = /[<>"|?*\x01-\x1f]/;
const RESERVED_ON_WINDOWS = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *(\..*)?$/i;

function refuseWindowsForms(given: string, parts: string[]): void {
  const refuse = (why: string) => new PaddockError("OUT_OF_BOUNDS", `${OUTSIDE}: ${quote(given)}; ${why}`);
  if (given.startsWith("\\")) throw refuse("use a path relative to the root");
  for (const part of parts) {
    if (part.includes(":")) throw refuse("drive letters and alternate streams are not allowed");
    if (RESERVED_ON_WINDOWS.test(part.trimEnd())) throw refuse(`${quote(part)} is a reserved device name`);
    if (part !== "." && part !== ".." && /[. ]$/.test(part)) {
      throw refuse("names must not end in a dot or a space");
    }
    const odd = NOT_IN_NAMES.exec(part)?.[0];
    if (odd !== undefined) {
      throw new PaddockError(
        "INVALID_INPUT",
        `no name on Windows can hold ${quote(odd)}: ${quote(given)}; choose another name`,
      );
    }
  }
}
