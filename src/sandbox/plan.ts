/**
 * The outer fence as a plan: which permissions the server gets, and how the fence can be put up. Pure, so that
 * it can be tested by table; host.ts carries it out.
 */
import { type Config, directoriesOf } from "../base/config.ts";

/** Reading and writing the directories, listening on the one address, and nothing else. */
export function permissionsFor(config: Config): Deno.PermissionOptionsObject {
  const directories = directoriesOf(config.surface);
  const { transport } = config;
  return {
    read: directories,
    write: config.readOnly ? false : directories,
    net: transport.kind === "http" ? [`${transport.host}:${transport.port}`] : false,
    env: false,
    run: false,
    ffi: false,
    sys: false,
    import: false,
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
