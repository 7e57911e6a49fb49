/**
 * Facts about the machine that the fenced server cannot find out itself: user and group names, and the umask.
 * Each is left out where it cannot be had.
 */
import type { HostFacts } from "../base/config.ts";
import { isGranted, mayRead } from "./permissions.ts";

/** What new files obey where the umask may not be asked for: others may read, only the user may write. */
const USUAL_UMASK = 0o022;

export function hostFacts(): HostFacts {
  return { users: namesFrom("/etc/passwd"), groups: namesFrom("/etc/group"), umask: umask() };
}

/** Number and name of each line `name:password:number:…`; the first line for a number counts. */
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
