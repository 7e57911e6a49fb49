/**
 * Where changes are recorded for undo: one store per directory, identified by the directory itself (inode and
 * birth time), not by its path, so another project in the same place gets another store. A problem with the
 * store does not keep the server from running, unless the operator requires undo: changes then cannot be
 * undone, and the log says so.
 */
import type { RootUndo, SurfaceConfig } from "../base/config.ts";
import { bornFor, identityWord } from "../base/identity.ts";
import { flagExample, FLAGS, type FlagValues } from "./flags.ts";
import { didYouMean, quote, refusal } from "./mistakes.ts";
import type { Env } from "./parse.ts";
import { mayRead, mayWrite } from "./permissions.ts";
import { whyUnusable } from "./read_file.ts";
import type { Checked } from "./values.ts";

/** What the config file says. */
export interface UndoFileSettings {
  readonly on: boolean;
  readonly dir?: string | undefined;
  readonly keepDays?: number | undefined;
  readonly maxMb?: number | undefined;
  readonly maxChangeMb?: number | undefined;
  readonly exclude?: readonly string[] | undefined;
}

export const UNDO_DEFAULTS = { keepDays: 30, maxMb: 1024, maxChangeMb: 200 } as const;

const MB = 1024 * 1024;
const PRIVATE = 0o700;
const OF_OTHERS = 0o077;
const SEPARATOR = Deno.build.os === "windows" ? "\\" : "/";

export interface UndoSources {
  readonly flags: FlagValues;
  /** Flag values from the environment. */
  readonly envFlags: FlagValues;
  readonly env: Env | undefined;
  readonly file: UndoFileSettings | undefined;
  readonly readOnly: boolean;
  /** Whether undo is on by default. */
  readonly byDefault: boolean;
  readonly mistakes: string[];
}

/**
 * Adds to the surface the stores of its directories, and closes the folders of all stores to clients, used or
 * not.
 */
export function withUndo(surface: SurfaceConfig, sources: UndoSources): SurfaceConfig {
  const made = withStores(surface, sources);
  if (!("roots" in made)) return made;
  const { flags, file, env } = sources;
  const places = [flags["undo-dir"], file?.dir, usualFolder(env)].flatMap((path) => realFolder(path) ?? []);
  const closed = [...new Set(places)].filter((place) => !made.roots.some(({ path }) => liesIn(place, path)))
    .map((path) => ({ path, identity: inodeOf(path) }));
  return closed.length === 0 ? made : { ...made, closed };
}

function realFolder(path: string | undefined): string | undefined {
  if (path === undefined || !mayRead(path)) return undefined;
  try {
    return Deno.realPathSync(path);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return undefined; // no stores yet
  }
}

/** How the server recognises a folder that is mounted elsewhere. */
function inodeOf(path: string): string {
  return identityWord(Deno.statSync(path));
}

function liesIn(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(SEPARATOR) ? folder : folder + SEPARATOR);
}

function withStores(surface: SurfaceConfig, sources: UndoSources): SurfaceConfig {
  const { flags, mistakes, file } = sources;
  if (surface.kind === "workspaces") {
    if (flags["undo-dir"] !== undefined || flags["require-undo"]) {
      const name = flags["undo-dir"] === undefined ? "require-undo" : "undo-dir";
      mistakes.push(
        wrong(name, "has no effect with --workspaces-root", "left out: a workspace has its own history"),
      );
    }
    return surface;
  }
  const off = whyOff(sources);
  if (off !== undefined) return withEach(surface, () => off === "" ? undefined : { off });
  const base = baseFolder(sources);
  const required = flags["require-undo"] ?? false;
  const settings = {
    keepDays: file?.keepDays ?? UNDO_DEFAULTS.keepDays,
    maxBytes: (file?.maxMb ?? UNDO_DEFAULTS.maxMb) * MB,
    maxChangeBytes: (file?.maxChangeMb ?? UNDO_DEFAULTS.maxChangeMb) * MB,
    exclude: file?.exclude ?? [],
    required,
  };
  return withEach(surface, (name, path) => {
    const store = "reason" in base ? base : storeFor({ base: base.value, name, path });
    if ("value" in store) return { store: store.value, ...settings };
    if (required) {
      mistakes.push(
        wrong(
          "require-undo",
          `cannot be met: ${store.reason}`,
          "left out, or given with a writable folder",
          "undo-dir",
        ),
      );
    }
    return { off: store.reason };
  });
}

