/**
 * The outer fence as a plan: which permissions the server gets, and which kind of fence is possible. Pure, so
 * it can be tested by table; host.ts carries it out.
 */
import {
  type Config,
  consoleDirectoriesOf,
  type ConsoleSources,
  directoriesOf,
  eventFilesOf,
  type HttpConfig,
  undoDirectoriesOf,
  writableDirectoriesOf,
} from "../base/config.ts";
import type { ConsoleRole } from "../base/spawn.ts";
import { ABI_ENOUGH_ALONE, type KernelFence, kernelFenceWords } from "../base/kernel.ts";

/**
 * Reading and writing the directories, listening on the one address, writing the file of edit events, and
 * nothing else.
 */
export function permissionsFor(config: Config): Deno.PermissionOptionsObject {
  const directories = directoriesOf(config.surface);
  const { transport } = config;
  const stores = undoDirectoriesOf(config.surface);
  const written = [...writableDirectoriesOf(config), ...stores, ...eventFilesOf(config)];
  return {
    read: [...directories, ...stores],
    write: written.length === 0 ? false : written,
    net: transport.kind === "http" ? [address(transport.host, transport.port)] : false,
    env: false,
    run: false,
    ffi: false,
    sys: false,
    import: false,
  };
}

/** The same for a Worker that has only the tools and talks to nobody but the server. */
export function toolPermissionsFor(config: Config): Deno.PermissionOptionsObject {
  return { ...permissionsFor(config), net: false };
}

/** No permission at all, as a starting point. */
const NOTHING: Deno.PermissionOptionsObject = {
  read: false,
  write: false,
  net: false,
  env: false,
  run: false,
  ffi: false,
  sys: false,
  import: false,
};

/** For the console's worker that looks at files, or the one that changes them once a person has confirmed. */
export function consolePermissionsFor(
  role: ConsoleRole,
  sources: ConsoleSources,
): Deno.PermissionOptionsObject {
  const { all, changed } = consoleDirectoriesOf(sources);
  return { ...NOTHING, read: all, write: role === "hand" && changed.length > 0 ? changed : false };
}

/** For the console's worker that talks to browsers and touches no file. */
export function frontPermissionsFor({ host, port }: HttpConfig): Deno.PermissionOptionsObject {
  return { ...NOTHING, net: [address(host, port)] };
}

/** A server's permissions reduced for its search workers: reading only. */
export function searchPermissionsOf(permissions: Deno.PermissionOptionsObject): Deno.PermissionOptionsObject {
  return { ...permissions, write: false, net: false, sys: false };
}

/** Adds loading the C library for the kernel fence, which a Worker gives up once that is in force. */
export function withLibraries(permissions: Deno.PermissionOptionsObject): Deno.PermissionOptionsObject {
  return { ...permissions, ffi: true };
}

/**
 * The same, plus a session with the inspector of its own thread: a Worker opens it once, then gives up the
 * permission.
 */
export function withInspector(permissions: Deno.PermissionOptionsObject): Deno.PermissionOptionsObject {
  return { ...permissions, sys: ["inspector"] };
}

/**
 * Whether search workers keep all permissions of the process: where the kernel fence suffices by itself. The
 * runtime opens files twice as fast when no permission is denied.
 */
export function searchesUnlimited(fence: KernelFence | undefined): boolean {
  return fence !== undefined && "abi" in fence && fence.abi >= ABI_ENOUGH_ALONE;
}

