/**
 * What is at a path at some moment, as a record keeps it. `kept` is the name in the store's trash under which the
 * thing itself is, whole: a folder that was moved away, a large file, a link (which cannot be recreated inside the
 * fence).
 */

export interface Owned {
  readonly mode: number;
  readonly uid: number | null;
  readonly gid: number | null;
}

export interface FileState extends Owned {
  readonly kind: "file";
  readonly size: number;
  /** sha256 in hexadecimal digits; missing for a large file that is kept whole. */
  readonly hash?: string | undefined;
  readonly kept?: string | undefined;
}

/** A folder by itself; what is in it has records of its own. */
export interface FolderState extends Owned {
  readonly kind: "folder";
}

/** A folder with everything in it. */
export interface TreeState extends Owned {
  readonly kind: "tree";
  readonly kept?: string | undefined;
  /** sha256 over the names, modes and contents of everything in it, once it was needed. */
  readonly hash?: string | undefined;
  /** How many entries it has, including itself. */
  readonly size: number;
}

export interface LinkState {
  readonly kind: "link";
  readonly target: string;
  readonly kept?: string | undefined;
}

/** A pipe, a socket, a device. */
export interface OtherState {
  readonly kind: "other";
  readonly kept?: string | undefined;
}

export interface AbsentState {
  readonly kind: "absent";
}

export type State = AbsentState | FileState | FolderState | TreeState | LinkState | OtherState;

export const ABSENT: AbsentState = { kind: "absent" };

/** Whether two states are the same to a reader; owners are not compared, because not everybody can set them. */
export function isSameState(a: State, b: State): boolean {
  return isSameContent(a, b) && modeOf(a) === modeOf(b);
}

/** The same without the mode. */
export function isSameContent(a: State, b: State): boolean {
  switch (a.kind) {
    case "file":
      if (b.kind !== "file") return false;
      return a.hash === undefined || b.hash === undefined
        ? a.kept !== undefined && a.kept === b.kept
        : a.hash === b.hash;
    case "tree":
      return b.kind === "tree" &&
        (a.hash !== undefined && b.hash !== undefined ? a.hash === b.hash : a.kept === b.kept);
    case "link":
      return b.kind === "link" && a.target === b.target;
    default:
      return a.kind === b.kind;
  }
}

export function modeOf(state: State): number | undefined {
  return "mode" in state ? state.mode : undefined;
}

export function keptIn(state: State): string | undefined {
  return "kept" in state ? state.kept : undefined;
}

/** One step of a change. */
export type Step = Put | Splice | Move;

/** Something replaces something; either may be nothing. */
export interface Put {
  readonly op: "put";
  readonly path: string;
  readonly before: State;
  readonly after: State;
}

/** A part of a file replaces another; an append has an empty `cut`, at the end. */
export interface Splice {
  readonly op: "splice";
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState;
  readonly offset: number;
  /** The hashes of the two parts. */
  readonly cut: string;
  readonly add: string;
}

/** A rename: everything below goes along. */
export interface Move {
  readonly op: "move";
  readonly path: string;
  readonly dest: string;
}

/** The step that reverses this one. */
export function reverseOf(step: Step): Step {
  switch (step.op) {
    case "put":
      return { ...step, before: step.after, after: step.before };
    case "splice":
      return { ...step, before: step.after, after: step.before, cut: step.add, add: step.cut };
    case "move":
      return { ...step, path: step.dest, dest: step.path };
  }
}

/** Whether `path` is `folder` or below it; both relative to one root, whose own path is empty. */
export function liesIn(folder: string, path: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

/** Where `path` is after `from`, which is it or above it, has become `to`. */
export function movedTo(path: string, { from, to }: { from: string; to: string }): string {
  const rest = path.slice(from.length);
  return to === "" ? rest.slice(1) : to + rest;
}

export function parentPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** The path and all folders above it, without the root. */
export function selfAndAbove(path: string): string[] {
  const all: string[] = [];
  for (let at = path; at !== ""; at = parentPath(at)) all.push(at);
  return all;
}
