/**
 * What this process may read and write. Every function checks first, so a process started with narrow
 * permissions does without rather than stop at a prompt.
 */

export function isGranted(descriptor: Deno.PermissionDescriptor): boolean {
  return Deno.permissions.querySync(descriptor).state === "granted";
}

export function mayRead(path: string): boolean {
  return isGranted({ name: "read", path });
}

export function mayWrite(path: string): boolean {
  return isGranted({ name: "write", path });
}

/** An environment variable; undefined where it may not be read. */
export function permittedEnv(name: string): string | undefined {
  return isGranted({ name: "env", variable: name }) ? Deno.env.get(name) : undefined;
}

/** The user's home according to the system, for when no variable names it. */
export async function homeOfUser(): Promise<string | undefined> {
  if (!isGranted({ name: "sys", kind: "homedir" })) return undefined;
  return (await import("node:os")).homedir() ?? undefined;
}

/** The folder the process was started in; empty where it is gone or may not be queried. */
export function currentFolder(): string {
  try {
    return isGranted({ name: "read" }) ? Deno.cwd() : "";
  } catch {
    return "";
  }
}
