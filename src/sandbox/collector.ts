/**
 * How a thread gives back memory that it does not need any more. V8 keeps what it has had once, and asks nobody for
 * leave to; it lets go of it when it is told that memory is low. Where its `gc` is exposed, as in the executable, that
 * tells it. Elsewhere the inspector does, in a session that the thread has with itself: the permission for one is given
 * back as soon as it is there.
 */

/** Has the memory of the thread collected: some tens of milliseconds in which it does nothing else. */
export type Collect = () => void;

interface ExposedGc {
  gc?: (how: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;
}

/** Whether this thread may have a session with its inspector, and need not ask anybody. */
export function mayInspect(): boolean {
  const permission = { name: "sys", kind: "inspector" } as unknown as Deno.PermissionDescriptor;
  return Deno.permissions.querySync(permission).state === "granted";
}

/** Undefined where there is no way to ask for it. */
export async function takeCollector(): Promise<Collect | undefined> {
  const { gc } = globalThis as ExposedGc;
  if (gc !== undefined) return () => gc({ type: "major", execution: "sync", flavor: "last-resort" });
  if (!mayInspect()) return undefined;
  try {
    const { Session } = await import("node:inspector");
    const session = new Session();
    session.connect();
    return () => session.post("HeapProfiler.collectGarbage");
  } finally {
    await Deno.permissions.revoke({ name: "sys" });
  }
}
