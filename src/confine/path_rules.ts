/**
 * The part of the inner fence that looks at strings only: what a path may consist of, before the file system
 * is involved. Pure, so every rule can be tested by table.
 */
import { PaddockError } from "../base/errors.ts";
import { shown } from "../base/shown.ts";

export type PathStyle = "posix" | "windows";

export const PATH_STYLE: PathStyle = Deno.build.os === "windows" ? "windows" : "posix";
export const SEPARATOR = PATH_STYLE === "windows" ? "\\" : "/";

export const OUTSIDE = "path resolves outside root boundary";

/**
 * The segments of a path as a client gave it, with `.` and `..` resolved by name. An empty list is the root.
 * `..` is resolved here, before any link is: `nope/../../x` climbs out even though `nope` does not exist.
 */
export function segmentsOf(given: string, style: PathStyle = PATH_STYLE): string[] {
  if (given.includes("\0")) {
    throw new PaddockError("OUT_OF_BOUNDS", `path contains a null byte: ${quote(given)}; remove it`);
  }
  if (!given.isWellFormed()) { // it would become U+FFFD, and so a different name
    throw new PaddockError(
      "INVALID_INPUT",
      `path contains a lone surrogate, which no file name can contain: ${quote(given)}; remove it`,
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

/** Whether a path's ending says that it means a folder: a slash, `.` or `..`. */
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

/**
 * Where a path, relative or absolute, would lead if there were no links: by names alone, so it proves
 * nothing.
 */
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

/** A name for a temporary file, no longer than necessary; names of this form are reserved for us. */
export function tempName(): string {
  return `.paddock-${crypto.randomUUID().replaceAll("-", "").slice(-20)}.tmp`;
}

export function isTempName(name: string): boolean {
  return TEMP_NAME.test(name);
}

/**
 * Whether some file system takes this name for `.git`: by letter case (macOS, Windows), as the short name
 * `git~1`, with trailing dots or spaces or a stream name (Windows), or with code points that HFS+ and ext4
 * (with case folding) ignore. An agent that can write there can have a hook run at the user's next commit.
 */
export function isGitName(name: string): boolean {
  if (!/^[.g]|[^\x20-\x7e]/i.test(name)) return false; // most names
  const folded = foldedName(name);
  return folded === ".git" || folded === "git~1";
}

/** The name in lower case, without anything that some file system ignores in names. */
export function foldedName(name: string): string {
  const stream = name.indexOf(":");
  const kept = (stream < 0 ? name : name.slice(0, stream)).replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  let end = kept.length; // by hand: /[. ]+$/ takes quadratic time
  while (end > 0 && (kept[end - 1] === "." || kept[end - 1] === " ")) end--;
  return kept.slice(0, end).toLowerCase();
}

/**
 * Whether some file system considers the two names the same: by letter case, or by how accents are encoded.
 */
export function isOneSpelling(name: string, other: string): boolean {
  return name.normalize().toLowerCase() === other.normalize().toLowerCase();
}

/** A path in a message: quoted, with odd characters escaped, and truncated. */
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
        `names on Windows cannot contain ${quote(odd)}: ${quote(given)}; choose another name`,
      );
    }
  }
}
