/**
 * Git's own folders under another name than `.git`: a bare repository, one made with `--separate-git-dir`, the
 * target of a `gitdir:` file. Git runs what the config and the hooks in such a folder say, and takes any folder for
 * one that holds HEAD, objects and refs, or HEAD and a commondir (a worktree's; the rest lies where that leads).
 *
 * More is taken for one here than by git, which also reads HEAD and asks for rights to objects and refs: what git
 * does not take for one yet, the next change could make one.
 */
import { PaddockError } from "../base/errors.ts";
import { exists } from "./node_fs.ts";
import { osCode } from "./os_errors.ts";
import { foldedName, isGitName, lexicalPath, quote, SEPARATOR } from "./path_rules.ts";

const PIECES = ["HEAD", "objects", "refs", "commondir"] as const;
export type Piece = typeof PIECES[number];
/** Those that git takes no folder for. */
const FILES: readonly Piece[] = ["HEAD", "commondir"];

/** What a `.git` file says, at most; git's own bound is 1 MB. */
const LONGEST_GIT_FILE = 8_192;
const GIT_FILE = "gitdir: ";

/** Whether git may take the folder for one of its own; `coming` are names that it is about to get. */
export function isGitFolder(folder: string, coming: readonly Piece[] = []): boolean {
  const has = (piece: Piece) => coming.includes(piece) || exists(join(folder, piece));
  if (!has("commondir") && !(has("refs") && has("objects"))) return false;
  return coming.includes("HEAD") || lstatOf(join(folder, "HEAD"))?.isDirectory === false; // it may be a link
}

/** Which of the pieces that git looks for some file system takes the name for. */
export function gitPiece(name: string): Piece | undefined {
  if (!/^[horc]|[^\x20-\x7e]/i.test(name)) return undefined; // most names
  const folded = foldedName(name);
  return PIECES.find((piece) => piece.toLowerCase() === folded);
}

/** A place in a root, as ConfinedPath has it. */
interface Place {
  readonly root: { readonly path: string };
  readonly owner: { readonly name: string; readonly git: "open" | "read-only" | "hidden" };
  readonly given: string;
  readonly relative: string;
  readonly absolute: string;
}

/**
 * The folder of git's that a path is or lies in, as a path from the root; undefined when there is none. On the way
 * down `.git` files are looked at as well: where they lead is git's, whatever is there now.
 */
export function gitFolderAround({ root, absolute, relative }: Place): string | undefined {
  const names = relative === "" ? [] : relative.split("/");
  const targets: string[] = [];
  let folder = root.path;
  for (let depth = 0; depth <= names.length; depth++) {
    if (depth > 0) folder = join(folder, names[depth - 1] ?? "");
    const isLast = depth === names.length;
    const isGits = targets.includes(folder) || (isGitFolder(folder) && (!isLast || isFolder(absolute)));
    if (isGits) return names.slice(0, depth).join("/") || ".";
    const target = isLast ? undefined : targetOfGitFile(folder);
    if (target !== undefined) targets.push(target);
  }
  return undefined;
}

/** Where the `.git` file in a folder leads; undefined when there is none. */
function targetOfGitFile(folder: string): string | undefined {
  const path = join(folder, ".git");
  const info = exists(path) ? lstatOf(path) : undefined;
  if (info === undefined || !info.isFile || info.size > LONGEST_GIT_FILE) return undefined;
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch (error) {
    if (osCode(error) === undefined) throw error;
    return undefined;
  }
  const target = text.startsWith(GIT_FILE)
    ? lexicalPath(folder, text.slice(GIT_FILE.length).trimEnd())
    : undefined;
  if (target === undefined) return undefined;
  try {
    return Deno.realPathSync(target);
  } catch (error) {
    if (osCode(error) === undefined) throw error;
    return target;
  }
}

/** What several changes at once are about to bring, by folder. */
export type ComingPieces = Map<string, readonly Piece[]>;

interface NewName {
  readonly kind?: "folder" | "any";
  /** What others that are made along with it bring; gets this one. */
  readonly along?: ComingPieces | undefined;
}

/** Throws when a name that is about to be given makes its folder one of git's, where these are protected. */
export function refuseNewGitFolder(place: Place, { kind = "any", along }: NewName = {}): void {
  const { owner, relative, absolute, given } = place;
  if (owner.git === "open") return;
  const names = relative.split("/");
  const coming = gitPiece(names.at(-1) ?? "");
  if (coming === undefined || (kind === "folder" && FILES.includes(coming))) return;
  if (names.some(isGitName)) return; // no tool gets there: it is the server's own work
  const folder = absolute.slice(0, absolute.lastIndexOf(SEPARATOR));
  const pieces = [...along?.get(folder) ?? [], coming];
  along?.set(folder, pieces);
  if (!isGitFolder(folder, pieces)) return;
  throw new PaddockError(
    "NOT_ALLOWED",
    `${quote(given)} would make a git repository of its folder, whose config and hooks git would run` +
      howToAllow(owner),
    { audit: { root: owner.name, resolved_path: absolute } },
  );
}

/** The same for a path that gets the folders it lies in along with it. */
export function refuseNewGitFolders(place: Place, along?: ComingPieces): void {
  refuseNewGitFolder(place, { along });
  let { relative, absolute } = place;
  while (relative.includes("/")) {
    relative = relative.slice(0, relative.lastIndexOf("/"));
    absolute = absolute.slice(0, absolute.lastIndexOf(SEPARATOR));
    refuseNewGitFolder({ ...place, relative, absolute }, { kind: "folder", along });
  }
}

/** What an operator can do about it, where there is anything. */
export function howToAllow({ git, name }: Place["owner"]): string {
  return git === "hidden" ? "" : ` (the operator can set protect_git: false for root ${name})`;
}

/** Not what a link leads to. */
function isFolder(path: string): boolean {
  return lstatOf(path)?.isDirectory === true;
}

function lstatOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (osCode(error) === undefined) throw error;
    return undefined;
  }
}

function join(folder: string, name: string): string {
  return folder.endsWith(SEPARATOR) ? folder + name : folder + SEPARATOR + name;
}
