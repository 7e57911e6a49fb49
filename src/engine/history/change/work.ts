/**
 * What is to be done to the working tree, in a form that survives a crash: it stands in the journal, and the
 * content is in the object store. Paths are relative to the workspace.
 */
export type Work =
  /** A file gets the content of a blob. */
  | {
    readonly kind: "write";
    readonly path: string;
    readonly oid: string;
    readonly mode: number;
    /** The permission bits of the file. */
    readonly permissions: number;
  }
  | {
    readonly kind: "remove";
    readonly path: string;
    /** Whether folders go that are empty after it. */
    readonly tidy?: boolean;
  }
  | { readonly kind: "move"; readonly from: string; readonly to: string }
  | { readonly kind: "folder"; readonly path: string }
  /** A folder goes, with those in it, as far as nothing else is in them. */
  | { readonly kind: "prune"; readonly path: string };

export type Write = Extract<Work, { kind: "write" }>;
