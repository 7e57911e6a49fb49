/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/** A Worker that sets up the kernel fence with the given rules, and reports which folders it can then list. */
import type { KernelFence, KernelRules } from "../../src/base/kernel.ts";
import { raiseKernelFence } from "../../src/sandbox/kernel/raise.ts";

export interface RulesTask {
  rules: KernelRules;
  folders: string[];
}

export interface RulesAnswer {
  fence: KernelFence;
  listed: string[];
}

self.onmessage = ({ data: { rules, folders } }: MessageEvent<RulesTask>) => {
  const { fence } = raiseKernelFence({ rules }, { keepPermissions: true }); // they belong to the test
  self.postMessage({ fence, listed: folders.filter(canList) } satisfies RulesAnswer);
};

function canList(folder: string): boolean {
  try {
    return Array.from(Deno.readDirSync(folder)).length >= 0;
  } catch {
    return false;
  }
}
