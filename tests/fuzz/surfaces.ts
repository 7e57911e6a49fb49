/** The surfaces that are fuzzed: how each is started, and values that get further than random ones. */
import type { TempFolder } from "../support/temp.ts";
import type { Hints } from "./calls.ts";

export const SECRET = "NOT-TO-BE-TOLD";

export interface FuzzSurface {
  readonly name: string;
  args(folder: TempFolder): string[];
  /** The folder that the tools work in, below the temporary one. */
  readonly home: string;
  /** A call that has to be made first. */
  readonly first?: { readonly name: string; readonly arguments: Record<string, unknown> };
  readonly hints: Hints;
}

export const SURFACES: readonly FuzzSurface[] = [
  {
    name: "roots",
    args: (folder) => [`${folder.path}/field`, "--timeout=5"],
    home: "field",
    hints: {
      root: ["field"],
      source_root: ["field"],
      dest_root: ["field"],
      content: ["one\ntwo\n", "", "\ufeffx\r\ny"],
      edits: [[{ old_string: "one", new_string: "two" }], [{ old_string: "", new_string: "$&" }]],
    },
  },
  {
    name: "flat",
    args: (folder) => [`--dir=${folder.path}/field`, "--transport=stdio", "--timeout=5"],
    home: "field",
    hints: { name: ["a.txt", "new.txt", "../outside/secret.txt", "out", ".git"] },
  },
  {
    name: "workspaces",
    args: (folder) => [`--workspaces-root=${folder.path}/spaces`, "--transport=stdio", "--timeout=5"],
    home: "spaces/field",
    first: { name: "workspace_create", arguments: { name: "field" } },
    hints: {
      workspaceId: ["field"],
      content: ["one\ntwo\n", "", "\ufeffx\r\ny"],
      edits: [[{ oldText: "one", newText: "two" }], [{ oldText: "", newText: "$&" }]],
      commit: ["HEAD", "HEAD~1", "HEAD~999999", "main", "0".repeat(40), "@{-1}", "--all"],
      from: ["HEAD", "HEAD~3", "nonsense"],
      to: ["HEAD", "HEAD~1", "f".repeat(40)],
    },
  },
];

/** Restores what there is to work on. */
export function furnish(folder: TempFolder, { home, first }: FuzzSurface): void {
  const files: Record<string, string> = {
    [`${home}/a.txt`]: "one\ntwo\nthree\n",
    [`${home}/folder/b.txt`]: "b".repeat(5_000) + "\n",
    [`${home}/größe/日本.md`]: "# 日本\r\n",
    ...(first === undefined ? { [`${home}/.git/config`]: "[core]\n" } : {}), // a workspace has a real one
    "outside/secret.txt": SECRET,
  };
  for (const [name, content] of Object.entries(files)) {
    const path = `${folder.path}/${name}`;
    clear(path.slice(0, path.lastIndexOf("/")), (there) => there.isDirectory);
    clear(path, (there) => there.isFile);
    folder.write(name, content);
  }
  for (const [name, target] of [["link", "a.txt"], ["out", `${folder.path}/outside`]] as const) {
    const path = `${folder.path}/${home}/${name}`;
    clear(path, () => false);
    Deno.symlinkSync(target, path);
  }
}

/** Whatever is outside and should not be, or has changed. */
export function outside(folder: TempFolder, { home }: FuzzSurface): string[] {
  const served = `${home.split("/")[0]}/`;
  const names = folder.names().filter((name) => !name.startsWith(served));
  const strange = names.filter((name) => name !== "outside/" && name !== "outside/secret.txt");
  const changed = folder.read("outside/secret.txt") === SECRET ? [] : ["the secret was changed"];
  return [...strange.map((name) => `${name} was created outside`), ...changed];
}

/** Removes what is there, a link itself, unless it is what should be there. */
function clear(path: string, shouldBe: (there: Deno.FileInfo) => boolean): void {
  try {
    if (!shouldBe(Deno.lstatSync(path))) Deno.removeSync(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory)) throw error;
  }
}
