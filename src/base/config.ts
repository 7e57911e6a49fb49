/**
 * The resolved configuration: what the program runs by, after every mistake was reported and every path was
 * made real. It is plain data, so that it can be posted to the fenced Worker, and frozen.
 */
import type { LogFormat, LogLevel } from "./log.ts";

export interface RootConfig {
  readonly name: string;
  /** Absolute, with every symbolic link resolved. */
  readonly path: string;
  /** The absolute path that it was named by, where that is another: clients may use it. */
  readonly aliases?: readonly string[] | undefined;
  /** Whether it is found by its path in any letter case. */
  readonly anyCase?: boolean | undefined;
  /** Tool names, or `*` for all. */
  readonly allowedTools: readonly string[];
  /** Whether what lies inside a `.git` may be read but not changed. */
  readonly protectGit: boolean;
  /** Whether no tool that is allowed on it changes anything. */
  readonly readOnly?: boolean | undefined;
  /** Left out where nobody has asked for it. */
  readonly undo?: RootUndo;
}

export interface RootsSurfaceConfig {
  readonly kind: "roots";
  readonly roots: readonly RootConfig[];
  /** Largest file, in bytes, that `read_file` returns whole. */
  readonly maxFullReadSize: number;
  /** Folders of undo stores, of whatever project, that no tool reaches. */
  readonly closed?: readonly ClosedFolder[];
}

/** A directory of the classic surface, whose clients give absolute paths. */
export interface ClassicRootConfig extends RootConfig {
  /** As the operator named it, absolute and by names alone, where that is not its real path. */
  readonly given?: string;
}

export interface ClassicSurfaceConfig {
  readonly kind: "classic";
  readonly roots: readonly ClassicRootConfig[];
  /** What `~` stands for; left out where nobody knows. */
  readonly home?: string;
  /** Folders of undo stores, of whatever project, that no tool reaches. */
  readonly closed?: readonly ClosedFolder[];
}

/** A folder that no tool reaches. */
export interface ClosedFolder {
  /** Absolute and real. */
  readonly path: string;
  /** Device and inode, where the server may not ask for them itself. */
  readonly identity?: string;
}

export interface FlatSurfaceConfig {
  readonly kind: "flat";
  readonly dir: string;
  readonly undo?: RootUndo;
}

/** What a model reads of a result: its JSON, or the same as short as it can be. */
export const TEXT_FORMS = ["json", "compact"] as const;

export type TextForm = typeof TEXT_FORMS[number];

export const TOOL_NAMES = ["plain", "slash"] as const;

/** How tools are listed: as model APIs take names (`fs_write_file`), or with a slash (`fs/write_file`). */
export type ToolNames = typeof TOOL_NAMES[number];

export interface WorkspacesSurfaceConfig {
  readonly kind: "workspaces";
  /** The directory that holds the workspaces, with every symbolic link resolved. */
  readonly dir: string;
  readonly toolNames: ToolNames;
}

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

/** What only the unfenced part of the program can find out, handed in as data. */
export interface HostFacts {
  /** User and group names by number, as [id, name] pairs. */
  readonly users: readonly (readonly [number, string])[];
  readonly groups: readonly (readonly [number, string])[];
  /** The process's umask, which new files obey. */
  readonly umask: number;
  /** How many files and connections the process may have open at once, where the system tells. */
  readonly openFiles?: number | undefined;
}

/** Where the edits of multi_edit_text_file are told of, for a client of the Agent Client Protocol. */
export interface AcpEventsConfig {
  /** Absolute and real, outside of everything that is served; `-` is standard error. */
  readonly file: string;
  readonly sessionId: string;
}

export interface Config {
  readonly surface: SurfaceConfig;
  readonly transport: TransportConfig;
  /** Largest request and largest text file that is worked on whole, in bytes. */
  readonly maxSize: number;
  readonly timeoutMs: number;
  readonly readOnly: boolean;
  readonly sandbox: boolean;
  /** Whether the server is not to run without the kernel's fence. */
  readonly requireKernelFence?: boolean | undefined;
  readonly logFormat: LogFormat;
  readonly logLevel: LogLevel;
  /** The level at which each tool call is logged. */
  readonly callLogLevel: LogLevel;
  /** The config file, as the operator named it. */
  readonly configPath: string | undefined;
  readonly acpEvents?: AcpEventsConfig | undefined;
  /** JSON unless given. */
  readonly text?: TextForm | undefined;
  /** The only tools that are offered; all of the surface's unless given. */
  readonly tools?: readonly string[] | undefined;
  /** Whether a person can see at /console what clients do, and take it back. */
  readonly console?: boolean | undefined;
  /** How many bytes searches may use to remember what is in files, where that is not the usual; 0 for none. */
  readonly searchCacheBytes?: number | undefined;
  readonly host: HostFacts;
}

/** The directories the configuration gives access to. */
export function directoriesOf(surface: SurfaceConfig): string[] {
  return "roots" in surface ? surface.roots.map((root) => root.path) : [surface.dir];
}

/** Those of them in which anything may be changed. */
export function writableDirectoriesOf({ surface, readOnly }: Config): string[] {
  if (readOnly) return [];
  if (!("roots" in surface)) return [surface.dir];
  return surface.roots.filter((root) => !root.readOnly).map((root) => root.path);
}

/** The file that events are appended to, if there is one. */
export function eventFilesOf({ acpEvents }: Config): string[] {
  return acpEvents === undefined || acpEvents.file === "-" ? [] : [acpEvents.file];
}

/** What the console shows, and may change when a person says so. Plain data. */
export interface ConsoleSources {
  readonly roots: readonly RootConfig[];
  /** The directory that holds workspaces. */
  readonly workspaces?: string | undefined;
  /** Folders of undo stores, of whatever project, that nobody reaches by a path. */
  readonly closed?: readonly ClosedFolder[] | undefined;
  /** Whether nothing may be taken back. */
  readonly readOnly: boolean;
  /** What new files obey. */
  readonly umask: number;
}

/** Those of a server. */
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

/** How the changes in a directory are recorded so that they can be undone, or why they are not. */
export type RootUndo = { readonly off: string } | UndoSettings;

export interface UndoSettings {
  /** The folder of the store: absolute and real, and nobody else's. */
  readonly store: string;
  /** Changes older than this are forgotten. */
  readonly keepDays: number;
  /** How many bytes the store may hold; the oldest changes are forgotten beyond that. */
  readonly maxBytes: number;
  /** How many bytes may be copied so that one change can be undone. */
  readonly maxChangeBytes: number;
  /** Globs of paths whose changes are not recorded. */
  readonly exclude: readonly string[];
  /** Whether what cannot be undone is not done. */
  readonly required: boolean;
}

/** The folders of the undo stores, which the server reads and writes beside its directories. */
export function undoDirectoriesOf(surface: SurfaceConfig): string[] {
  return recordedIn(surface).flatMap(({ undo }) => undo !== undefined && "store" in undo ? [undo.store] : []);
}

/** The directories whose changes can be recorded. */
export function recordedIn(surface: SurfaceConfig): readonly { readonly undo?: RootUndo }[] {
  if ("roots" in surface) return surface.roots;
  return surface.kind === "flat" ? [surface] : [];
}
