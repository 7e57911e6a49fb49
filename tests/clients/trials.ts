/**
 * What every client must manage on every surface: list the tools, write, read, and show a model what was wrong with a
 * call. All clients try every surface in this list.
 */

export interface Call {
  readonly tool: string;
  readonly args: Record<string, unknown>;
}

export interface Trial {
  readonly surface: string;
  /** What starts the server, besides its transport. */
  args(dir: string): string[];
  /** Called before anything else; its answer does not matter. */
  readonly first?: Call;
  readonly write: (root: string) => Call;
  readonly read: (root: string) => Call;
  /** What the read must return. */
  readonly content: string;
  /** A call that fails; the error must contain what the model needs: `tells`. */
  readonly fail: (root: string) => Call;
  readonly tells: string;
  /** A file as a resource, if the surface has resources. */
  readonly resource?: (root: string) => string;
}

export const TRIALS: readonly Trial[] = [
  {
    surface: "roots",
    args: (dir) => ["--no-undo", dir],
    write: (root) => ({ tool: "write_file", args: { root, path: "a.txt", content: "hello wörld\n" } }),
    read: (root) => ({ tool: "read_file", args: { root, path: "a.txt" } }),
    content: "hello wörld",
    fail: (root) => ({
      tool: "edit_file",
      args: { root, path: "a.txt", edits: [{ old_text: "hello world", new_text: "x" }] },
    }),
    tells: "hello wörld",
    resource: (root) => `paddock://${root}/a.txt`,
  },
  {
    surface: "classic",
    args: (dir) => ["--no-undo", "--classic", dir],
    write: () => ({ tool: "write_file", args: { path: "a.txt", content: "hello wörld\n" } }),
    read: () => ({ tool: "read_text_file", args: { path: "a.txt" } }),
    content: "hello wörld",
    fail: () => ({
      tool: "edit_file",
      args: { path: "a.txt", edits: [{ oldText: "hello world", newText: "x" }] },
    }),
    tells: "hello wörld",
  },
  {
    surface: "flat",
    args: (dir) => [`--dir=${dir}`],
    write: () => ({ tool: "edit_file", args: { name: "a.txt", append: "hello wörld" } }),
    read: () => ({ tool: "read_file", args: { name: "a.txt" } }),
    content: "hello wörld",
    fail: () => ({
      tool: "edit_file",
      args: { name: "a.txt", edits: [{ line: 99, operation: "delete" }] },
    }),
    tells: "99",
  },
  {
    surface: "workspaces",
    args: (dir) => [`--workspaces-root=${dir}`],
    first: { tool: "workspace_create", args: { name: "one" } },
    write: () => ({
      tool: "fs_write_file",
      args: { workspaceId: "one", path: "a.txt", content: "hello wörld\n" },
    }),
    read: () => ({ tool: "fs_read_text_file", args: { workspaceId: "one", path: "a.txt" } }),
    content: "hello wörld",
    fail: () => ({
      tool: "fs_edit_file",
      args: { workspaceId: "one", path: "a.txt", edits: [{ oldText: "hello world", newText: "x" }] },
    }),
    tells: "hello wörld",
    resource: () => "paddock://one/a.txt",
  },
];
