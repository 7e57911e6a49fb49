/** What main and the Worker inside the fence say to each other. */
import { type Config } from "../base/config.ts";
import { type ConsoleRole } from "../base/spawn.ts";
import { type KernelPlan } from "../base/kernel.ts";
import { type FenceTask } from "./fence_probe.ts";
import { type Fence } from "./plan.ts";

/** Everything the server is started with; plain data. */
export interface Start {
  config: Config;
  /** What keeps the server inside its directories. */
  fence: Fence;
  /** The kernel's fence, which the Worker puts up itself. */
  kernel: KernelPlan;
  /** Whether there is to be no server, or no tools, without it. */
  kernelRequired: boolean;
  /** Whether its permissions are limited to the directories it was started with. */
  fenced: boolean;
  /** When the process began, in milliseconds since 1970. */
  begunAt: number;
  /** The memory of its counts, which main looks at too. */
  counts: SharedArrayBuffer;
  /** Whether main ends it from another thread should it hang: only then may it wait in a call of the system. */
  watched: boolean;
  /** Whether the process was started with an input and an output. */
  stdin: boolean;
  stdout: boolean;
}

/** Why there are other tools. */
export type ToolsReason = "config_reloaded" | "directories_reopened";

export type ToWorker =
  | { type: "start"; start: Start }
  /** Starts a Worker that has the tools alone; the server is at the other end of the port. */
  | { type: "start-tools"; start: Start; port: MessagePort }
  | { type: "stop"; reason: string }
  | { type: "reload"; config: Config }
  /** From now on the tools are at the other end of the port, for a reload or because a directory was replaced. */
  | { type: "use-tools"; config: Config; port: MessagePort; reason: ToolsReason }
  /** The search worker that was asked for by this number could not be started, or has crashed. */
  | { type: "searcher-lost"; id: number }
  /** Wants another address of the console to be printed. */
  | { type: "console-address" }
  /** Whoever the console asked for by this number is gone. */
  | { type: "console-lost"; id: number; why: string }
  /** Tries to leave the fence, for the doctor; what came of it goes to the port. */
  | { type: "probe-fence"; task: FenceTask; port: MessagePort };

/** The Worker cannot end the process itself: it says with which code main is to do it. */
export type FromWorker =
  | { type: "exit"; code: number; reason?: string }
  /** Wants a search worker at the other end of the port, with all permissions if the kernel's fence is enough. */
  | { type: "spawn-searcher"; id: number; port: MessagePort; unlimited: boolean }
  /** The console wants somebody at the other end of the port. */
  | { type: "spawn-console"; id: number; role: ConsoleRole; port: MessagePort }
  /** A directory is another by now: its rule is no use any more, and only a new Worker can have a fresh one. */
  | { type: "reopen" }
  /** The kernel's fence stands around it. */
  | { type: "kernel-fence-stands" }
  /** It can take requests in. */
  | { type: "listening" }
  /** It has loaded everything. */
  | { type: "loaded" };

/** What a search worker is started with. */
export interface SearcherStart {
  port: MessagePort;
  kernel: KernelPlan;
  /** Whether it has all permissions of the process, and only the kernel's fence around it. */
  unlimited: boolean;
}
