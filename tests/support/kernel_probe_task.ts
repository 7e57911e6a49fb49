/** The kernel fence probe's task and answer. */
import type { KernelFence, KernelPlan } from "../../src/base/kernel.ts";

export interface KernelProbeTask {
  plan: KernelPlan;
  /** A folder the fence allows, with a link to the one beside it. */
  inside: string;
  outside: string;
  /** A port of this machine on which somebody else listens. */
  port: number;
  /** The port a server over http would have. */
  ownPort: number;
}

export interface KernelProbeAnswer {
  fence: KernelFence;
  /** By attempt: "ok", or the name of the error. */
  attempts: Record<string, string>;
}
