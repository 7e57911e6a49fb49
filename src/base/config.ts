/**
 * The resolved configuration that the program runs with, after every mistake was reported and every path
 * resolved. It is frozen plain data, so it can be posted to the fenced Worker.
 */
import type { LogFormat, LogLevel } from "./log.ts";

export interface RootConfig {
  readonly name: string;
  /** Absolute, with every symbolic link resolved. */
  readonly path: string;
  /** The absolute path the operator gave, where it differs: clients may use it. */
  readonly aliases?: readonly string[] | undefined;
  /** Whether its path matches in any letter case. */
  readonly anyCase?: boolean | undefined;
  /** Tool names, or `*` for all. */
  readonly allowedTools: readonly string[];
  /** Whether the contents of a `.git` may be read but not changed. */
  readonly protectGit: boolean;
  /** Whether none of the tools allowed on it changes anything. */
  readonly readOnly?: boolean | undefined;
  /** Absent where nobody asked for it. */
  readonly undo?: RootUndo;
}

export interface RootsSurfaceConfig {
  readonly kind: "roots";
  readonly roots: readonly RootConfig[];
  /** Largest file, in bytes, that `read_file` returns whole. */
  readonly maxFullReadSize: number;
  /** Folders of undo stores, of any project, that no tool reaches. */
  readonly closed?: readonly ClosedFolder[];
}

/** A directory of the classic surface, whose clients give absolute paths. */
export interface ClassicRootConfig extends RootConfig {
  /**
   * As the operator named it, absolute and normalised without following links, where that is not its real
   * path.
   */
  readonly given?: string;
}

export interface ClassicSurfaceConfig {
  readonly kind: "classic";
  readonly roots: readonly ClassicRootConfig[];
  /** What `~` stands for; absent where unknown. */
  readonly home?: string;
  /** Folders of undo stores, of any project, that no tool reaches. */
  readonly closed?: readonly ClosedFolder[];
}

/** A folder that no tool reaches. */
export interface ClosedFolder {
  /** Absolute and real. */
  readonly path: string;
  /** Device and inode, where the server has no permission to look them up itself. */
  readonly identity?: string;
}

export interface FlatSurfaceConfig {
  readonly kind: "flat";
  readonly dir: string;
  readonly undo?: RootUndo;
}

/** The text of a result that a model reads: its JSON, or the shortest equivalent. */
export const TEXT_FORMS = ["json", "compact"] as const;

export type TextForm = typeof TEXT_FORMS[number];

export const TOOL_NAMES = ["plain", "slash"] as const;

/**
 * How tools are named in lists: as model APIs accept names (`fs_write_file`), or with a slash
 * (`fs/write_file`).
 */
export type ToolNames = typeof TOOL_NAMES[number];

export interface WorkspacesSurfaceConfig {
  readonly kind: "workspaces";
  /** The directory that holds the workspaces, with every symbolic link resolved. */
  readonly dir: string;
  readonly toolNames: ToolNames;
}

/** What can be served, by its name. */
export const SURFACES = [
  "roots",
  "classic",
  "flat",
  "workspaces",
] as const satisfies readonly SurfaceConfig["kind"][];

export type SurfaceConfig =
  | RootsSurfaceConfig
  | ClassicSurfaceConfig
  | FlatSurfaceConfig
  | WorkspacesSurfaceConfig;

export interface StdioConfig {
  readonly kind: "stdio";
}

export interface HttpConfig {
  readonly kind: "http";
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly corsOrigins: readonly string[];
  readonly token: string | undefined;
}

export type TransportConfig = StdioConfig | HttpConfig;

/** What only the unfenced part of the program can find out, passed in as data. */
export interface HostFacts {
  /** User and group names by number, as [id, name] pairs. */
  readonly users: readonly (readonly [number, string])[];
  readonly groups: readonly (readonly [number, string])[];
  /** The process's umask, which applies to new files. */
  readonly umask: number;
  /** How many files and connections the process may have open at once, where the system says. */
  readonly openFiles?: number | undefined;
}

/** Where the edits of multi_edit_text_file are reported, for a client of the Agent Client Protocol. */
export interface AcpEventsConfig {
  /** Absolute and real, outside everything that is served; `-` is standard error. */
  readonly file: string;
  readonly sessionId: string;
}

