/**
 * How a thread returns memory that it no longer needs. V8 keeps memory it has once used, and releases it only when it
 * is told that memory is low. Where its `gc` is exposed, as in the executable, that tells it. Elsewhere the inspector
 * does, in a session that the thread opens with itself; it gives up the permission for that as soon as the session is
 * open.
 */

/** Collects the thread's garbage: some tens of milliseconds in which it does nothing else. */
export type Collect = () => void;

interface ExposedGc {
  gc?: (how: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;
}

/** Whether this thread may open a session with its inspector without a permission prompt. */
export function mayInspect(): boolean {
  const permission = { name: "sys", kind: "inspector" } as unknown as Deno.PermissionDescriptor;
  return Deno.permissions.querySync(permission).state === "granted";
}

/** Undefined where there is no way to do it. */
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
