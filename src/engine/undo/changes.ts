/** What a client wants to have changed at once, and what was wrong with one of the operations. */
import { type PaddockError } from "../../base/errors.ts";
import { type ConfinedPath, type ResolveOptions } from "../../confine/resolve_path.ts";
import { type StringEdit } from "../../text/string_edits.ts";

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
  /** Largest text that is edited, before and after. */
  readonly maxBytes: number;
  /** The path a client means, checked against the fence and the allowlists. */
  resolve(path: string, options: ResolveOptions): ConfinedPath;
  /** Whether the operator wants no record of a path. */
  isExcluded(path: string): Promise<boolean>;
}

/** Which of the operations does not fit, and why. */
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