/** The directories of a configuration, by what may be done there. */
export interface Granted {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

export function grantedBy(config: Config): Granted {
  const stores = undoDirectoriesOf(config.surface);
  return {
    read: [...directoriesOf(config.surface), ...stores],
    write: [...writableDirectoriesOf(config), ...stores],
  };
}

/** Whether everything `wanted` is granted already. */
export function covers(given: Granted, wanted: Granted): boolean {
  return areWithin(given.read, wanted.read) && areWithin(given.write, wanted.write);
}

function areWithin(given: readonly string[], wanted: readonly string[]): boolean {
  const separator = Deno.build.os === "windows" ? "\\" : "/";
  const inside = (directory: string, path: string) =>
    path === directory || path.startsWith(directory.endsWith(separator) ? directory : directory + separator);
  return wanted.every((path) => given.some((directory) => inside(directory, path)));
}

/** Changed settings, by their names in the config file, for which reloading the file is not enough. */
export interface ChangedSettings {
  /** Those that need a restart. */
  restart: string[];
  /** Those that need new tools. */
  tools: string[];
}

const BY_RESTART = ["transport", "host", "port", "console", "log_format", "log_level"];
const BY_TOOLS = ["max_size_mb", "timeout_seconds", "read_only", "tools", "text"];

export function changedSettings(before: Config, after: Config): ChangedSettings {
  const [old, now] = [settingsOf(before), settingsOf(after)];
  const changed = (name: string) => name in old && name in now && old[name] !== now[name];
  return { restart: BY_RESTART.filter(changed), tools: BY_TOOLS.filter(changed) };
}

/** The changed configuration, except for the settings that need a restart. */
export function keptUntilRestart({ transport, logFormat, logLevel }: Config, changed: Config): Config {
  const kept = { ...changed, logFormat, logLevel };
  if (transport.kind !== "http" || changed.transport.kind !== "http") return { ...kept, transport };
  const { host, port } = transport;
  return { ...kept, transport: { ...changed.transport, host, port } };
}

function settingsOf(config: Config): Record<string, unknown> {
  const { transport } = config;
  return {
    transport: transport.kind,
    ...(transport.kind === "http" && { host: transport.host, port: transport.port }),
    log_format: config.logFormat,
    log_level: config.logLevel,
    max_size_mb: config.maxSize,
    timeout_seconds: config.timeoutMs,
    read_only: config.readOnly,
    tools: config.tools?.join(),
    text: config.text ?? "json",
    console: config.console ?? false,
  };
}

/** How the server is kept inside its directories. */
export type Fence = "worker" | "process" | "none";

export interface Surroundings {
  /** Whether Workers can have permissions of their own here. */
  workerOptions: boolean;
  /** The permissions that the whole process has without limits. */
  unlimited: readonly Deno.PermissionName[];
  /** Whether the operator turned the fence off. */
  refused: boolean;
}

/** The permissions that matter: if any of them is unlimited, the process itself is no fence. */
export const WATCHED: readonly Deno.PermissionName[] = ["read", "write", "run", "ffi", "net", "env", "sys"];

/** Undefined when no fence is possible and the operator did not turn it off. */
export function chooseFence({ workerOptions, unlimited, refused }: Surroundings): Fence | undefined {
  if (refused) return "none";
  if (unlimited.length === 0) return "process";
  return workerOptions ? "worker" : undefined;
}

/** For the log. */
export const FENCE_NAMES: Record<Fence, string> = {
  worker: "permissions narrowed to the directories",
  process: "the process's own permissions",
  none: "none (--no-sandbox)",
};

/** The fences in force besides the path checks, or why one is missing, each in a few words. */
export function fencesStanding(fence: Fence, kernel: KernelFence): string[] {
  return fence === "none" ? [FENCE_NAMES.none] : [FENCE_NAMES[fence], kernelFenceWords(kernel)];
}

/** The error when there can be no fence; `line` is a command line that would have one. */
export function noFence(line: string): string {
  return `error: the fence cannot be set up: Deno was started without the settings in paddock's deno.json.
Start it with --unstable-worker-options, which goes before the program's name:
  ${line}
or with narrow permissions (nothing else allowed):
  deno run --allow-read=DIR --allow-write=DIR … DIR
or, if you do not want a fence, with --no-sandbox.`;
}

/** Written exactly like the listening address, because Deno compares the permission with that text. */
function address(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
