/**
 * Reads a unified diff of one file, as `diff -u`, `git diff` and models write it. Owns what counts as a
 * patch: whatever is doubtful is refused with the line of the patch, because a guess would edit the wrong
 * text. What `patch` overlooks is overlooked here too: prose before and after, git's extended headers, file
 * names, CRLF added on the way, and spaces stripped from empty context lines.
 */

import { PaddockError } from "../base/errors.ts";
import { type Line, stripBom } from "./lines.ts";

export interface HunkLine extends Line {
  readonly kind: " " | "-" | "+";
}

export interface Hunk {
  /** As the header has it: the first old line, from 1; or the line to insert after when there is none. */
  readonly oldStart: number;
  readonly lines: readonly HunkLine[];
}

export interface Patch {
  /** The old name is /dev/null. */
  readonly creates: boolean;
  /** The new name is /dev/null. */
  readonly deletes: boolean;
  readonly hunks: readonly Hunk[];
}

export function parsePatch(patch: string): Patch {
  return new PatchReader(patch).read();
}

/** What a patch without a hunk may be instead; the last of its lines that fits is the one that tells. */
const HUNKLESS: readonly [sign: RegExp, meaning: string][] = [
  [/^(GIT binary patch$|Binary files )/, "it is binary, and only text can be patched"],
  [/^(rename|copy) (from|to) /, "it only renames or copies a file, and has no change of its content"],
  [/^(new|deleted) file mode /, "it only creates or deletes an empty file"],
  [/^(old|new) mode /, "it only changes the mode of a file"],
  [/^(\*{15}|\*\*\* )/, "it is in another format; a unified diff is needed, as `diff -u` makes it"],
];

interface Counts {
  readonly old: number;
  readonly new: number;
}

const HUNK_HEADER = /^@@ -(\d{1,15})(?:,(\d{1,15}))? \+\d{1,15}(?:,(\d{1,15}))? @@/;
const EXAMPLE = '"@@ -1,3 +1,4 @@"';

class PatchReader {
  readonly #lines: string[];
  readonly #hunks: Hunk[] = [];
  /** The index of the next line to read. */
  #at = 0;
  /** The whole patch has CRLF: a CR at the end of a line is then not a part of the file's text. */
  #crlf = false;

