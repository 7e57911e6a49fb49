/**
 * What this process may read. Everything here asks before it reads, so that a process started with narrow
 * permissions goes without rather than stopping at a prompt.
 */

export function isGranted(descriptor: Deno.PermissionDescriptor): boolean {
  return Deno.permissions.querySync(descriptor).state === "granted";
}

export function mayRead(path: string): boolean {
  return isGranted({ name: "read", path });
}

/** An environment variable, or nothing where it may not be read. */
export function permittedEnv(name: string): string | undefined {
  return isGranted({ name: "env", variable: name }) ? Deno.env.get(name) : undefined;
}
