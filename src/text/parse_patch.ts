/**
 * Reads a unified diff of one file, as `diff -u`, `git diff` and models write it. This file defines what
 * counts as a patch: anything doubtful is refused with the line of the patch, because a guess would edit the
 * wrong text. It ignores what `patch` ignores: prose before and after, file names, CRLF added in transit, and
 * spaces stripped from empty context lines. Wrong line counts are recounted, as `git apply --recount` does,
 * and a header may have no numbers at all; both are noted, as is anything git's headers ask for besides the
 * content change.
 */

import { PaddockError } from "../base/errors.ts";
import { type Line, stripBom } from "./lines.ts";
import { headerNotes, hunklessMeaning } from "./patch_headers.ts";

export interface HunkLine extends Line {
  readonly kind: " " | "-" | "+";
}

export interface Hunk {
  /** According to the header: the first old line, from 1; or, if there is none, the line to insert after. */
  readonly oldStart: number | undefined;
  readonly lines: readonly HunkLine[];
}

export interface Patch {
  /** The old name is /dev/null. */
  readonly creates: boolean;
  /** The new name is /dev/null. */
  readonly deletes: boolean;
  readonly hunks: readonly Hunk[];
  /** What is wrong with the patch, or is not carried out. */
  readonly notes: readonly string[];
}

export function parsePatch(patch: string): Patch {
  return new PatchReader(patch).read();
}

interface Counts {
  readonly old: number;
  readonly new: number;
}

const HUNK_HEADER = /^@@ -(\d{1,15})(?:,(\d{1,15}))? \+\d{1,15}(?:,(\d{1,15}))? @@/;
/** Without numbers, with or without a hint of the place; not one whose numbers are merely malformed. */
const BARE_HEADER = /^@@(?! *[-+\d])(?: .*)?$/;
const EXAMPLE = '"@@ -1,3 +1,4 @@"';

class PatchReader {
  readonly #lines: string[];
  readonly #hunks: Hunk[] = [];
  readonly #notes: string[] = [];
  /** The index of the next line to read. */
  #at = 0;
  /** The whole patch has CRLF: a CR at the end of a line then does not belong to the file's text. */
  #crlf = false;

