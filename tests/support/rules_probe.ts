/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/** A Worker that puts the kernel's fence up by the rules it is given, and tells which folders it can list then. */
import { type KernelFence, type KernelRules } from "../../src/base/kernel.ts";
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
  const { fence } = raiseKernelFence({ rules }, { keepPermissions: true }); // they are those of the test
  self.postMessage({ fence, listed: folders.filter(canList) } satisfies RulesAnswer);
};

function canList(folder: string): boolean {
  try {
    return Array.from(Deno.readDirSync(folder)).length >= 0;
  } catch {
    return false;
  }
}