/**
 * The surface with the stores of the directories that are in place now. Throws where a store is required but
 * unavailable.
 */
export function withStoresOfNow(surface: SurfaceConfig): SurfaceConfig {
  return withEach(surface, (name, path) => {
    const undo = undoOf(surface, path);
    if (undo === undefined || !("store" in undo) || !isFolder(path)) return undo;
    const base = undo.store.slice(0, Math.max(undo.store.lastIndexOf(SEPARATOR), 1));
    const store = storeFor({ base, name, path });
    if ("value" in store) return { ...undo, store: store.value };
    if (undo.required) throw new Error(`changes in ${name} could not be undone: ${store.reason}`);
    return { off: store.reason };
  });
}

function undoOf(surface: SurfaceConfig, path: string): RootUndo | undefined {
  if (surface.kind === "flat") return surface.undo;
  return "roots" in surface ? surface.roots.find((root) => root.path === path)?.undo : undefined;
}

function isFolder(path: string, look = Deno.lstatSync): boolean {
  try {
    return look(path).isDirectory;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return false; // it may come back
  }
}

/** Why nothing is recorded; empty where nobody expects a record, undefined where changes are recorded. */
function whyOff(
  { flags, envFlags, file, readOnly, byDefault, mistakes }: UndoSources,
): string | undefined {
  const wanted = flags["undo-dir"] !== undefined || flags["require-undo"];
  if (flags["no-undo"]) {
    if (flags["require-undo"]) {
      mistakes.push(wrong("require-undo", "is given with --no-undo", "given without it"));
    }
    return "it was turned off (--no-undo)";
  }
  if (!wanted) {
    if (file === undefined && !byDefault) return "";
    if (envFlags["no-undo"]) return "it was turned off (PADDOCK_NO_UNDO)";
    if (file?.on === false) return "it was turned off in the config file";
  }
  return readOnly ? "the server is read-only" : undefined;
}

function withEach(
  surface: SurfaceConfig,
  undoOf: (name: string, path: string) => RootUndo | undefined,
): SurfaceConfig {
  if (surface.kind === "workspaces") return surface;
  if (surface.kind === "flat") {
    const undo = undoOf("folder", surface.dir);
    return undo === undefined ? surface : { ...surface, undo };
  }
  const roots = surface.roots.map((root) => {
    const undo = undoOf(root.name, root.path);
    return undo === undefined ? root : { ...root, undo };
  });
  return { ...surface, roots };
}

type BaseSources = Pick<UndoSources, "flags" | "file" | "env">;

function givenFolder({ flags, file, env }: BaseSources): string | undefined {
  return flags["undo-dir"] ?? file?.dir ?? usualFolder(env);
}

/** The folder that holds all stores, if there is one: nothing is created. */
export function existingBase(sources: BaseSources): Checked<string | undefined> {
  const given = givenFolder(sources);
  if (given !== undefined && mayRead(given) && !isFolder(given, Deno.statSync)) return { value: undefined };
  return baseFolder(sources);
}

/** The folder that holds all stores; created if missing. */
export function baseFolder(sources: BaseSources): Checked<string> {
  const given = givenFolder(sources);
  if (given === undefined) {
    return { reason: "there is no home folder to record changes in; name a folder with --undo-dir" };
  }
  if (!mayRead(given) || !mayWrite(given)) {
    return { reason: "the process was started without permissions for the undo folder" };
  }
  try {
    Deno.mkdirSync(given, { recursive: true, mode: PRIVATE });
    const real = Deno.realPathSync(given);
    const system = Deno.build.os === "linux" ? /^\/(?:dev|proc|sys)(?=\/|$)/.exec(real)?.[0] : undefined;
    if (system !== undefined) {
      return { reason: `the undo folder is in ${system}, which the outer fence keeps closed` };
    }
    if (!mayRead(real) || !mayWrite(real)) {
      return { reason: "the process was started without permissions for the undo folder" };
    }
    return { value: real };
  } catch (error) {
    return { reason: `the undo folder ${whyNotMade(error)}` };
  }
}

