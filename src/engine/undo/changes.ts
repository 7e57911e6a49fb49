/** The changes that a client wants to make at once, and the failure of one of them. */
import type { PaddockError } from "../../base/errors.ts";
import type { ConfinedPath, ResolveOptions } from "../../confine/resolve_path.ts";
import type { StringEdit } from "../../text/string_edits.ts";

export type Operation =
  | {
    readonly op: "write";
    readonly path: string;
    readonly content: string;
    readonly expectedHash?: string | undefined;
  }
  | {
    readonly op: "edit";
    readonly path: string;
    readonly edits: readonly StringEdit[];
    readonly expectedHash?: string | undefined;
  }
  | { readonly op: "delete"; readonly path: string; readonly expectedHash?: string | undefined }
  | { readonly op: "move"; readonly source: string; readonly destination: string }
  | { readonly op: "mkdir"; readonly path: string };

export interface Wanted {
  readonly operations: readonly Operation[];
  /** The largest text that may be edited, before and after. */
  readonly maxBytes: number;
  /** Resolves a client's path and checks it against the fence and the allowlists. */
  resolve(path: string, options: ResolveOptions): ConfinedPath;
  /** Whether the operator has excluded a path from undo. */
  isExcluded(path: string): Promise<boolean>;
}

/** Which operation failed, and why. */
export class OperationFailure extends Error {
  readonly index: number;
  readonly failure: PaddockError;

  constructor(index: number, failure: PaddockError) {
    super(failure.message, { cause: failure });
    this.name = "OperationFailure";
    this.index = index;
    this.failure = failure;
  }
}
