/**
 * Facts about the machine that the fenced server cannot find out itself: user and group names, the umask, and
 * the limit on open files. Each is left out where it is unavailable.
 */
import type { HostFacts } from "../base/config.ts";
import { openFilesLimit as limitByLibrary } from "../sandbox/kernel/own_process.ts";
import { isGranted, mayRead } from "./permissions.ts";

/** Used where the umask may not be queried: others may read, only the user may write. */
const USUAL_UMASK = 0o022;

export function hostFacts(): HostFacts {
  const openFiles = openFilesLimit();
  return {
    users: namesFrom("/etc/passwd"),
    groups: namesFrom("/etc/group"),
    umask: umask(),
    ...(openFiles === undefined ? {} : { openFiles }),
  };
}

/** Number and name from each line `name:password:number:…`; the first line for a number wins. */
export function parseIdNames(text: string): [number, string][] {
  const names = new Map<number, string>();
  for (const line of text.split("\n")) {
    const match = /^([^:#+\s-][^:\s]*):[^:]*:([0-9]{1,10})(?::|\s*$)/.exec(line);
    const [, name, digits] = match ?? [];
    if (name === undefined || digits === undefined) continue;
    const id = Number(digits);
    if (!names.has(id)) names.set(id, name);
  }
  return [...names];
}

function namesFrom(path: string): [number, string][] {
  if (Deno.build.os === "windows" || !mayRead(path)) return [];
  try {
    return parseIdNames(Deno.readTextFileSync(path));
  } catch (error) {
    // A small container may have no such file; numbers are then shown without names.
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied) return [];
    throw error;
  }
}

function umask(): number {
  return Deno.build.os !== "windows" && isGranted({ name: "sys" }) ? Deno.umask() : USUAL_UMASK;
}

/** The current limit, which the runtime raised as far as it could when it started. */
function openFilesLimit(): number | undefined {
  const path = "/proc/self/limits";
  if (Deno.build.os !== "linux" || !mayRead(path)) return undefined;
  try {
    return parseOpenFiles(Deno.readTextFileSync(path));
  } catch { // no /proc, or an executable, which has less than all permissions
    return limitByLibrary();
  }
}

/** From lines `Limit  Soft Limit  Hard Limit  Units`; undefined where there is no such line, or no limit. */
export function parseOpenFiles(limits: string): number | undefined {
  const [, soft] = /^Max open files\s+(\d+)\s/m.exec(limits) ?? [];
  return soft === undefined ? undefined : Number(soft);
}
