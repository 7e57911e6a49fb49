/**
 * What this process may read and write. Everything here asks before it does, so that a process started with narrow
 * permissions goes without rather than stopping at a prompt.
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

/** An environment variable, or nothing where it may not be read. */
export function permittedEnv(name: string): string | undefined {
  return isGranted({ name: "env", variable: name }) ? Deno.env.get(name) : undefined;
}

/** The home of the user as the system knows it, where no variable tells. */
export async function homeOfUser(): Promise<string | undefined> {
  if (!isGranted({ name: "sys", kind: "homedir" })) return undefined;
  return (await import("node:os")).homedir() ?? undefined;
}

/** The folder that the process was started in; none where that is gone or may not be asked for. */
export function currentFolder(): string {
  try {
    return isGranted({ name: "read" }) ? Deno.cwd() : "";
  } catch {
    return "";
  }
}
