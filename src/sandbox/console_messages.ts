/** The messages between main and the console's Workers. */
import type { ConsoleSources, HttpConfig } from "../base/config.ts";
import type { KernelPlan } from "../base/kernel.ts";
import type { ConsoleRole } from "../base/spawn.ts";
import type { LogFormat, LogLevel } from "../base/log.ts";

export interface ConsoleLog {
  readonly format: LogFormat;
  readonly level: LogLevel;
}

/** The first message to a console Worker; plain data except for the port. */
export type ConsoleStart =
  | { role: ConsoleRole; sources: ConsoleSources; kernel: KernelPlan; port: MessagePort }
  | {
    role: "front";
    transport: HttpConfig;
    kernel: KernelPlan;
    log: ConsoleLog;
    openFiles: number | undefined;
  };

/** What main sends them later. */
export type ToConsole =
  /** The store is held, if it can be. */
  | { type: "held"; id: number }
  /** The worker requested under that number is gone. */
  | { type: "lost"; id: number; why: string }
  | { type: "new-token" }
  | { type: "stop" };

export type FromConsole =
  /** Asks main to hold a store's database open before it is opened for reading. */
  | { type: "hold"; id: number; store: string }
  /** Asks main for a worker at the other end of the port. */
  | { type: "spawn"; id: number; role: ConsoleRole; port: MessagePort }
  /** An address that opens the page once. The first one means that the console is ready. */
  | { type: "address"; url: string; fences: string }
  | { type: "exit"; code: number; reason?: string };
