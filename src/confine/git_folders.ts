/**
 * Git's own folders under a name other than `.git`: a bare repository, one made with `--separate-git-dir`,
 * the target of a `gitdir:` file. Git runs what the config and the hooks in such a folder say, and accepts
 * any folder that contains HEAD, objects and refs, or HEAD and a commondir (a worktree's; the rest is where
 * that leads).
 *
 * This code accepts more than git, which also reads HEAD and checks access to objects and refs: a folder that
 * git does not accept yet could become one with the next change.
 */
import { PaddockError } from "../base/errors.ts";
import { exists } from "./node_fs.ts";
import { osCode } from "./os_errors.ts";
import { foldedName, isGitName, lexicalPath, quote, SEPARATOR } from "./path_rules.ts";

const PIECES = ["HEAD", "objects", "refs", "commondir"] as const;
export type Piece = typeof PIECES[number];
/** Those that must be files for git. */
const FILES: readonly Piece[] = ["HEAD", "commondir"];

/** Longest `.git` file to read; git's own limit is 1 MB. */
const LONGEST_GIT_FILE = 8_192;
const GIT_FILE = "gitdir: ";

/** Whether git may accept the folder as one of its own; `coming` are names about to be created in it. */
export function isGitFolder(folder: string, coming: readonly Piece[] = []): boolean {
  const has = (piece: Piece) => coming.includes(piece) || exists(join(folder, piece));
  if (!has("commondir") && !(has("refs") && has("objects"))) return false;
  return coming.includes("HEAD") || lstatOf(join(folder, "HEAD"))?.isDirectory === false; // it may be a link
}

/** Which of git's pieces some file system would take this name for. */
export function gitPiece(name: string): Piece | undefined {
  if (!/^[horc]|[^\x20-\x7e]/i.test(name)) return undefined; // most names
  const folded = foldedName(name);
  return PIECES.find((piece) => piece.toLowerCase() === folded);
}

/** A place in a root; the part of ConfinedPath used here. */
interface Place {
  readonly root: { readonly path: string };
  readonly owner: { readonly name: string; readonly git: "open" | "read-only" | "hidden" };
  readonly given: string;
  readonly relative: string;
  readonly absolute: string;
}

/**
 * The git folder that a path is or lies in, as a path from the root; undefined when there is none. Along the
 * path, `.git` files are read too: whatever they point to is git's, whatever is there now.
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

/** The pieces that several changes made together will create, by folder. */
export type ComingPieces = Map<string, readonly Piece[]>;

interface NewName {
  readonly kind?: "folder" | "any";
  /** The pieces that changes made along with this one create; this one is added. */
  readonly along?: ComingPieces | undefined;
}

/** Throws when creating a name would turn its folder into one of git's, where these are protected. */
export function refuseNewGitFolder(place: Place, { kind = "any", along }: NewName = {}): void {
  const { owner, relative, absolute, given } = place;
  if (owner.git === "open") return;
  const names = relative.split("/");
  const coming = gitPiece(names.at(-1) ?? "");
  if (coming === undefined || (kind === "folder" && FILES.includes(coming))) return;
  if (names.some(isGitName)) return; // no tool gets there, only the server itself
  const folder = absolute.slice(0, absolute.lastIndexOf(SEPARATOR));
  const pieces = [...along?.get(folder) ?? [], coming];
  along?.set(folder, pieces);
  if (!isGitFolder(folder, pieces)) return;
  throw new PaddockError(
    "NOT_ALLOWED",
    `${quote(given)} would turn its folder into a git repository, whose config and hooks git would run` +
      howToAllow(owner),
    { audit: { root: owner.name, resolved_path: absolute } },
  );
}

/** The same for a path that is created together with the folders it lies in. */
export function refuseNewGitFolders(place: Place, along?: ComingPieces): void {
  refuseNewGitFolder(place, { along });
  let { relative, absolute } = place;
  while (relative.includes("/")) {
    relative = relative.slice(0, relative.lastIndexOf("/"));
    absolute = absolute.slice(0, absolute.lastIndexOf(SEPARATOR));
    refuseNewGitFolder({ ...place, relative, absolute }, { kind: "folder", along });
  }
}

/** What an operator can do about it, if anything. */
export function howToAllow({ git, name }: Place["owner"]): string {
  return git === "hidden" ? "" : ` (the operator can set protect_git: false for root ${name})`;
}

/** Does not follow a link. */
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
