/** What main and the Worker inside the fence say to each other. */
import { type Config } from "../base/config.ts";

/** Everything the server is started with; plain data. */
export interface Start {
  config: Config;
  /** What keeps the server inside its directories, for the log. */
  fence: string;
  /** Whether its permissions are limited to the directories it was started with. */
  fenced: boolean;
  /** Whether the process was started with an input and an output. */
  stdin: boolean;
  stdout: boolean;
  /** Whether it takes over the address of a server that is still running. */
  takeOver: boolean;
  /** Whether another server may take its address over. */
  replaceable: boolean;
}

export type ToWorker =
  | { type: "start"; start: Start }
  | { type: "stop"; reason: string }
  | { type: "reload"; config: Config }
  | { type: "hand-over"; port: MessagePort }
  | { type: "take-over"; port: MessagePort };

/** The Worker cannot end the process itself: it says with which code main is to do it. */
export type FromWorker =
  | { type: "exit"; code: number }
  | { type: "listening" };
