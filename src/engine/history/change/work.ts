/**
 * What is to be done to the working tree, in a form that survives a crash: it is in the journal, and the content in
 * the object store. Paths are relative to the workspace.
 */
export type Work =
  /** Gives a file the content of a blob. */
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
    /** Whether to remove folders that become empty. */
    readonly tidy?: boolean;
  }
  | { readonly kind: "move"; readonly from: string; readonly to: string }
  | { readonly kind: "folder"; readonly path: string }
  /** Removes a folder and those in it, as far as they are empty. */
  | { readonly kind: "prune"; readonly path: string };

export type Write = Extract<Work, { kind: "write" }>;
