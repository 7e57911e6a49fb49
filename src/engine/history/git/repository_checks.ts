/**
 * Which repositories paddock works on: the plain kind that `git init` creates. Everything else is refused with
 * the reason, because a wrong guess would damage a person's history. Git's configuration is read for a few
 * facts only: nothing in it is ever run, and no file that it includes is opened.
 */
import { PaddockError } from "../../../base/errors.ts";
import { quote } from "../../../confine/path_rules.ts";
import type { GitFolder } from "./git_folder.ts";

/** Files and folders that exist while a git operation is in progress. */
const UNDER_WAY: ReadonlyMap<string, string> = new Map([
  ["MERGE_HEAD", "a merge"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a revert"],
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase"],
  ["BISECT_LOG", "a bisection"],
]);

const FOLDERS = new Set(["objects", "refs", "info", "mcp"]);
const HARMLESS_EXTENSIONS = new Set(["noop", "preciousobjects", "partialclone", "worktreeconfig"]);

export interface RepositoryState {
  /** The text of the configuration, including what `git config --worktree` sets. */
  readonly config: string;
  /** Whether a file's mode on disk says if it is executable; otherwise the history's mode counts. */
  readonly trustsModes: boolean;
  /** Whether git converts line endings in files that no attribute covers. */
  readonly autocrlf: boolean;
  /** Whether the configuration names another attributes file, which paddock does not read. */
  readonly hasOtherAttributes: boolean;
  /** The git operation in progress, such as a merge: nothing may be changed meanwhile. */
  readonly underWay: string | undefined;
}

/** Throws unless `.git` holds a repository of the plain kind. `known` is the result of the last check. */
export function checkRepository(git: GitFolder, known?: RepositoryState): RepositoryState {
  let underWay: string | undefined;
  for (const { name, isDirectory } of git.entries("")) {
    if (FOLDERS.has(name) && !isDirectory) throw unsupported(`.git/${name} is not a plain folder`);
    if (name === "commondir") throw unsupported("it is a worktree of another repository");
    underWay ??= UNDER_WAY.get(name);
  }
  if (git.stat("objects/pack")?.isDirectory === false) {
    throw unsupported(".git/objects/pack is not a plain folder");
  }
  if (git.has("objects/info/alternates")) {
    throw unsupported(
      'it borrows objects from another repository (objects/info/alternates); run "git repack -a -d", then remove that file',
    );
  }
  const own = git.readSettled("config") ?? "";
  const config = /worktreeconfig/i.test(own) ? `${own}\n${git.readSettled("config.worktree") ?? ""}` : own;
  if (known?.config === config) return { ...known, underWay };
  const settings = readConfig(config);
  checkConfig(settings);
  return {
    config,
    trustsModes: !/^(false|no|off|0)$/.test(settings.get("core.filemode") ?? ""),
    autocrlf: /^(true|yes|on|1|input)$/.test(settings.get("core.autocrlf") ?? ""),
    hasOtherAttributes: (settings.get("core.attributesfile") ?? "") !== "",
    underWay,
  };
}

/** Needed only for changes. */
export function checkQuiet({ underWay }: RepositoryState): void {
  if (underWay === undefined) return;
  throw new PaddockError(
    "CONFLICT",
    `${underWay} is in progress in the workspace's git repository; finish or abort it there, then try again`,
  );
}

/** Throws unless `.git` is a plain folder. */
export function checkFolder(git: GitFolder): void {
  const info = git.statItself();
  if (info === undefined) {
    throw new PaddockError(
      "UNSUPPORTED",
      "the folder is not a workspace: it has no .git; create one with workspace_create or git init",
    );
  }
  if (info.isSymlink) throw unsupported("its .git is a link");
  if (!info.isDirectory) throw unsupported("its .git is a file, as in a worktree or a submodule");
  git.verify();
}

function checkConfig(settings: ReadonlyMap<string, string>): void {
  const version = settings.get("core.repositoryformatversion") ?? "0";
  if (version !== "0" && version !== "1") throw unsupported(`its format version is ${quote(version)}`);
  const format = settings.get("extensions.objectformat");
  if (format !== undefined && format !== "sha1") {
    throw unsupported(`its object format is ${quote(format)}`);
  }
  const refs = settings.get("extensions.refstorage");
  if (refs !== undefined && refs !== "files") throw unsupported(`its branches are stored as ${quote(refs)}`);
  if (settings.has("core.worktree")) throw unsupported("its files are elsewhere (core.worktree)");
  if (/^(true|yes|on|1)$/.test(settings.get("core.bare") ?? "")) throw unsupported("it is bare");
  for (const key of settings.keys()) {
    const name = /^extensions\.(.*)$/.exec(key)?.[1];
    if (name === undefined || name === "objectformat" || name === "refstorage") continue;
    if (!HARMLESS_EXTENSIONS.has(name)) throw unsupported(`it uses the extension ${quote(name)}`);
  }
}

/** The settings of sections without a subsection, in lower case; the last one of a name counts. */
function readConfig(text: string): Map<string, string> {
  const settings = new Map<string, string>();
  let section = "";
  for (const line of text.split("\n")) {
    const head = /^\s*\[\s*([^\]\s"]+)\s*("(?:[^"\\]|\\.)*")?\s*\](.*)$/.exec(line);
    if (head !== null) section = head[2] === undefined ? (head[1] ?? "").toLowerCase() : "";
    const [, key = "", , value = "true"] = /^\s*([a-z][a-z0-9-]*)\s*(=\s*(.*))?$/i.exec(head?.[3] ?? line) ??
      [];
    if (key === "" || section === "") continue;
    const plain = value.replace(/\s*[#;].*$/, "").replaceAll('"', "").trim().toLowerCase();
    settings.set(`${section}.${key.toLowerCase()}`, plain);
  }
  return settings;
}

function unsupported(why: string): PaddockError {
  return new PaddockError(
    "UNSUPPORTED",
    `the workspace's git repository is of a kind that paddock does not support: ${why}`,
  );
}
