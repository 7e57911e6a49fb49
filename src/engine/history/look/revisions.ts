/**
 * Resolves commits by the names people and models use: a hash or its first digits, `HEAD`, or a number of commits
 * before it.
 */
import { PaddockError } from "../../../base/errors.ts";
import { quote } from "../../../confine/path_rules.ts";
import type { ObjectStore } from "../objects/object_store.ts";

const REVISION = /^(HEAD|@|[0-9a-fA-F]{4,40})((?:~[0-9]*|\^)*)$/;
const MAX_BACK = 1_000_000;

export interface RevisionContext {
  readonly store: ObjectStore;
  readonly head: string | undefined;
  /** Commits whose parents were left out by a shallow clone. */
  readonly shallow: ReadonlySet<string>;
}

export function resolveRevision(name: string, { store, head, shallow }: RevisionContext): string {
  const [, start = "", back = ""] = REVISION.exec(name.trim()) ?? [];
  if (start === "") {
    throw new PaddockError(
      "INVALID_INPUT",
      `not a commit: ${
        quote(name)
      }; give a hash of 4 to 40 digits, HEAD, or HEAD~3 for three commits before it`,
    );
  }
  let commit = start === "HEAD" || start === "@" ? head : byHash(store, start.toLowerCase());
  let left = stepsOf(back);
  for (; commit !== undefined && left > 0; left--) {
    commit = shallow.has(commit) ? undefined : store.commit(commit).parents[0];
  }
  if (commit !== undefined) return commit;
  const why = head === undefined
    ? "the workspace has no commits yet"
    : "the history does not go back that far";
  throw new PaddockError("NOT_FOUND", `commit not found: ${quote(name)}; ${why}`);
}

/** `~2^~` is four steps. */
function stepsOf(text: string): number {
  let steps = 0;
  for (const [, count] of text.matchAll(/[~^]([0-9]*)/g)) steps += count === "" ? 1 : Number(count);
  return Math.min(steps, MAX_BACK);
}

function byHash(store: ObjectStore, digits: string): string {
  const found = digits.length === 40 ? (store.has(digits) ? [digits] : []) : store.withPrefix(digits);
  const commits = found.filter((oid) => store.read(oid).type === "commit");
  const [first, second] = commits;
  if (first === undefined) throw new PaddockError("NOT_FOUND", `commit not found: ${quote(digits)}`);
  if (second !== undefined) {
    throw new PaddockError(
      "INVALID_INPUT",
      `more than one commit begins with ${quote(digits)}; give more digits`,
    );
  }
  return first;
}
