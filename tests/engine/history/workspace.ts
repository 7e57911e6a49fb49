/** A workspace in a temporary folder, with the real git program as the judge. */
import { assertEquals } from "@std/assert";
import { type ConfinedPath, type ConfinedRoot, resolvePath } from "../../../src/confine/resolve_path.ts";
import {
  type Changed,
  type ChangeRequest,
  type History,
  initHistory,
  openHistory,
  ReplacedFiles,
  type Step,
} from "../../../src/engine/history/mod.ts";
import { type TempFolder, tempFolder } from "../../support/temp.ts";
import { openBelow } from "../../support/open_files.ts";

export const REQUEST: ChangeRequest = { tool: "write_file", client: "test", waitMs: 5_000, umask: 0o022 };

const ENV = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A Person",
  GIT_AUTHOR_EMAIL: "person@example.com",
  GIT_COMMITTER_NAME: "A Person",
  GIT_COMMITTER_EMAIL: "person@example.com",
};

export interface Workspace extends TempFolder {
  readonly root: ConfinedRoot;
  readonly history: History;
  at(path: string): ConfinedPath;
  /** Runs git there and returns its output; throws if it fails. */
  git(...args: string[]): string;
  /** The same, with the output on both streams, whether it fails or not. */
  tryGit(...args: string[]): string;
  change(...steps: Step[]): Promise<Changed<null>>;
  put(path: string, content: string | Uint8Array): Promise<Changed<null>>;
  /** Throws unless git agrees: nothing modified, nothing damaged, the commit equals the disk. */
  judge(): void;
}

export async function newWorkspace(): Promise<Workspace> {
  const folder = tempFolder();
  const root: ConfinedRoot = { name: "workspace", path: folder.path, git: "hidden", nested: [] };
  await initHistory(root);
  const work = workspaceOn(root, { idleMs: NEVER, replaced: new ReplacedFiles() });
  return {
    ...folder,
    ...work,
    [Symbol.dispose]() {
      work.history.close();
      folder[Symbol.dispose]();
    },
  };
}

/** As in a server, but nothing happens on its own. */
export const NEVER = 600_000;

/** The workspace in an existing folder. */
export function workspaceOn(
  root: ConfinedRoot,
  options?: Parameters<typeof openHistory>[1],
): Omit<Workspace, keyof TempFolder> {
  const history = openHistory(root, options);
  const at = (path: string) => resolvePath(root, path, { follow: false });
  const run = (args: string[]) =>
    new Deno.Command("git", { args: ["-C", root.path, ...args], env: ENV }).outputSync();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const git = (...args: string[]) => {
    const { success, stdout, stderr } = run(args);
    if (!success) throw new Error(`git ${args.join(" ")}: ${text(stderr)}`);
    return text(stdout);
  };
  const change = (...steps: Step[]) =>
    history.change(REQUEST, () => ({ summary: summaryOf(steps), steps, value: null }));
  return {
    root,
    history,
    at,
    git,
    tryGit: (...args) => {
      const { stdout, stderr } = run(args);
      return text(stdout) + text(stderr);
    },
    change,
    put: (path, content) => {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      return change({ kind: "put", path: at(path), bytes });
    },
    judge: () => {
      assertEquals(git("status", "--porcelain"), "");
      assertEquals(git("fsck", "--strict", "--no-dangling"), "");
      git("diff-index", "--cached", "--exit-code", "HEAD");
    },
  };
}

function summaryOf([step]: Step[]): string {
  if (step === undefined) return "Nothing";
  return step.kind === "move" ? `Move ${step.from.relative}` : `${step.kind} ${step.path.relative}`;
}

/** What `git log` lists, newest first. */
export function gitLog(workspace: Pick<Workspace, "git">, ...args: string[]): string[] {
  return workspace.git("log", "--format=%H", ...args).split("\n").filter((line) => line !== "");
}

/** How many files below a folder are open although they have lost their name. */
export function nameless(folder: string): number {
  return openBelow(folder).filter((path) => path.endsWith(" (deleted)")).length;
}
