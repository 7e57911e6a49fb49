/** What main and the Workers of the console say to each other. */
import { type ConsoleSources, type HttpConfig } from "../base/config.ts";
import { type KernelPlan } from "../base/kernel.ts";
import { type ConsoleRole } from "../base/spawn.ts";
import { type LogFormat, type LogLevel } from "../base/log.ts";

export interface ConsoleLog {
  readonly format: LogFormat;
  readonly level: LogLevel;
}

/** The first message to a Worker of the console; plain data but for the port. */
export type ConsoleStart =
  | { role: ConsoleRole; sources: ConsoleSources; kernel: KernelPlan; port: MessagePort }
  | {
    role: "front";
    transport: HttpConfig;
    kernel: KernelPlan;
    log: ConsoleLog;
    openFiles: number | undefined;
  };

/** What main says to them later. */
export type ToConsole =
  /** The store is held as far as it can be. */
  | { type: "held"; id: number }
  /** Whoever was asked for by that number is gone. */
  | { type: "lost"; id: number; why: string }
  | { type: "new-token" }
  | { type: "stop" };

export type FromConsole =
  /** Wants a store's database held open before it is opened to be read. */
  | { type: "hold"; id: number; store: string }
  /** Wants somebody at the other end of the port. */
  | { type: "spawn"; id: number; role: ConsoleRole; port: MessagePort }
  /** An address that opens the page, once. The first one says that it can be opened. */
  | { type: "address"; url: string; fences: string }
  | { type: "exit"; code: number; reason?: string };
