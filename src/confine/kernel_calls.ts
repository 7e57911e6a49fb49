/**
 * The calls of the system that this thread has kept from before its fence was put up, if it has one. Set once, when
 * it is, and the same for all that runs on the thread.
 */
import { type KernelCalls } from "../base/kernel.ts";

let kept: KernelCalls | undefined;

export function keepKernelCalls(calls: KernelCalls | undefined): void {
  kept = calls;
}

/** Undefined where no kernel's fence stands. */
export function kernelCalls(): KernelCalls | undefined {
  return kept;
}
