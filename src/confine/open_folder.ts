/**
 * A folder that is open, by the kernel's own word the one that was resolved: what is asked of it needs no proof.
 * Only where the thread has kept calls of the kernel's; elsewhere folders are asked by path, and it takes proof.
 */
import { type KernelFolder } from "../base/kernel.ts";
import { kernelCalls } from "./kernel_calls.ts";
import { type Identity, isSameFile } from "../base/identity.ts";
import { type ConfinedPath, nameOf, parentOf } from "./resolve_path.ts";

/** Undefined where it cannot be had, whyever: then the other way says what is wrong. */
export function openProven(path: ConfinedPath): KernelFolder | undefined {
  const calls = kernelCalls();
  const folder = calls?.openFolder(path.absolute);
  if (folder === undefined) return undefined;
  if (calls?.pathOf(folder.descriptor) === path.absolute) return folder;
  folder[Symbol.dispose]();
  return undefined;
}

/** What lies at the path itself, by the kernel's own word. Undefined when nothing does, or that cannot be had. */
export function lookAt(path: ConfinedPath): Deno.FileInfo | undefined {
  if (kernelCalls() === undefined) return undefined;
  const isRoot = path.relative === "";
  using folder = openProven(isRoot ? path : parentOf(path));
  return folder?.look(isRoot ? "." : nameOf(path));
}

/** Whether this lies at the path, by the kernel's own word. False also where that cannot be had. */
export function liesAt(path: ConfinedPath, what: Identity): boolean {
  const found = lookAt(path);
  return found !== undefined && isSameFile(found, what);
}
