/**
 * Prepares one step of a plan: checks what it finds against what was planned for, and keeps it, so that the step
 * can be rolled back or undone.
 */
import { PaddockError } from "../../base/errors.ts";
import { isSaved, openSettled } from "../open_settled.ts";
import { lstat } from "../../confine/confined_fs.ts";
import type { ConfinedPath } from "../../confine/resolve_path.ts";
import { keepFile } from "./before.ts";
import { conflict, Meanwhile } from "./conflict.ts";
import { LARGEST_CONTENT, packContent, type Packed } from "./contents.ts";
import { lookAt } from "./look.ts";
import { type FileState, isSameContent, isSameState, keptIn, type State, type Step } from "./state.ts";
import type { UndoStore } from "./store.ts";

export interface Prepared {
  readonly step: Step;
  readonly contents: readonly Packed[];
}

export interface Preparing {
  readonly store: UndoStore;
  /** The bytes of a content, wherever they are stored. */
  bytes(hash: string | undefined): Uint8Array | undefined;
  /** How much may still be copied to the store; no limit unless given. */
  readonly copying?: { allowed: number } | undefined;
}

export async function prepare(step: Step, preparing: Preparing): Promise<Prepared> {
  if (step.op === "move") return { step, contents: [] };
  const { store } = preparing;
  const path = placeOf(store, step.path);
  const contents = await newContents(step, preparing);
  if (step.before.kind === "file") {
    const { copying } = preparing;
    const before = await keepReplaced(path, { store, expected: step.before, given: step.path, copying });
    return { step: { ...step, before: before.state } as Step, contents: [...contents, ...before.contents] };
  }
  if (step.op === "splice") return { step, contents };
  return {
    step: { ...step, before: await checked(path, step.before, { store, given: step.path }) },
    contents,
  };
}

/** Where a step takes place. A link that has appeared on the way is not followed. */
export function placeOf(store: UndoStore, relative: string): ConfinedPath {
  const path = store.at(relative);
  if (path.relative !== relative) throw conflict(relative, "is behind a link now");
  return path;
}

async function newContents(
  step: Exclude<Step, { op: "move" }>,
  { store, bytes }: Preparing,
): Promise<Packed[]> {
  const hashes = step.op === "splice"
    ? [step.cut, step.add]
    : step.after.kind === "file" && step.after.kept === undefined && step.after.size <= LARGEST_CONTENT
    ? [step.after.hash]
    : [];
  const contents: Packed[] = [];
  for (const hash of hashes) {
    const found = hash === undefined || store.contents.has(hash) ? undefined : bytes(hash);
    if (found !== undefined) contents.push(await packContent(found, hash));
  }
  return contents;
}

interface Replaced {
  expected: FileState;
  given: string;
}

async function keepReplaced(
  path: ConfinedPath,
  { store, expected, given, copying }: Replaced & Pick<Preparing, "store" | "copying">,
): Promise<{ state: State; contents: readonly Packed[] }> {
  if (lstat(path)?.isFile !== true) throw new Meanwhile(given);
  using file = await openSettled(path, undefined);
  const allowed = copying?.allowed ?? Infinity;
  const kept = await keepFile(store, file, { allowed, name: nameFor(expected, store) });
  if (kept === undefined && copying !== undefined) throw tooMuch(store);
  if (copying !== undefined) copying.allowed -= kept?.copied ?? 0;
  const state = kept?.state ?? expected;
  const isRight = state.kind === "file" && state.hash === undefined
    ? isSameContent(await lookAt(path), expected)
    : isSameState(state, expected);
  if (!isRight || isSaved(file)) throw new Meanwhile(given);
  return { state: { ...state, hash: expected.hash }, contents: kept?.contents ?? [] };
}

function tooMuch({ settings }: UndoStore): PaddockError {
  const megabytes = Math.round(settings.maxChangeBytes / 1024 / 1024);
  return new PaddockError(
    "TOO_LARGE",
    `it would mean copying more than ${megabytes} MB to the undo store (max_change_mb); nothing was changed: make ` +
      "fewer changes at once",
  );
}

/** What is removed whole goes to the trash, under the name that it had there before, or a new one. */
async function checked(
  path: ConfinedPath,
  expected: State,
  { store, given }: { store: UndoStore; given: string },
): Promise<State> {
  const now = await lookAt(path);
  const kind = expected.kind === "tree" ? "folder" : expected.kind; // whatever is in it goes along
  if (now.kind !== kind) throw new Meanwhile(given);
  if (expected.kind === "absent" || expected.kind === "folder") return expected;
  return { ...expected, kept: nameFor(expected, store) };
}

function nameFor(state: State, { trash }: UndoStore): string {
  const last = keptIn(state);
  return last === undefined || trash.has(last) ? trash.newName() : last;
}
