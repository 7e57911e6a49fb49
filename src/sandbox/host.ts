/**
 * Main's side of the outer fence: starts the server inside it, passes signals on to it, and ends the process
 * with its exit code. A server that does not answer a stop in time is ended with the process.
 */
import { type Config, directoriesOf } from "../base/config.ts";
import { type FromWorker, type SessionRecords, type Start, type ToWorker } from "./messages.ts";
import { chooseFence, covers, type Fence, permissionsFor, WATCHED } from "./plan.ts";
import { onSignals, standardStreams } from "./process.ts";

/** A little more than the server itself gives calls in flight, so that it is the one to end. */
const STOP_MS = 3_000;

export const EXIT_CRASHED = 70;

/** A server that has been started, from outside. */
interface Guarded {
  readonly exit: Promise<number>;
  /** Settles when requests can be taken in. */
  readonly listening: Promise<void>;
  /** Settles when the server has given its address up. */
  readonly sessions: Promise<SessionRecords>;
  send(message: ToWorker): void;
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
    ...standardStreams(),
  };
  const keeper = new Keeper(first, { ...options, inWorker: fence === "worker" });
  await keeper.start();
  onSignals({ stop: (signal) => keeper.stop(signal), reload: () => void keeper.reload() });
  return await keeper.exit;
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

/** Keeps one server running, and replaces it where a new configuration needs wider permissions. */
class Keeper {
  readonly #options: HostOptions & { inWorker: boolean };
  readonly #exit = Promise.withResolvers<number>();
  #start: Start;
  #server: Guarded | undefined;
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
    this.#server?.send({ type: "stop", reason: signal });
    setTimeout(() => this.#exit.resolve(0), STOP_MS);
  }

  /** One after the other, should several signals come at once. */
  reload(): Promise<void> {
    return this.#reloading = this.#reloading.then(() => this.#reload());
  }

  async #reload(): Promise<void> {
    const { config, reload, report } = this.#options;
    if (config.configPath === undefined) return report("SIGHUP: there is no config file to read again");
    let changed: Config;
    try {
      changed = await reload();
    } catch (error) {
      return report(
        `SIGHUP: the config file is not taken over, the old one stays:\n${(error as Error).message}`,
      );
    }
    if (this.#needsReplacement(changed)) await this.#replace(changed);
    else this.#server?.send({ type: "reload", config: changed });
  }

  /** Permissions cannot grow. Over http a second server can take the address over; over stdio it cannot. */
  #needsReplacement(changed: Config): boolean {
    if (!this.#options.inWorker || changed.transport.kind !== "http" || Deno.build.os !== "linux") {
      return false;
    }
    return !covers(directoriesOf(this.#start.config.surface), directoriesOf(changed.surface));
  }

  async #replace(changed: Config): Promise<void> {
    const old = this.#server;
    const { transport } = this.#start.config; // the address stays, whatever the file says now
    const start: Start = { ...this.#start, config: { ...changed, transport }, takeOver: true };
    const next = startWorker(start, this.#options.report);
    const outcome = await Promise.race([next.listening, next.exit]);
    if (typeof outcome === "number") {
      return this.#options.report("SIGHUP: the new server did not start, the old one stays");
    }
    this.#start = start;
    this.#adopt(next);
    old?.send({ type: "hand-over" });
    next.send({ type: "adopt", sessions: await old?.sessions ?? [] });
  }

  /** The process ends with its current server; one that was replaced ends by itself. */
  #adopt(server: Guarded): void {
    this.#server = server;
    server.exit.then((code) => {
      if (this.#server === server) this.#exit.resolve(code);
    });
  }
}

function startWorker(start: Start, report: (message: string) => void): Guarded {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), {
    type: "module",
    name: "paddock",
    deno: { permissions: permissionsFor(start.config) },
  });
  const exit = Promise.withResolvers<number>();
  const listening = Promise.withResolvers<void>();
  const sessions = Promise.withResolvers<SessionRecords>();
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    switch (data.type) {
      case "listening":
        return listening.resolve();
      case "sessions":
        return sessions.resolve(data.sessions);
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
  const send = (message: ToWorker) => worker.postMessage(message);
  send({ type: "start", start });
  return { exit: exit.promise, listening: listening.promise, sessions: sessions.promise, send };
}

async function startInPlace(start: Start): Promise<Guarded> {
  const { serve } = await import("../runtime/compose.ts");
  const running = await serve(start);
  return {
    exit: running.exit,
    listening: running.listening,
    sessions: Promise.resolve([]),
    send: (message) => {
      if (message.type === "stop") running.stop(message.reason);
      if (message.type === "reload") running.reload(message.config);
    },
  };
}
