/**
 * The outer fence as a plan: which permissions the server gets, and how the fence can be put up. Pure, so that
 * it can be tested by table; host.ts carries it out.
 */
import { type Config, directoriesOf, undoDirectoriesOf } from "../base/config.ts";

/** Reading and writing the directories, listening on the one address, telling of edits, and nothing else. */
export function permissionsFor(config: Config): Deno.PermissionOptionsObject {
  const directories = directoriesOf(config.surface);
  const { transport, acpEvents } = config;
  const events = acpEvents === undefined || acpEvents.file === "-" ? [] : [acpEvents.file];
  const stores = undoDirectoriesOf(config.surface);
  const written = [...(config.readOnly ? [] : directories), ...stores, ...events];
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

/** What is left of the permissions of a server for its search workers: reading. */
export function searchPermissionsOf(permissions: Deno.PermissionOptionsObject): Deno.PermissionOptionsObject {
  return { ...permissions, write: false, net: false };
}

/** Whether all of `wanted` lies in directories that are `given` already. */
export function covers(given: readonly string[], wanted: readonly string[]): boolean {
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
