/**
 * What changing code tells of what it is about to do, so that it can be taken back: one interface, given along with
 * the rest of `Changing`, and left out where nothing is recorded. It never fails a change, unless the operator
 * asked for changes that can be undone or none. See undo/recorder.ts.
 */
import { type ConfinedFile } from "../confine/confined_fs.ts";
import { type ConfinedPath } from "../confine/resolve_path.ts";
import { type Stamps } from "./stamps.ts";
import { type Pace } from "./yield.ts";

/** A new content that is written but not in its place yet. */
export interface NewContent {
  readonly hash: string;
  readonly size: number;
  readonly mode: number;
  /** Left out where it is large. */
  readonly bytes: Uint8Array | undefined;
}

export interface FileRecording {
  /** Right before the file takes its place; `replaced` is what was there. May be told again, and then replaces. */
  intend(content: NewContent, replaced: ConfinedFile | undefined): Promise<void>;
  /** It is in its place. */
  placed(): void;
}

export interface MoveRecording {
  /** It has happened. */
  made(): Promise<void>;
}

export interface Recording {
  /** A file is going to be written; `appends` is what is added to its end, if that is all. */
  file(path: ConfinedPath, appends: Uint8Array | undefined): FileRecording;
  /** A folder was created. */
  folder(path: ConfinedPath): void;
  /** Removes a file or a link so that it can come back. False when that cannot be: then it is the caller's to remove. */
  remove(path: ConfinedPath): Promise<boolean>;
  /**
   * Takes a folder with all that is in it away ("gone"), or keeps what is in it: then it is the caller's to remove,
   * as it was found (the stamps); without them, whatever it is.
   */
  removeTree(
    path: ConfinedPath,
    options: { entries: number; pace: Pace },
  ): Promise<"gone" | Stamps | undefined>;
  /** Something is going to be renamed, over a file perhaps. */
  move(from: ConfinedPath, to: ConfinedPath, pace: Pace): Promise<MoveRecording>;
}
