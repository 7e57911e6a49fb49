/**
 * The system calls this thread kept from before its fence was set up, if it has one. Set once, at that time,
 * for everything that runs on the thread.
 */
import type { KernelCalls } from "../base/kernel.ts";

let kept: KernelCalls | undefined;

export function keepKernelCalls(calls: KernelCalls | undefined): void {
  kept = calls;
}

/** Undefined without a kernel fence. */
export function kernelCalls(): KernelCalls | undefined {
  return kept;
}
