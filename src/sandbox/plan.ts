/**
 * The outer fence as a plan: which permissions the server gets, and how the fence can be put up. Pure, so that
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
import { type ConsoleRole } from "../base/spawn.ts";
import { ABI_ENOUGH_ALONE, type KernelFence, kernelFenceWords } from "../base/kernel.ts";

/** Reading and writing the directories, listening on the one address, telling of edits, and nothing else. */
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

/** The same for a Worker that has the tools alone, and nobody to listen to but the server. */
export function toolPermissionsFor(config: Config): Deno.PermissionOptionsObject {
  return { ...permissionsFor(config), net: false };
}

/** Nothing at all, to begin with. */
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

/** For who looks at files for the console, or changes them when a person has said so. */
export function consolePermissionsFor(
  role: ConsoleRole,
  sources: ConsoleSources,
): Deno.PermissionOptionsObject {
  const { all, changed } = consoleDirectoriesOf(sources);
  return { ...NOTHING, read: all, write: role === "hand" && changed.length > 0 ? changed : false };
}

/** For who talks to browsers, and touches no file. */
export function frontPermissionsFor({ host, port }: HttpConfig): Deno.PermissionOptionsObject {
  return { ...NOTHING, net: [address(host, port)] };
}

/** What is left of the permissions of a server for its search workers: reading. */
export function searchPermissionsOf(permissions: Deno.PermissionOptionsObject): Deno.PermissionOptionsObject {
  return { ...permissions, write: false, net: false };
}

/** The same, and loading the C library for the kernel's fence, which a Worker gives back when that stands. */
export function withLibraries(permissions: Deno.PermissionOptionsObject): Deno.PermissionOptionsObject {
  return { ...permissions, ffi: true };
}

/**
 * Whether search workers keep all permissions of the process: where the kernel's fence is enough alone. The runtime
 * opens files twice as fast when nothing at all is denied.
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

/** Whether all that is `wanted` is granted already. */
export function covers(given: Granted, wanted: Granted): boolean {
  return areWithin(given.read, wanted.read) && areWithin(given.write, wanted.write);
}

function areWithin(given: readonly string[], wanted: readonly string[]): boolean {
  const separator = Deno.build.os === "windows" ? "\\" : "/";
  const inside = (directory: string, path: string) =>
    path === directory || path.startsWith(directory.endsWith(separator) ? directory : directory + separator);
  return wanted.every((path) => given.some((directory) => inside(directory, path)));
}

/** Settings that are others now, by their names in the config file, where reading them again is not enough. */
export interface ChangedSettings {
  /** Those that only a new process can take over. */
  restart: string[];
  /** Those that the tools are made with. */
  tools: string[];
}

const BY_RESTART = ["transport", "host", "port", "log_format", "log_level"];
const BY_TOOLS = ["max_size_mb", "timeout_seconds", "read_only"];

export function changedSettings(before: Config, after: Config): ChangedSettings {
  const [old, now] = [settingsOf(before), settingsOf(after)];
  const changed = (name: string) => name in old && name in now && old[name] !== now[name];
  return { restart: BY_RESTART.filter(changed), tools: BY_TOOLS.filter(changed) };
}

/** A changed configuration without what only a new process can change. */
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
  };
}

/** How the server is kept inside its directories. */
export type Fence = "worker" | "process" | "none";

export interface Surroundings {
  /** Whether Workers can be given permissions of their own here. */
  workerOptions: boolean;
  /** Permissions the whole process has without limits. */
  unlimited: readonly Deno.PermissionName[];
  /** Whether the operator has asked for no fence. */
  refused: boolean;
}

/** The permissions that matter: with any of them unlimited, the process itself is no fence. */
export const WATCHED: readonly Deno.PermissionName[] = ["read", "write", "run", "ffi", "net", "env", "sys"];

/** Undefined when no fence can be put up and none was waived. */
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

/** The fences that stand beside the checks of paths, or why one does not, each in a few words. */
export function fencesStanding(fence: Fence, kernel: KernelFence): string[] {
  return fence === "none" ? [FENCE_NAMES.none] : [FENCE_NAMES[fence], kernelFenceWords(kernel)];
}

export const NO_FENCE =
  `error: the fence cannot be put up: Deno was started without the settings of paddock's deno.json.
Start it with --unstable-worker-options, which goes before the program's name:
  deno run -A --unstable-worker-options jsr:@paddock/paddock DIR
or with narrow permissions (nothing else allowed):
  deno run --allow-read=DIR --allow-write=DIR … DIR
or, if you do not want a fence, with --no-sandbox.`;

/** Spelled as the address that is listened on: the permission is compared with just that. */
function address(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
