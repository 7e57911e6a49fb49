/**
 * How changing code reports what it is about to do, so that it can be undone: one interface, passed along with the
 * rest of `Changing`, and left out if nothing is recorded. It never fails a change, unless the operator requires
 * changes to be undoable. See undo/recorder.ts.
 */
import type { ConfinedFile } from "../confine/confined_fs.ts";
import type { ConfinedPath } from "../confine/resolve_path.ts";
import type { Stamps } from "./stamps.ts";
import type { Pace } from "./yield.ts";

/** New content that is written but not in place yet. */
export interface NewContent {
  readonly hash: string;
  readonly size: number;
  readonly mode: number;
  /** Undefined if it is large. */
  readonly bytes: Uint8Array | undefined;
}

export interface FileRecording {
  /**
   * Called right before the file is put in place; `replaced` is what was there. A second call replaces the first.
   */
  intend(content: NewContent, replaced: ConfinedFile | undefined): Promise<void>;
  /** The file is in place. */
  placed(): void;
}

export interface MoveRecording {
  /** The move has happened. */
  made(): Promise<void>;
}

export interface Recording {
  /** A file is about to be written; `appends` is what is added to its end, if that is all. */
  file(path: ConfinedPath, appends: Uint8Array | undefined): FileRecording;
  /** A folder was created. */
  folder(path: ConfinedPath): void;
  /**
   * Removes a file or a link so that it can be restored. False if that is impossible: then the caller removes it.
   */
  remove(path: ConfinedPath): Promise<boolean>;
  /**
   * Moves a folder with everything in it away ("gone"), or keeps what is in it: then the caller removes it, as far
   * as it still matches the stamps; without stamps, whatever it is.
   */
  removeTree(
    path: ConfinedPath,
    options: { entries: number; pace: Pace },
  ): Promise<"gone" | Stamps | undefined>;
  /** Something is about to be renamed, possibly over a file. */
  move(from: ConfinedPath, to: ConfinedPath, pace: Pace): Promise<MoveRecording>;
}
