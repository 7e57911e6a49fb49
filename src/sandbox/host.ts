/**
 * Main's side of the outer fence: starts the server inside it, passes signals on to it, and ends the process
 * with its exit code. A server that does not answer a stop in time is ended with the process.
 */
import { type Config, directoriesOf } from "../base/config.ts";
import { UsageError } from "../base/errors.ts";
import { createLogger, type Logger } from "../base/log.ts";
import { type FromWorker, type Start, type ToWorker } from "./messages.ts";
import { changedSettings, chooseFence, covers, type Fence, permissionsFor, WATCHED } from "./plan.ts";
import { claimPort } from "./port_claim.ts";
import { onSignals, standardStreams } from "./process.ts";

/** A little more than the server itself gives calls in flight, so that it is the one to end. */
const STOP_MS = 3_000;

export const EXIT_CRASHED = 70;

/** A server that has been started, from outside. */
interface Guarded {
  readonly exit: Promise<number>;
  /** Settles when requests can be taken in. */
  readonly listening: Promise<void>;
  send(message: ToWorker, transfer?: Transferable[]): void;
}

export interface HostOptions {
  config: Config;
  /** Whether Workers can be given permissions of their own here. */
  workerOptions: boolean;
  /** Reads the configuration again, for SIGHUP. */
  reload: () => Promise<Config>;
  /** Tells the operator something. */
  report: (message: string) => void;
}

/** Runs the server to its end; the result is the exit code. */
export async function host(options: HostOptions): Promise<number> {
  const { config, workerOptions, report } = options;
  const unlimited = WATCHED.filter(isUnlimited);
  const fence = chooseFence({ workerOptions, unlimited, refused: !config.sandbox });
  if (fence === undefined) {
    report(NO_FENCE);
    return 1;
  }
  const first: Start = {
    config,
    fence: FENCE_NAMES[fence],
    fenced: fence !== "none",
    takeOver: false,
    replaceable: isReplaceable(config, fence),
    ...standardStreams(),
  };
  const keeper = new Keeper(first, { ...options, inWorker: fence === "worker" });
  await keeper.start();
  onSignals({ stop: (signal) => keeper.stop(signal), reload: () => void keeper.reload() });
  return await keeper.exit;
}

/** Over http a second server can take the address over, where a new configuration needs one. */
function isReplaceable({ configPath, transport }: Config, fence: Fence): boolean {
  return Deno.build.os === "linux" && fence === "worker" && configPath !== undefined &&
    transport.kind === "http" && claimPort(transport.port);
}

/** `--allow-read=/` is no limit either. */
function isUnlimited(name: Deno.PermissionName): boolean {
  const whole = name === "read" || name === "write" ? { name, path: "/" } : { name };
  return Deno.permissions.querySync(whole).state === "granted";
}

const FENCE_NAMES: Record<Fence, string> = {
  worker: "permissions narrowed to the directories",
  process: "the process's own permissions",
  none: "none (--no-sandbox)",
};

const NO_FENCE =
  `error: the fence cannot be put up: Deno was started without the settings of paddock's deno.json.
Start it with --unstable-worker-options, or with narrow permissions such as
  deno run --allow-read=DIR --allow-write=DIR … (nothing else allowed),
or, if you do not want a fence, with --no-sandbox.`;

/** Keeps one server running, and replaces it where a new configuration needs that. */
class Keeper {
  readonly #options: HostOptions & { inWorker: boolean };
  readonly #exit = Promise.withResolvers<number>();
  #start: Start;
  #server: Guarded | undefined;
  /** Servers that were replaced and still answer what they were asked. */
  readonly #leaving = new Set<Guarded>();
  #reloading: Promise<void> = Promise.resolve();

  constructor(start: Start, options: HostOptions & { inWorker: boolean }) {
    this.#start = start;
    this.#options = options;
  }

  get exit(): Promise<number> {
    return this.#exit.promise;
  }

  async start(): Promise<void> {
    const { inWorker, report } = this.#options;
    this.#adopt(inWorker ? startWorker(this.#start, report) : await startInPlace(this.#start));
  }

