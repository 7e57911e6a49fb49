/** Sets up the kernel fence around the calling thread, and gives up the permission to load libraries. */
import type { KernelCalls, KernelFence, KernelPlan } from "../../base/kernel.ts";
import { restrictThread } from "./landlock.ts";
import { keptCalls } from "./kept_calls.ts";
import { type Libc, openLibc } from "./libc.ts";

export interface Raised {
  readonly fence: KernelFence;
  /** Only if the fence is in force: nothing else restricts these calls. */
  readonly calls?: KernelCalls;
}

export interface RaiseOptions {
  /** Whether the thread has and keeps all permissions: revoking one would make opening every file slower. */
  keepPermissions?: boolean;
}

export function raiseKernelFence(plan: KernelPlan, { keepPermissions = false }: RaiseOptions = {}): Raised {
  if ("missing" in plan) return { fence: plan };
  try {
    return withLibc((libc) => {
      const calls = keptCalls();
      const fence = restrictThread(libc, plan.rules);
      return "abi" in fence ? { fence, calls } : { fence };
    });
  } catch (error) {
    return { fence: { missing: `the C library cannot be used: ${(error as Error).message}` } };
  } finally {
    if (!keepPermissions) Deno.permissions.revokeSync({ name: "ffi" });
  }
}

function withLibc<T>(action: (libc: Libc) => T): T {
  const libc = openLibc();
  try {
    return action(libc);
  } finally {
    libc.close();
  }
}
