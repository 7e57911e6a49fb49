/**
 * The run loop: ready, running, stopping, stopped. It starts a listener (stdio, http), waits until that ends
 * or it is told to stop, lets calls in flight finish, and logs how it began and how it ended.
 */
import type { LogFields, Logger } from "../base/log.ts";
import type { Stats } from "../base/stats.ts";

/** Something that receives requests: opened once, ends by itself or is stopped. */
export interface Listener {
  /** Rejects when requests cannot be received at all. */
  open(): Promise<void>;
  /** Settles when no more requests can come, with the reason; rejects when that is a failure. */
  readonly ended: Promise<string>;
  /** Refuses new requests, lets those in flight finish within the time given, ends the others, and closes. */
  stop(graceMs: number): Promise<void>;
}

export type RunState = "ready" | "running" | "stopping" | "stopped";

/**
 * How long calls in flight may take to finish by themselves. Including the time to end the others and send
 * their answers, a server stops within two seconds.
 */
export const GRACE_MS = 1_500;

/** How long calls that were told to stop may take to do so. */
export const ABORTED_MS = 250;

/** How long the last answers may take to be sent. */
export const FLUSH_MS = 100;

export interface RunLoopOptions {
  log: Logger;
  stats: Stats;
  /** The tools' names, or a function that returns them once requests can be received. */
  toolNames: readonly string[] | (() => Promise<readonly string[]>);
  /** Further fields of the start line; called when requests can be received. */
  startFields?: () => LogFields;
  /** When startup began, in milliseconds since 1970. Default: when run() is called. */
  begunAt?: number;
  /** How long startup may take before a warning is logged. */
  startTargetMs?: number;
}

export class RunLoop {
  readonly #options: RunLoopOptions;
  readonly #stop = Promise.withResolvers<string>();
  readonly #listening = Promise.withResolvers<void>();
  readonly #loaded = Promise.withResolvers<void>();
  #state: RunState = "ready";

  constructor(options: RunLoopOptions) {
    this.#options = options;
  }

  get state(): RunState {
    return this.#state;
  }

  /** Settles when requests can be received. */
  get listening(): Promise<void> {
    return this.#listening.promise;
  }

  /** Settles when the tools are loaded and startup is over. */
  get loaded(): Promise<void> {
    return this.#loaded.promise;
  }

  /**
   * Serves until the listener ends or shutdown() is called; returns when everything is answered and closed.
   */
  async run(listener: Listener): Promise<void> {
    const { log, stats, toolNames, startFields, begunAt = Date.now(), startTargetMs } = this.#options;
    if (this.#state !== "ready") {
      log.error("server_error", { error: "Attempted to run server that is already running" });
      throw new Error("Server is already running");
    }
    if (typeof toolNames !== "function") refuseNoTools(toolNames);
    this.#state = "running";
    stats.start();
    try {
      await listener.open();
      const startup_ms = Math.max(0, Math.round(Date.now() - begunAt));
      this.#listening.resolve();
      const stopped = this.#stop.promise.then(() => undefined); // a server that is to stop does not wait for them
      const tools = typeof toolNames === "function" ? await Promise.race([toolNames(), stopped]) : toolNames;
      const named = tools && { tool_count: refuseNoTools(tools).length, tools };
      log.info("server_starting", { ...startFields?.(), startup_ms, ...named });
      if (startTargetMs !== undefined && startup_ms > startTargetMs) {
        log.warn("slow_start", { startup_ms, target_ms: startTargetMs });
      }
      if (tools !== undefined) this.#loaded.resolve();
      const reason = await Promise.race([listener.ended, this.#stop.promise]);
      log.info("server_stopping", { reason });
    } catch (error) {
      stats.error();
      log.error("server_error", { error: error instanceof Error ? error.message : String(error) });
      throw error;
    } finally {
      this.#state = "stopping";
      await listener.stop(GRACE_MS);
      this.#state = "stopped";
      log.info("server_stopped", stats.closing());
    }
  }

  /**
   * Ends run() as soon as everything in flight is answered. May be called at any time, any number of times.
   */
  shutdown(reason: string): void {
    this.#stop.resolve(reason);
  }
}

function refuseNoTools(names: readonly string[]): readonly string[] {
  if (names.length > 0) return names;
  throw new Error(
    "Cannot start server with zero tools registered. Call register_all_tools() or register_tool() first.",
  );
}