  stop(signal: string): void {
    for (const server of [this.#server, ...this.#leaving]) server?.send({ type: "stop", reason: signal });
    setTimeout(() => this.#exit.resolve(0), STOP_MS);
  }

  /** One after the other, should several signals come at once. */
  reload(): Promise<void> {
    return this.#reloading = this.#reloading.then(() => this.#reload());
  }

  async #reload(): Promise<void> {
    const { config, reload } = this.#options;
    if (config.configPath === undefined) return this.#reject(["there is no config file to read again"]);
    let changed: Config;
    try {
      changed = await reload();
    } catch (error) {
      return this.#reject(error instanceof UsageError ? error.mistakes : [(error as Error).message]);
    }
    const { replaceable, config: before } = this.#start;
    const { address, others } = changedSettings(before, changed);
    const settings = replaceable ? address : [...address, ...others];
    if (settings.length > 0) {
      this.#log().warn("restart_needed", { settings, reason: "they are read only at the start" });
    }
    const wider = !covers(directoriesOf(before.surface), directoriesOf(changed.surface));
    if (replaceable && (wider || others.length > 0)) await this.#replace(changed);
    else this.#server?.send({ type: "reload", config: changed });
  }

  #reject(mistakes: readonly string[]): void {
    this.#log().error("config_rejected", {
      config: this.#options.config.configPath,
      reason: "the old configuration stays",
      mistakes,
    });
  }

  #log(): Logger {
    const { config, report } = this.#options;
    return createLogger({ level: config.logLevel, format: config.logFormat, write: report });
  }

  /** Permissions cannot grow, and most settings cannot change: a second server takes the address over. */
  async #replace(changed: Config): Promise<void> {
    const old = this.#server;
    const start: Start = { ...this.#start, config: atAddressOf(this.#start.config, changed), takeOver: true };
    const next = startWorker(start, this.#options.report);
    const outcome = await Promise.race([next.listening, next.exit]);
    if (typeof outcome === "number") return this.#reject(["the new server did not start"]);
    this.#start = start;
    this.#adopt(next);
    const { port1, port2 } = new MessageChannel();
    next.send({ type: "take-over", port: port2 }, [port2]);
    if (old === undefined) return;
    this.#leaving.add(old);
    old.send({ type: "hand-over", port: port1 }, [port1]);
  }

  /** The process ends with its current server, and with those that were replaced but still at work. */
  #adopt(server: Guarded): void {
    this.#server = server;
    server.exit.then(async (code) => {
      this.#leaving.delete(server);
      if (this.#server !== server) return;
      await Promise.all(Array.from(this.#leaving, ({ exit }) => exit));
      this.#exit.resolve(code);
    });
  }
}

/** A changed configuration at the address that is listened on, whatever the file says now. */
function atAddressOf({ transport }: Config, changed: Config): Config {
  if (transport.kind !== "http" || changed.transport.kind !== "http") return { ...changed, transport };
  const { host, port } = transport;
  return { ...changed, transport: { ...changed.transport, host, port } };
}

function startWorker(start: Start, report: (message: string) => void): Guarded {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), {
    type: "module",
    name: "paddock",
    deno: { permissions: permissionsFor(start.config) },
  });
  const exit = Promise.withResolvers<number>();
  const listening = Promise.withResolvers<void>();
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    switch (data.type) {
      case "listening":
        return listening.resolve();
      case "exit":
        worker.terminate();
        return exit.resolve(data.code);
    }
  };
  worker.onerror = (event) => {
    event.preventDefault();
    report(`error: the server has crashed: ${event.message}`);
    exit.resolve(EXIT_CRASHED);
  };
  const send = (message: ToWorker, transfer: Transferable[] = []) => worker.postMessage(message, transfer);
  send({ type: "start", start });
  return { exit: exit.promise, listening: listening.promise, send };
}

async function startInPlace(start: Start): Promise<Guarded> {
  const { serve } = await import("../runtime/compose.ts");
  const running = await serve(start);
  return {
    exit: running.exit,
    listening: running.listening,
    send: (message) => {
      if (message.type === "stop") running.stop(message.reason);
      if (message.type === "reload") running.reload(message.config);
    },
  };
}