  constructor(patch: string) {
    this.#lines = stripBom(patch).body.split("\n");
    if (this.#lines.at(-1) === "") this.#lines.pop();
  }

  read(): Patch {
    const names = this.#readNames();
    this.#notes.push(...headerNotes(this.#headers()));
    this.#crlf = this.#lines[this.#at]?.endsWith("\r") ?? false;
    do this.#hunks.push(this.#readHunk()); while (this.#findNextHunk());
    return { ...names, hunks: this.#hunks, notes: this.#notes };
  }

  /** Advances to the first hunk; a patch may begin with it and have no names. */
  #readNames(): { creates: boolean; deletes: boolean } {
    let sections = 0;
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#header(this.#at);
      if (line.startsWith("@@")) return { creates: false, deletes: false };
      if (line.startsWith("diff --git ") && ++sections > 1) this.#failAtNextFile();
      if (line.startsWith("--- ")) {
        const next = this.#header(this.#at + 1);
        if (next.startsWith("+++ ")) return this.#readHunkStart(line, next);
        if (next.startsWith("@@")) this.#fail(this.#at + 1, 'expected "+++ " and the new name before it');
      }
    }
    if (this.#lines.every((line) => line.trim() === "")) throw invalid("it is empty");
    throw invalid(
      hunklessMeaning(this.#headers()) ?? `it has no hunk, which begins with a line like ${EXAMPLE}`,
    );
  }

  #readHunkStart(oldName: string, newName: string) {
    this.#at += 2;
    while (this.#at < this.#lines.length && this.#header(this.#at).trim() === "") this.#at++;
    const line = this.#header(this.#at);
    if (!line.startsWith("@@")) {
      this.#fail(this.#at, `expected a line like ${EXAMPLE}, found ${this.#quote(this.#at)}`);
    }
    const isNull = (name: string) => /^\/dev\/null(\s|$)/.test(name.slice(4));
    return { creates: isNull(oldName), deletes: isNull(newName) };
  }

  #readHunk(): Hunk {
    const headerAt = this.#at++;
    const line = this.#header(headerAt);
    const header = HUNK_HEADER.exec(line);
    if (header === null && !BARE_HEADER.test(line)) {
      return this.#fail(headerAt, `expected a line like ${EXAMPLE}, found ${this.#quote(headerAt)}`);
    }
    const stated = header === null ? undefined : { old: Number(header[2] ?? 1), new: Number(header[3] ?? 1) };
    const end = stated && this.#countedEnd(stated);
    const lines = this.#readBody(end ?? this.#uncountedEnd());
    if (lines.every(({ kind }) => kind === " ")) {
      this.#fail(headerAt, `hunk ${this.#hunks.length + 1} changes nothing: no line begins with "-" or "+"`);
    }
    if (stated !== undefined && end === undefined) this.#noteCounts(stated, lines);
    return { oldStart: header === null ? undefined : Number(header[1]), lines };
  }

  /** Where the body ends according to the header; undefined where the header is wrong. */
  #countedEnd(stated: Counts): number | undefined {
    const left = { ...stated };
    let at = this.#at;
    for (; left.old > 0 || left.new > 0 || this.#isMarker(at); at++) {
      if (this.#isMarker(at)) continue;
      const kind = at < this.#lines.length ? kindOf(this.#body(at)) : undefined;
      if (kind === undefined) return undefined;
      if (kind !== "+") left.old--;
      if (kind !== "-") left.new--;
      if (left.old < 0 || left.new < 0) return undefined;
    }
    let after = at;
    while (after < this.#lines.length && this.#header(after).trim() === "") after++;
    return this.#isBody(after) ? undefined : at;
  }

  /** Where the body ends according to its lines; blank lines belong to it only if more follow. */
  #uncountedEnd(): number {
    let end = this.#at;
    for (let at = this.#at; !this.#isHunkEnd(at); at++) {
      if (this.#header(at).trim() === "") continue;
      if (!this.#isBody(at) && !this.#isMarker(at)) {
        if (this.#isAfterword(at, end)) break;
        if (kindOf(this.#body(at)) === undefined) {
          this.#fail(at, `a line in a hunk begins with " ", "-" or "+"; found ${this.#quote(at)}`);
        }
      }
      end = at + 1;
    }
    return end;
  }

  /**
   * Whether a line that does not look like part of a hunk comes after the body: after a blank line, or as a
   * fence or a signature. Nothing after it may look like more of the hunk, which would be lost.
   */
  #isAfterword(at: number, end: number): boolean {
    const line = this.#header(at);
    let next = at;
    while (!this.#isHunkEnd(next) && !this.#isBody(next)) next++;
    return this.#isHunkEnd(next) && (at > end || line === "-- " || line.startsWith("```"));
  }

  #readBody(end: number): HunkLine[] {
    const ended = { old: false, new: false };
    const lines: HunkLine[] = [];
    for (; this.#at < end; this.#at++) {
      if (this.#isMarker(this.#at)) {
        const last = lines.pop();
        if (last === undefined || last.ending === "") {
          return this.#fail(this.#at, `${this.#quote(this.#at)} does not follow a line of the file`);
        }
        if (last.kind !== "+") ended.old = true;
        if (last.kind !== "-") ended.new = true;
        lines.push({ ...last, content: last.content + (last.ending === "\r\n" ? "\r" : ""), ending: "" });
        continue;
      }
      const raw = this.#body(this.#at);
      const kind = kindOf(raw) ?? " ";
      if ((kind !== "+" && ended.old) || (kind !== "-" && ended.new)) {
        this.#fail(this.#at, "a line comes after the one that has no newline at the end of the file");
      }
      const content = raw.slice(/^\r?$/.test(raw) ? 0 : 1);
      lines.push(
        content.endsWith("\r")
          ? { kind, content: content.slice(0, -1), ending: "\r\n" }
          : { kind, content, ending: "\n" },
      );
    }
    return lines;
  }

  #noteCounts(stated: Counts, lines: readonly HunkLine[]): void {
    const count = (other: HunkLine["kind"]) => lines.filter(({ kind }) => kind !== other).length;
    this.#notes.push(
      `the header of hunk ${
        this.#hunks.length + 1
      } says ${stated.old} old and ${stated.new} new lines, but its body ` +
        `has ${count("+")} and ${count("-")}; it was applied according to its body`,
    );
  }

  /** Looks past the end of a hunk: only empty lines may come before another hunk, anything at the end. */
  #findNextHunk(): boolean {
    let proseAt: number | undefined;
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#header(this.#at);
      if (this.#isFileStart(this.#at)) this.#failAtNextFile();
      if (line.startsWith("@@")) {
        if (proseAt === undefined) return true;
        this.#fail(proseAt, `expected a hunk or the end, found ${this.#quote(proseAt)}`);
      }
      if (line.trim() !== "") proseAt ??= this.#at;
    }
    return false;
  }

  /** The lines before the current one. */
  #headers(): string[] {
    return this.#lines.slice(0, this.#at).map((_, at) => this.#header(at));
  }

  #header(at: number): string {
    const line = this.#lines[at] ?? "";
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  }

  #body(at: number): string {
    return this.#crlf ? this.#header(at) : this.#lines[at] ?? "";
  }

  #isMarker(at: number): boolean {
    return this.#lines[at]?.startsWith("\\ ") ?? false;
  }

  #isFileStart(at: number): boolean {
    const line = this.#header(at);
    return line.startsWith("diff --git ") ||
      (line.startsWith("--- ") && this.#header(at + 1).startsWith("+++ "));
  }

  #isHunkEnd(at: number): boolean {
    return at >= this.#lines.length || this.#isFileStart(at) || this.#lines[at]?.startsWith("@@") === true;
  }

  /** Whether a line looks like part of a hunk; "-- " begins a mail signature. */
  #isBody(at: number): boolean {
    const line = this.#header(at);
    return /^[-+ ]/.test(line) && line !== "-- " && !this.#isFileStart(at);
  }

  #failAtNextFile(): never {
    return this.#fail(this.#at, "a second file begins here; send one patch for each file");
  }

  #fail(at: number, problem: string): never {
    throw invalid(`line ${at + 1}: ${problem}`, `invalid patch: line ${at + 1}`);
  }

  #quote(at: number): string {
    const line = this.#lines[at];
    if (line === undefined) return "the end of the patch";
    return JSON.stringify(line.length > 80 ? line.slice(0, 80) + "…" : line);
  }
}

/** An empty line is an empty context line that lost its space. */
function kindOf(raw: string): HunkLine["kind"] | undefined {
  if (raw === "" || raw === "\r") return " ";
  const first = raw[0];
  return first === " " || first === "-" || first === "+" ? first : undefined;
}

function invalid(problem: string, forLog = "invalid patch"): PaddockError {
  return new PaddockError("INVALID_INPUT", `invalid patch: ${problem}`, { forLog });
}
