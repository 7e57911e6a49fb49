/**
 * For a path that does not exist: adds the names that were probably meant to the error. Only if names may be
 * listed; otherwise nothing about existing names is revealed.
 */
import { PaddockError } from "../base/errors.ts";
import type { ConfinedPath } from "../engine/fence.ts";

export interface Meant {
  /** As it was given. */
  readonly path: string;
  readonly signal: AbortSignal;
  /** Where to look for names; undefined if they may not be listed. */
  top(): ConfinedPath | undefined;
  mayEnter?(folder: ConfinedPath): boolean;
}

/** How long to look for names. */
const SEARCH_MS = 200;
const MOST = 3;
/** Arguments that are not paths. */
const OTHERS: readonly unknown[] = ["root", "workspaceId"];

export async function withNearbyNames<T>(meant: Meant, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw await addNearbyNames(meant, error);
  }
}

/** The error, with the names if it is about a path that does not exist. */
export async function addNearbyNames(meant: Meant, error: unknown): Promise<unknown> {
  const isMissing = error instanceof PaddockError && error.code === "NOT_FOUND" &&
    !OTHERS.includes(error.data?.argument);
  const names = isMissing ? await nearbyNames(meant) : [];
  if (!isMissing || names.length === 0) return error;
  const { message, data, audit } = error;
  return new PaddockError("NOT_FOUND", `${message.replace(/\.$/, "")}; did you mean ${names.join(" or ")}?`, {
    ...(data === undefined ? {} : { data }),
    ...(audit === undefined ? {} : { audit }),
    forLog: error.forLog,
    cause: error,
  });
}

/** The same name elsewhere, or one that differs in case, extension, or a letter or two. */
async function nearbyNames({ path, signal, top, mayEnter }: Meant): Promise<string[]> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const folder = name === "" || name.length > 100 ? undefined : top();
  if (folder === undefined) return [];
  const { find } = await import("../engine/search/mod.ts"); // large, and not always needed
  const stem = name.slice(0, Math.max(1, Math.ceil(stemOf(name).length / 3)));
  const { matches } = await find(folder, {
    glob: "**",
    typeFilter: "file",
    maxResults: 20_000,
    timeoutMs: SEARCH_MS,
    respectGitignore: true,
    signal,
    ...(mayEnter === undefined ? {} : { mayEnter }),
    pool: undefined,
  });
  return matches
    .map((match) => ({ path: match.path, score: likeness(match.path, { path, name, stem }) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.path.length - b.path.length)
    .slice(0, MOST)
    .map((found) => found.path);
}

interface Wanted {
  path: string;
  name: string;
  stem: string;
}

/** 0 if it was not meant. */
function likeness(found: string, { path, name, stem }: Wanted): number {
  const other = found.slice(found.lastIndexOf("/") + 1);
  const isBeside = found.slice(0, -other.length) === path.slice(0, -name.length);
  const beside = isBeside ? 0.5 : 0;
  if (found.toLowerCase() === path.toLowerCase()) return 4;
  if (other === name) return 3 + beside;
  if (other.toLowerCase() === name.toLowerCase()) return 2.5 + beside;
  if (stemOf(other) === stemOf(name)) return 2 + beside;
  const isClose = distance(other, name) <= 2 && Math.max(other.length, name.length) > 3 &&
    other.slice(0, stem.length).toLowerCase() === stem.toLowerCase();
  return isClose ? 1 + beside : 0;
}

function stemOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? name : name.slice(0, dot);
}

/** How many letters must be changed, inserted or deleted; anything above 2 counts as 3. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(change, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    above = row;
  }
  return above[b.length] ?? 3;
}