function usualFolder(env: Env | undefined): string | undefined {
  const variable = (name: string) => env?.(name) || undefined;
  if (Deno.build.os === "windows") {
    const local = variable("LOCALAPPDATA");
    return local === undefined ? undefined : `${local}\\paddock`;
  }
  const state = variable("XDG_STATE_HOME");
  if (state !== undefined && state.startsWith("/")) return `${state}/paddock`;
  const home = variable("HOME");
  if (home === undefined || !home.startsWith("/")) return undefined;
  return Deno.build.os === "darwin"
    ? `${home}/Library/Application Support/paddock`
    : `${home}/.local/state/paddock`;
}

interface Wanted {
  base: string;
  name: string;
  path: string;
}

/** The folder of one directory's store: its existing one, under any name, or a new one. */
export function storeFor({ base, name, path }: Wanted): Checked<string> {
  try {
    const identity = identityOf(path);
    const names = [...Deno.readDirSync(base)].map((entry) => entry.name);
    const own = names.find((known) => known.endsWith(`-${identity}`)) ?? `${name}-${identity}`;
    return preparedStore({ base, name: own, path });
  } catch (error) {
    return { reason: `the undo folder ${whyNotMade(error)}` };
  }
}

/** The folder of a directory's existing store, if there is one. */
export function foundStore({ base, path }: Omit<Wanted, "name">): string | undefined {
  const identity = identityOf(path);
  const own = [...Deno.readDirSync(base)].find(({ name, isDirectory }) =>
    isDirectory && name.endsWith(`-${identity}`)
  );
  return own === undefined ? undefined : `${base}${base.endsWith(SEPARATOR) ? "" : SEPARATOR}${own.name}`;
}

/** A store by its name, which is not created. */
export function existingStore({ base, name, path }: Wanted): Checked<string> {
  const names = [...Deno.readDirSync(base)].map((entry) => entry.name);
  if (names.includes(name)) return preparedStore({ base, name, path });
  return { reason: `there is no store ${quote(name)} in ${quote(base)}${didYouMean(name, names)}` };
}

/** A store by its name; created if missing. */
function preparedStore({ base, name, path }: Wanted): Checked<string> {
  const folder = base.endsWith(SEPARATOR) ? base + name : base + SEPARATOR + name;
  try {
    Deno.mkdirSync(folder, { recursive: true, mode: PRIVATE });
    const { isDirectory, mode } = Deno.lstatSync(folder);
    if (!isDirectory) return { reason: "something else has the name of the undo folder" };
    if (liesIn(base, path)) return { reason: "the root lies in the undo folder" };
    if (Deno.build.os !== "windows" && ((mode ?? 0) & OF_OTHERS) !== 0) Deno.chmodSync(folder, PRIVATE);
    Deno.removeSync(Deno.makeTempFileSync({ dir: folder, prefix: ".paddock-", suffix: ".tmp" }));
    return { value: folder };
  } catch (error) {
    return { reason: `the undo folder ${whyNotMade(error)}` };
  }
}

/** Identifies a directory whatever its path. Inode numbers get reused, so the birth time is included. */
function identityOf(path: string): string {
  const info = Deno.statSync(path);
  return `${(info.ino ?? 0).toString(36)}-${(bornFor(info) ?? 0).toString(36)}`;
}

function whyNotMade(error: unknown): string {
  if (error instanceof Deno.errors.PermissionDenied) return "cannot be written: permission denied";
  if (error instanceof Deno.errors.AlreadyExists) return "is not a folder";
  if (error instanceof Error && /EROFS|os error 30|[Rr]ead-only/.test(error.message)) return "is read-only";
  if (error instanceof Error && /ENOSPC|os error 28/.test(error.message)) return "has no space left";
  return whyUnusable(error);
}

function wrong(
  name: "undo-dir" | "require-undo",
  problem: string,
  allowed: string,
  exampleFlag = name,
): string {
  const flag = FLAGS.find((flag) => flag.name === exampleFlag);
  const example = flag === undefined ? `--${exampleFlag}` : flagExample(flag);
  return refusal(`--${name}`, { problem, allowed, example });
}
