/**
 * Resolves the directories the operator named: every symbolic link is followed, each must exist, none may be
 * given twice. The whole fence rests on these paths, so anything unclear about one is a mistake, never a
 * guess.
 *
 * Does not use @std/path: its modules read `globalThis.process` at import, which makes Deno load its Node
 * layer and would double the startup time for plain directories.
 */
import type { RootConfig } from "../base/config.ts";
import { isSameFile } from "../base/identity.ts";
import { NAME } from "../base/version.ts";
import { lacksPermission, whyUnusable } from "./read_file.ts";
import { mayRead, mayWrite } from "./permissions.ts";
import type { Checked } from "./values.ts";

export const LONGEST_ROOT_NAME = 64;
export const ROOT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export interface RootCandidate extends RootConfig {
  /** How an error message names it: `directory "src"`, `paddock.yaml:3: root "data": path "/srv"`. */
  readonly subject: string;
  /** The command that was probably meant, if there is no such directory. */
  readonly meant?: string | undefined;
  /** What an error message ends with. */
  readonly example: string;
}

/** The usable roots; adds one mistake for each of the others to `mistakes`. */
export function resolveRoots<E extends object>(
  candidates: readonly RootCandidate[],
  mistakes: string[],
  more?: (given: string, real: string) => E,
): (RootConfig & Partial<E>)[] {
  const seen = new Map<string, string>();
  const roots: (RootConfig & Partial<E>)[] = [];
  for (const { subject, example, meant, ...root } of candidates) {
    const real = realDirectory(root.path);
    if ("reason" in real) {
      const hint = meant === undefined ? "" : ` (did you mean ${NAME} ${meant}?)`;
      mistakes.push(
        `${subject} ${real.reason}, but must be an existing directory${hint}; example: ${example}`,
      );
      continue;
    }
    const twin = seen.get(real.value);
    if (twin !== undefined) {
      mistakes.push(
        `${subject} is the same as ${twin}, but must be another directory; example: ${example}`,
      );
      continue;
    }
    seen.set(real.value, subject);
    const aliases = aliasesOf(root.path, real.value);
    roots.push(
      {
        ...root,
        ...more?.(root.path, real.value),
        path: real.value,
        ...(aliases.length > 0 && { aliases }),
        ...(isFoundInAnyCase(real.value) && { anyCase: true }),
      } as RootConfig & Partial<E>,
    );
  }
  return roots;
}

/** The directory's path without symbolic links, or why it cannot be served, as a predicate. */
export function realDirectory(path: string): Checked<string> {
  if (!mayRead(path)) return { reason: lacksPermission(path) };
  try {
    const real = Deno.realPathSync(path);
    // A link and its target need separate permissions; the server works with the target.
    if (!mayRead(real)) return { reason: lacksPermission(real) };
    if (!Deno.statSync(real).isDirectory) return { reason: "is not a directory" };
    const system = systemFolder(real);
    if (system !== undefined) return { reason: `is in ${system}, which the outer fence keeps closed` };
    if (Deno.build.os !== "windows") Deno.openSync(real, { read: true }).close();
    return { value: Deno.build.os === "linux" ? asListed(real) : real };
  } catch (error) {
    return { reason: whyUnusable(error) };
  }
}

/** The path as given, if it is absolute and leads through a link: `/tmp` is `/private/tmp` on macOS. */
export function aliasesOf(given: string, real: string, os = Deno.build.os): string[] {
  const plain = os === "windows" ? given.replaceAll("/", "\\") : given;
  const path = plain.length > 1 ? plain.replace(/[\\/]+$/, "") : plain;
  const isPlain = /^(\/|[a-z]:[\\/])/i.test(path) && !/(^|[\\/])\.\.?($|[\\/])/.test(path);
  const isReal = os === "windows" ? path.toLowerCase() === real.toLowerCase() : path === real;
  return isPlain && !isReal ? [path] : [];
}

/** Whether the directory's name in the other letter case leads to the same directory. */
export function isFoundInAnyCase(real: string): boolean {
  const name = lastPart(real);
  const swapped = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
  const other = real.slice(0, real.length - name.length) + swapped;
  if (swapped === name || !mayRead(other)) return false;
  try {
    return isSameFile(Deno.lstatSync(other), Deno.lstatSync(real));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return false;
  }
}

/**
 * The path as its folders list it. On Linux a real path keeps the letter case it was asked for in, even on a file system
 * that ignores case, while paths found by listing have the listed case.
 */
function asListed(path: string): string {
  const name = lastPart(path);
  if (name === "" || !isFoundInAnyCase(path)) return path;
  const above = path.slice(0, path.length - name.length - 1);
  if (!mayRead(above)) return path;
  const own = Deno.lstatSync(path);
  const listed = [...Deno.readDirSync(above)].map((entry) => entry.name)
    .filter((each) => each.toLowerCase() === name.toLowerCase())
    .find((each) => isSameFile(Deno.lstatSync(`${above}/${each}`), own));
  return `${asListed(above)}/${listed ?? name}`;
}

/** Deno opens nothing there for a process with restricted permissions. */
function systemFolder(path: string): string | undefined {
  return Deno.build.os === "linux" ? /^\/(?:dev|proc|sys)(?=\/|$)/.exec(path)?.[0] : undefined;
}

/** The same for a directory in which files can be created. */
export function writableDirectory(path: string): Checked<string> {
  const real = realDirectory(path);
  if ("reason" in real) return real;
  if (!mayWrite(real.value)) {
    return { reason: `is not writable: the process was started without --allow-write=${real.value}` };
  }
  try {
    // The server sweeps files with this name, should this process end between the two calls.
    Deno.removeSync(Deno.makeTempFileSync({ dir: real.value, prefix: ".paddock-", suffix: ".tmp" }));
    return real;
  } catch {
    return { reason: "is not writable" };
  }
}

/** Creates a missing directory in an existing one; the caller checks afterwards whether that worked. */
export function createDirectory(path: string): void {
  if (!mayRead(path) || !mayWrite(path)) return;
  try {
    Deno.mkdirSync(path);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}

/** Names derived from the folders: src, src-2, …; characters that root names cannot have become `-`. */
export function namesFor(dirs: readonly string[]): string[] {
  const taken = new Set<string>();
  return dirs.map((dir) => {
    const base = rootNameOf(folderOf(dir));
    let name = base;
    for (let n = 2; taken.has(name); n++) {
      const suffix = `-${n}`;
      name = base.slice(0, LONGEST_ROOT_NAME - suffix.length) + suffix;
    }
    taken.add(name);
    return name;
  });
}

/** The last part of the path as given; for `.`, `..` or nothing, that of the real path. */
function folderOf(dir: string): string {
  const last = lastPart(dir);
  if (last !== "" && last !== "." && last !== "..") return last;
  const real = realDirectory(dir);
  return "value" in real ? lastPart(real.value) : "";
}

function lastPart(path: string): string {
  const parts = path.split(Deno.build.os === "windows" ? /[\\/]/ : "/");
  return parts.findLast((part) => part !== "") ?? "";
}

function rootNameOf(folder: string): string {
  const name = folder
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, LONGEST_ROOT_NAME)
    .replace(/-+$/, "");
  return name === "" ? "root" : name;
}