  constructor(patch: string) {
    this.#lines = stripBom(patch).body.split("\n");
    if (this.#lines.at(-1) === "") this.#lines.pop();
  }

  read(): Patch {
    const names = this.#readNames();
    this.#crlf = this.#lines[this.#at]?.endsWith("\r") ?? false;
    do this.#hunks.push(this.#readHunk()); while (this.#findNextHunk());
    return { ...names, hunks: this.#hunks };
  }

  /** Goes to the first hunk; a patch may begin with it, and have no names. */
  #readNames(): { creates: boolean; deletes: boolean } {
    let sections = 0;
    let meaning = `it has no hunk, which begins with a line like ${EXAMPLE}`;
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#header(this.#at);
      if (line.startsWith("@@")) return { creates: false, deletes: false };
      if (line.startsWith("diff --git ") && ++sections > 1) this.#failAtNextFile();
      if (line.startsWith("--- ")) {
        const next = this.#header(this.#at + 1);
        if (next.startsWith("+++ ")) return this.#readHunkStart(line, next);
        if (next.startsWith("@@")) this.#fail(this.#at + 1, 'expected "+++ " and the new name before it');
      }
      meaning = HUNKLESS.find(([sign]) => sign.test(line))?.[1] ?? meaning;
    }
    if (this.#lines.every((line) => line.trim() === "")) throw invalid("it is empty");
    throw invalid(meaning);
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
    const header = HUNK_HEADER.exec(this.#header(headerAt));
    if (header === null) {
      return this.#fail(headerAt, `expected a line like ${EXAMPLE}, found ${this.#quote(headerAt)}`);
    }
    const counts = { old: Number(header[2] ?? 1), new: Number(header[3] ?? 1) };
    const left = { ...counts };
    const ended = { old: false, new: false };
    const lines: HunkLine[] = [];
    for (; left.old > 0 || left.new > 0 || this.#isMarker(); this.#at++) {
      const raw = this.#body(this.#at);
      if (this.#isMarker()) {
        const last = lines.pop();
        if (last === undefined || last.ending === "") {
          return this.#fail(this.#at, `${this.#quote(this.#at)} does not follow a line of the file`);
        }
        if (last.kind !== "+") ended.old = true;
        if (last.kind !== "-") ended.new = true;
        lines.push({ ...last, content: last.content + (last.ending === "\r\n" ? "\r" : ""), ending: "" });
        continue;
      }
      const kind = this.#at < this.#lines.length ? kindOf(raw) : undefined;
      if (kind === undefined && !this.#isHunkEnd(this.#at)) {
        this.#fail(this.#at, `a line in a hunk begins with " ", "-" or "+"; found ${this.#quote(this.#at)}`);
      }
      if (kind !== "+") left.old--;
      if (kind !== "-") left.new--;
      if (kind === undefined || left.old < 0 || left.new < 0) return this.#failCounts(headerAt, counts);
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
    if (lines.every(({ kind }) => kind === " ")) {
      this.#fail(headerAt, `hunk ${this.#hunks.length + 1} changes nothing: no line begins with "-" or "+"`);
    }
    this.#checkEnd(headerAt, counts);
    return { oldStart: Number(header[1]), lines };
  }

  #checkEnd(headerAt: number, counts: Counts): void {
    let at = this.#at;
    while (at < this.#lines.length && this.#header(at).trim() === "") at++;
    if (this.#isBody(at)) this.#failCounts(headerAt, counts);
  }

  /** Looks past the end of a hunk: only empty lines may come before another one, anything at the end. */
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

  #header(at: number): string {
    const line = this.#lines[at] ?? "";
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  }

  #body(at: number): string {
    return this.#crlf ? this.#header(at) : this.#lines[at] ?? "";
  }

  #isMarker(): boolean {
    return this.#lines[this.#at]?.startsWith("\\ ") ?? false;
  }

  #isFileStart(at: number): boolean {
    const line = this.#header(at);
    return line.startsWith("diff --git ") ||
      (line.startsWith("--- ") && this.#header(at + 1).startsWith("+++ "));
  }

  #isHunkEnd(at: number): boolean {
    return at >= this.#lines.length || this.#isFileStart(at) || this.#lines[at]?.startsWith("@@") === true;
  }

  /** Whether a line past the counted ones looks like more of the hunk; "-- " begins a mail's signature. */
  #isBody(at: number): boolean {
    const line = this.#header(at);
    return /^[-+ ]/.test(line) && line !== "-- " && !this.#isFileStart(at);
  }

  /** Counts what the body has, so that the header can be put right at once. */
  #failCounts(headerAt: number, counts: Counts): never {
    const body = { old: 0, new: 0, empty: 0 };
    for (let at = headerAt + 1; !this.#isHunkEnd(at); at++) {
      const line = this.#header(at);
      if (line.startsWith("\\ ")) continue;
      if (line.trim() === "") body.empty++;
      else if (!this.#isBody(at)) break;
      else {
        const kind = kindOf(line);
        if (kind !== "+") body.old++;
        if (kind !== "-") body.new++;
        body.old += body.empty;
        body.new += body.empty;
        body.empty = 0;
      }
    }
    return this.#fail(
      headerAt,
      `the header of hunk ${this.#hunks.length + 1} says ${counts.old} old and ${counts.new} new lines, ` +
        `but its body has ${body.old} and ${body.new}`,
    );
  }

  #failAtNextFile(): never {
    return this.#fail(this.#at, "a second file begins here; send one patch for each file");
  }

  #fail(at: number, problem: string): never {
    throw invalid(`line ${at + 1}: ${problem}`);
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

function invalid(problem: string): PaddockError {
  return new PaddockError("INVALID_INPUT", `invalid patch: ${problem}`);
}
