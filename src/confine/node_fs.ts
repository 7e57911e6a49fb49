/** Node's file module, loaded when it is first needed: that takes longer than a small read. */
import { osCode } from "./os_errors.ts";

export type NodeFs = typeof import("node:fs");

let loading: Promise<NodeFs> | undefined;
let loaded: NodeFs | undefined;

export function loadNodeFs(): Promise<NodeFs> {
  return loading ??= import("node:fs").then((fs) => loaded = fs);
}

/** Undefined while it is not loaded. */
export function loadedNodeFs(): NodeFs | undefined {
  return loaded;
}

/** Whether something is there, links followed; for what seldom is, because throwing takes ten times as long. */
export function exists(path: string): boolean {
  if (loaded !== undefined) return loaded.existsSync(path);
  void loadNodeFs(); // for the next time
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    if (osCode(error) === undefined) throw error;
    return false;
  }
}
