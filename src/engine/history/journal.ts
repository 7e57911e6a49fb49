/**
 * What a change is about to do, written down before the first file of the working tree is touched. From then on
 * the change will be completed, by this process or by the next one that opens the workspace.
 */
import { isGitName } from "../../confine/path_rules.ts";
import { encodeUtf8 } from "../../text/utf8.ts";
import { type GitFolder } from "./git_folder.ts";
import { hashObject } from "./objects.ts";
import { type Work } from "./work.ts";

export interface Journal {
  readonly ref: string;
  /** What the branch was; null before the first commit. */
  readonly old: string | null;
  /** The commit whose state the working tree has before the work: `old`, or what was changed outside, kept. */
  readonly base: string | null;
  readonly new: string | null;
  readonly work: readonly Work[];
  /** Paths whose index entries change, as byte strings. */
  readonly touched: readonly string[];
}

const JOURNAL = "mcp/journal";

/** What is written, and not valid yet. */
export interface Draft {
  readonly file: Deno.FsFile;
  readonly checksum: string;
}

/**
 * Writes the journal with a checksum that is wrong; the file is for the caller to sync and close. It is always the
 * same file, written over: to make and remove one for each change takes longer than all the rest of this.
 */
export function draftJournal(git: GitFolder, journal: Journal): Draft {
  const text = JSON.stringify(journal);
  const checksum = hashObject("blob", encodeUtf8(text));
  const file = git.overwrite(JOURNAL, encodeUtf8(`${text}\n${"-".repeat(checksum.length)}\n`));
  return { file, checksum };
}

/** The point of no return: with its checksum the journal counts. */
export function publishJournal({ file, checksum }: Draft): void {
  file.seekSync(-checksum.length - 1, Deno.SeekMode.Current);
  const end = encodeUtf8(checksum);
  for (let at = 0; at < end.length;) at += file.writeSync(end.subarray(at));
}

/** An empty first line says that there is nothing to be done. */
export function clearJournal(git: GitFolder): void {
  git.overwrite(JOURNAL, encodeUtf8("\n")).close();
}

/** Undefined when there is none, or one that was not written to its end. */
export function readJournal(git: GitFolder): Journal | undefined {
  const [text = "", checksum = ""] = git.readText(JOURNAL)?.split("\n", 2) ?? [];
  if (text === "" || hashObject("blob", encodeUtf8(text)) !== checksum) return undefined;
  try {
    const journal: unknown = JSON.parse(text);
    return isJournal(journal) ? journal : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isJournal(value: unknown): value is Journal {
  if (typeof value !== "object" || value === null) return false;
  const journal = value as Partial<Record<keyof Journal, unknown>>;
  const isName = (name: unknown) =>
    name === null || (typeof name === "string" && /^[0-9a-f]{40}$/.test(name));
  return typeof journal.ref === "string" && isName(journal.old) && isName(journal.base) &&
    isName(journal.new) &&
    Array.isArray(journal.work) && journal.work.every(isWork) &&
    Array.isArray(journal.touched) && journal.touched.every((path) => typeof path === "string");
}

/** Whoever can write in `.git` could plant a journal, so work that no change would ever have is not believed. */
function isWork(value: unknown): value is Work {
  if (typeof value !== "object" || value === null) return false;
  const { kind, path, from, to, oid, mode, permissions } = value as Record<string, unknown>;
  if (kind === "move") return isPlace(from) && isPlace(to);
  if (!isPlace(path)) return false;
  if (kind === "remove" || kind === "folder") return true;
  return kind === "write" && typeof oid === "string" && /^[0-9a-f]{40}$/.test(oid) &&
    typeof mode === "number" && typeof permissions === "number";
}

/** A path inside the workspace and outside its `.git`. */
function isPlace(path: unknown): path is string {
  return typeof path === "string" && path.split("/").every((name) => !/^\.{0,2}$/.test(name)) &&
    !path.split(/[/\\]/).some(isGitName);
}
