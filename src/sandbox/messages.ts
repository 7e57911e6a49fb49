/** The messages between main and the Worker inside the fence. */
import type { Config } from "../base/config.ts";
import type { ConsoleRole } from "../base/spawn.ts";
import type { KernelPlan } from "../base/kernel.ts";
import type { FenceTask } from "./fence_probe.ts";
import type { Fence } from "./plan.ts";

/** Everything the server is started with; plain data. */
export interface Start {
  config: Config;
  /** What keeps the server inside its directories. */
  fence: Fence;
  /** The kernel fence, which the Worker sets up itself. */
  kernel: KernelPlan;
  /** Whether the server, or its tools, must not run without it. */
  kernelRequired: boolean;
  /** Whether its permissions are limited to the directories it was started with. */
  fenced: boolean;
  /** When the process began, in milliseconds since 1970. */
  begunAt: number;
  /** The memory of its counts, which main reads too. */
  counts: SharedArrayBuffer;
  /** Whether main would end it from another thread if it hangs: only then may it block in a system call. */
  watched: boolean;
  /** Whether the process was started with a standard input and output. */
  stdin: boolean;
  stdout: boolean;
}

/** Why the tools were replaced. */
export type ToolsReason = "config_reloaded" | "directories_reopened";

export type ToWorker =
  /** `everyPart`: it loads every part of the program before the kernel fence goes up. */
  | { type: "start"; start: Start; everyPart?: boolean }
  /** Starts a Worker that has only the tools; the server is at the other end of the port. */
  | { type: "start-tools"; start: Start; port: MessagePort }
  | { type: "stop"; reason: string }
  | { type: "reload"; config: Config }
  /**
   * From now on the tools are at the other end of the port, after a reload or because a directory was
   * replaced.
   */
  | { type: "use-tools"; config: Config; port: MessagePort; reason: ToolsReason }
  /** The search worker requested under this number could not be started, or has crashed. */
  | { type: "searcher-lost"; id: number }
  /** Asks for another console address to be printed. */
  | { type: "console-address" }
  /** The console worker requested under this number is gone. */
  | { type: "console-lost"; id: number; why: string }
  /** Tries to escape the fence, for the doctor; the result goes to the port. */
  | { type: "probe-fence"; task: FenceTask; port: MessagePort };

/** The Worker cannot end the process itself: it tells main the exit code. */
export type FromWorker =
  | { type: "exit"; code: number; reason?: string }
  /**
   * Asks for a search worker at the other end of the port, with all permissions if the kernel fence suffices.
   */
  | { type: "spawn-searcher"; id: number; port: MessagePort; unlimited: boolean }
  /** Asks for a console worker at the other end of the port. */
  | { type: "spawn-console"; id: number; role: ConsoleRole; port: MessagePort }
  /** A directory was replaced: its rule is useless, and only a new Worker can get another. */
  | { type: "reopen" }
  /** The kernel fence is in force around it. */
  | { type: "kernel-fence-stands" }
  /** Every part of the program was loaded, and is in Deno's cache if that can be written. */
  | { type: "every-part-loaded" }
  /** It can receive requests. */
  | { type: "listening" }
  /** Everything is loaded. */
  | { type: "loaded" };

/** What a search worker is started with. */
export interface SearcherStart {
  port: MessagePort;
  kernel: KernelPlan;
  /** Whether it has all permissions of the process, and only the kernel fence around it. */
  unlimited: boolean;
}
