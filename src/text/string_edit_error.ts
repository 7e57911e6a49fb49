/** The error of a text edit that cannot be applied; apart from what finds the reasons, which is large. */
import { PaddockError } from "../base/errors.ts";
import type { NearMatch } from "./nearest_match.ts";

/** Why an edit cannot be applied, for surfaces with their own wording. */
export type EditFailure =
  | { readonly kind: "empty" }
  | {
    readonly kind: "missing";
    /** Nearest first. */
    readonly nearest: readonly NearMatch[];
    /** Whether it was in the original, before earlier edits. */
    readonly wasThere: boolean;
  }
  | {
    readonly kind: "several";
    readonly count: number;
    /** The first places, by the line they begin in. */
    readonly lines: readonly { readonly line: number; readonly text: string }[];
  }
  | { readonly kind: "overlap"; readonly prior: number };

/** Message and `rpcCode` are those of multi_edit_text_file; `data` helps to fix the edit. */
export class StringEditError extends PaddockError {
  readonly rpcCode: number;
  /** Undefined where no text was involved. */
  readonly failure: EditFailure | undefined;

  constructor(rpcCode: number, message: string, data: Record<string, unknown> = {}, failure?: EditFailure) {
    super("INVALID_INPUT", message, { data, lines: true });
    this.rpcCode = rpcCode;
    this.failure = failure;
  }
}

/** What can be checked before any text is involved. */
export function checkEdits(edits: readonly unknown[]): void {
  if (edits.length === 0) throw new StringEditError(-32600, "Edits array cannot be empty");
}
