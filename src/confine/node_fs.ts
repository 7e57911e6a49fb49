/** Node's file module, loaded when first needed: loading takes longer than a small read. */
import { osCode } from "./os_errors.ts";

export type NodeFs = typeof import("node:fs");

let loading: Promise<NodeFs> | undefined;
let loaded: NodeFs | undefined;

export function loadNodeFs(): Promise<NodeFs> {
  return loading ??= import("node:fs").then((fs) => loaded = fs);
}

/** Undefined until it is loaded. */
export function loadedNodeFs(): NodeFs | undefined {
  return loaded;
}

/**
 * Whether something exists, following links; for paths that usually do not, because throwing takes ten times
 * as long.
 */
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