export interface Config {
  readonly surface: SurfaceConfig;
  readonly transport: TransportConfig;
  /** In bytes: the largest request, and the largest text file that is processed as a whole. */
  readonly maxSize: number;
  readonly timeoutMs: number;
  readonly readOnly: boolean;
  readonly sandbox: boolean;
  /** Whether the server must refuse to run without the kernel fence. */
  readonly requireKernelFence?: boolean | undefined;
  readonly logFormat: LogFormat;
  readonly logLevel: LogLevel;
  /** The level at which each tool call is logged. */
  readonly callLogLevel: LogLevel;
  /** The config file, as the operator named it. */
  readonly configPath: string | undefined;
  readonly acpEvents?: AcpEventsConfig | undefined;
  /** Default: JSON. */
  readonly text?: TextForm | undefined;
  /** The only tools offered. Default: all of the surface's. */
  readonly tools?: readonly string[] | undefined;
  /** Whether a person can see at /console what clients do, and undo it. */
  readonly console?: boolean | undefined;
  /** How many bytes searches may use to remember what files contain, where not the default; 0 for none. */
  readonly searchCacheBytes?: number | undefined;
  readonly host: HostFacts;
}

/** The directories the configuration gives access to. */
export function directoriesOf(surface: SurfaceConfig): string[] {
  return "roots" in surface ? surface.roots.map((root) => root.path) : [surface.dir];
}

/** Those of the directories in which anything may be changed. */
export function writableDirectoriesOf({ surface, readOnly }: Config): string[] {
  if (readOnly) return [];
  if (!("roots" in surface)) return [surface.dir];
  return surface.roots.filter((root) => !root.readOnly).map((root) => root.path);
}

export function eventFilesOf({ acpEvents }: Config): string[] {
  return acpEvents === undefined || acpEvents.file === "-" ? [] : [acpEvents.file];
}

/** What the console shows, and changes when a person says so. Plain data. */
export interface ConsoleSources {
  readonly roots: readonly RootConfig[];
  /** The directory that holds workspaces. */
  readonly workspaces?: string | undefined;
  /** Folders of undo stores, of any project, that nobody reaches by a path. */
  readonly closed?: readonly ClosedFolder[] | undefined;
  /** Whether nothing may be undone. */
  readonly readOnly: boolean;
  /** Applies to new files. */
  readonly umask: number;
}

/** What the console of a server with this configuration shows. */
export function consoleSourcesOf({ surface, readOnly, host: { umask } }: Config): ConsoleSources {
  switch (surface.kind) {
    case "roots":
    case "classic":
      return { roots: surface.roots, closed: surface.closed, readOnly, umask };
    case "workspaces":
      return { roots: [], workspaces: surface.dir, readOnly, umask };
    case "flat": {
      const { dir: path, undo } = surface;
      const root = { name: "folder", path, allowedTools: ["*"], protectGit: true };
      return { roots: [undo === undefined ? root : { ...root, undo }], readOnly, umask };
    }
  }
}

/** The directories and stores of a console, and those of them that may be changed. */
export function consoleDirectoriesOf(
  { roots, workspaces, readOnly }: ConsoleSources,
): { all: string[]; changed: string[] } {
  const storesOf = ({ undo }: RootConfig) => undo !== undefined && "store" in undo ? [undo.store] : [];
  const ofRoot = (root: RootConfig) => [root.path, ...storesOf(root)];
  const spaces = workspaces === undefined ? [] : [workspaces];
  const writable = roots.filter((root) => root.readOnly !== true);
  return {
    all: [...roots.flatMap(ofRoot), ...spaces],
    changed: readOnly ? [] : [...writable.flatMap(ofRoot), ...spaces],
  };
}

/** How changes in a directory are recorded for undo, or why they are not. */
export type RootUndo = { readonly off: string } | UndoSettings;

export interface UndoSettings {
  /** The folder of the store: absolute, real, and shared with no other root. */
  readonly store: string;
  /** Changes older than this are forgotten. */
  readonly keepDays: number;
  /** How many bytes the store may hold; the oldest changes are forgotten beyond that. */
  readonly maxBytes: number;
  /** How many bytes may be copied so that one change can be undone. */
  readonly maxChangeBytes: number;
  /** Globs of paths whose changes are not recorded. */
  readonly exclude: readonly string[];
  /** Whether to refuse changes that cannot be undone. */
  readonly required: boolean;
}

/** The folders of the undo stores, which the server reads and writes in addition to its directories. */
export function undoDirectoriesOf(surface: SurfaceConfig): string[] {
  return recordedIn(surface).flatMap(({ undo }) => undo !== undefined && "store" in undo ? [undo.store] : []);
}

/** The directories whose changes can be recorded. */
export function recordedIn(surface: SurfaceConfig): readonly { readonly undo?: RootUndo }[] {
  if ("roots" in surface) return surface.roots;
  return surface.kind === "flat" ? [surface] : [];
}
