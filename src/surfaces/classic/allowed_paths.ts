/**
 * Turns a path as a client of the official server gives it into a confined one: absolute, from `~`, or relative to
 * the first directory. It must be in an allowed directory by its names, before anything is read, and after
 * following its links, which the fence proves. Directories can be narrowed to parts of them; nothing widens them.
 */
import type { ClassicRootConfig } from "../../base/config.ts";
import { PaddockError } from "../../base/errors.ts";
import {
  type ConfinedPath,
  type ConfinedRoot,
  contains,
  isAbsolutePath,
  lexicalPath,
  type ResolveOptions,
  resolvePath,
} from "../../engine/fence.ts";
import { otherSpelling } from "../../engine/equivalent_path.ts";
import { inWords } from "./system_words.ts";

export interface Directory {
  readonly config: ClassicRootConfig;
  readonly confined: ConfinedRoot;
}

export interface AllowedOptions {
  readonly home: string | undefined;
  /** The only parts of the directories that are allowed, absolute and real; default: all of them. */
  readonly narrowed?: readonly string[] | undefined;
}

const IS_WINDOWS = Deno.build.os === "windows";

export class AllowedPaths {
  readonly #directories: readonly Directory[];
  readonly #home: string | undefined;
  readonly #narrowed: readonly string[] | undefined;
  /** As clients see them, each in every spelling it is known by. */
  readonly listed: readonly string[];

  constructor(directories: readonly Directory[], { home, narrowed }: AllowedOptions) {
    this.#directories = directories;
    this.#home = home;
    this.#narrowed = narrowed;
    this.listed = narrowed ??
      directories.flatMap(({ config: { given, path } }) => given === undefined ? [path] : [given, path]);
  }

  resolve(given: string, options: ResolveOptions): ConfinedPath {
    refuseDrive(given);
    const absolute = this.absolute(given);
    if (absolute === undefined || !this.#isAllowed(absolute)) {
      throw this.#denied("path outside allowed directories", absolute ?? given);
    }
    const resolved = this.#confined(absolute, absolute, options);
    const spelled = otherSpelling(resolved);
    if (spelled === undefined) return resolved;
    return this.resolve(`${resolved.root.path}/${spelled}`, options);
  }

  /** By names alone, and in the spelling of the real path; undefined for what is not a path. */
  absolute(given: string): string | undefined {
    const path = this.#expanded(given);
    if (isAbsolutePath(path)) return this.#realSpelling(lexicalPath("", path));
    const bases = this.#narrowed ?? this.#directories.map(({ config }) => config.path);
    const candidates = bases.map((base) => lexicalPath(base, path));
    return candidates.find((each) => each !== undefined && this.#isAllowed(each)) ?? candidates[0];
  }

  /** The innermost directory that contains a path. */
  directoryOf(absolute: string): Directory | undefined {
    return this.#directories.filter(({ config }) => contains(config.path, absolute))
      .reduce<Directory | undefined>(
        (best, each) => best === undefined || each.config.path.length > best.config.path.length ? each : best,
        undefined,
      );
  }

  #expanded(given: string): string {
    return this.#home !== undefined && /^~(?:\/|$)/.test(given) ? this.#home + given.slice(1) : given;
  }

  /** A directory that was named through a link is known by that name, too; the link itself is not read. */
  #realSpelling(path: string | undefined): string | undefined {
    if (path === undefined) return undefined;
    for (const { config: { given, path: real } } of this.#directories) {
      if (given !== undefined && contains(given, path)) return real + path.slice(given.length);
    }
    return path;
  }

  #isAllowed(absolute: string): boolean {
    const allowed = this.#narrowed ?? this.#directories.map(({ config }) => config.path);
    return allowed.some((directory) => contains(directory, absolute));
  }

  /** A link may lead from one directory into another. */
  #confined(asked: string, path: string, options: ResolveOptions): ConfinedPath {
    const directory = this.directoryOf(path);
    if (directory === undefined) throw this.#denied("path outside allowed directories", asked);
    const { confined } = directory;
    const relative = path.slice(confined.path.length).replace(/^[\\/]/, "");
    let resolved: ConfinedPath;
    try {
      resolved = resolvePath(confined, relative, options);
    } catch (error) {
      const leadsTo = linkedPath(error);
      const isElsewhere = leadsTo !== undefined && !contains(confined.path, leadsTo) &&
        this.directoryOf(leadsTo) !== undefined;
      if (isElsewhere) return this.#confined(asked, leadsTo, options);
      throw this.#worded(error, asked);
    }
    if (this.#isAllowed(resolved.absolute)) return resolved;
    throw this.#denied("symlink target outside allowed directories", asked, resolved.absolute);
  }

  #worded(error: unknown, asked: string): unknown {
    const worded = inWords(error, { call: "realpath", path: asked });
    if (worded !== error || !(error instanceof PaddockError) || error.code !== "OUT_OF_BOUNDS") return worded;
    const leadsTo = linkedPath(error);
    if (leadsTo !== undefined && leadsTo !== asked) {
      return this.#denied("symlink target outside allowed directories", asked, leadsTo);
    }
    return new PaddockError("OUT_OF_BOUNDS", `Access denied - ${error.message}`, {
      cause: error,
      ...(error.audit === undefined ? {} : { audit: error.audit }),
    });
  }

  /** Where a link leads goes to the log only. */
  #denied(why: string, asked: string, resolved = asked): PaddockError {
    return new PaddockError(
      "OUT_OF_BOUNDS",
      `Access denied - ${why}: ${asked} not in ${this.listed.join(", ")}`,
      {
        audit: { attempted_path: asked, resolved_path: resolved },
        forLog: why,
      },
    );
  }
}

/** A Windows drive is not the name of a folder here: a file of that name would be created in the wrong place. */
function refuseDrive(given: string): void {
  if (IS_WINDOWS || !/^[A-Za-z]:(?:[\\/]|$)/.test(given)) return;
  throw new PaddockError(
    "OUT_OF_BOUNDS",
    `Access denied - Windows-style path received on a POSIX host: ${given}`,
  );
}

/** Where the links lead of a path that was refused because of them. */
function linkedPath(error: unknown): string | undefined {
  if (!(error instanceof PaddockError) || error.code !== "OUT_OF_BOUNDS") return undefined;
  const path = error.audit?.resolved_path;
  return typeof path === "string" ? path : undefined;
}
