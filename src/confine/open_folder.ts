/**
 * An open folder which the kernel confirms to be the one that was resolved: what is looked up in it needs no
 * further proof. Only where the thread has kept system calls; elsewhere folders are read by path, and need
 * proof.
 */
import type { KernelFolder } from "../base/kernel.ts";
import { kernelCalls } from "./kernel_calls.ts";
import { type Identity, isSameFile } from "../base/identity.ts";
import { type ConfinedPath, nameOf, parentOf } from "./resolve_path.ts";

/** Undefined when that fails for any reason; the other way then reports what is wrong. */
export function openProven(path: ConfinedPath): KernelFolder | undefined {
  const calls = kernelCalls();
  const folder = calls?.openFolder(path.absolute);
  if (folder === undefined) return undefined;
  if (calls?.pathOf(folder.descriptor) === path.absolute) return folder;
  folder[Symbol.dispose]();
  return undefined;
}

/**
 * What is at the path itself, according to the kernel. Undefined when nothing is, or the kernel cannot say.
 */
export function lookAt(path: ConfinedPath): Deno.FileInfo | undefined {
  if (kernelCalls() === undefined) return undefined;
  const isRoot = path.relative === "";
  using folder = openProven(isRoot ? path : parentOf(path));
  return folder?.look(isRoot ? "." : nameOf(path));
}

/** Whether the kernel confirms that this is at the path. False also when it cannot say. */
export function liesAt(path: ConfinedPath, what: Identity): boolean {
  const found = lookAt(path);
  return found !== undefined && isSameFile(found, what);
}
