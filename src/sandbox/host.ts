/**
 * Main's side of the outer fence: starts the server inside it, passes signals on to it, and ends the process
 * with its exit code. A server that does not answer a stop in time is ended with the process.
 */
import { type Config } from "../base/config.ts";
import { type FromWorker, type Start, type ToWorker } from "./messages.ts";
import { chooseFence, type Fence, permissionsFor, WATCHED } from "./plan.ts";

/** A little more than the server itself gives calls in flight, so that it is the one to end. */
const STOP_MS = 3_000;

export const EXIT_CRASHED = 70;

/** A server that has been started, from outside. */
export interface Guarded {
  readonly exit: Promise<number>;
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
export async function host({ config, workerOptions, reload, report }: HostOptions): Promise<number> {
  const unlimited = WATCHED.filter((name) => Deno.permissions.querySync({ name }).state === "granted");
  const fence = chooseFence({ workerOptions, unlimited, refused: !config.sandbox });
  if (fence === undefined) {
    report(NO_FENCE);
    return 1;
  }
  const start: Start = { config, fence: FENCE_NAMES[fence], fenced: fence !== "none", ...standardStreams() };
  const server = fence === "worker" ? startWorker(start, report) : await startInPlace(start);
  const ended = Promise.withResolvers<number>();
  server.exit.then(ended.resolve);
  onSignals({
    stop: (signal) => {
      server.send({ type: "stop", reason: signal });
      setTimeout(() => ended.resolve(0), STOP_MS);
    },
    reload: async () => {
      if (config.configPath === undefined) return report("SIGHUP: there is no config file to read again");
      try {
        server.send({ type: "reload", config: await reload() });
      } catch (error) {
        report(`SIGHUP: the config file is not taken over, the old one stays:\n${(error as Error).message}`);
      }
    },
  });
  return await ended.promise;
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

function startWorker(start: Start, report: (message: string) => void): Guarded {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), {
    type: "module",
    name: "paddock",
    deno: { permissions: permissionsFor(start.config) },
  });
  const ended = Promise.withResolvers<number>();
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data.type === "exit") ended.resolve(data.code);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    report(`error: the server has crashed: ${event.message}`);
    ended.resolve(EXIT_CRASHED);
  };
  const send = (message: ToWorker) => worker.postMessage(message);
  send({ type: "start", start });
  return { exit: ended.promise, send };
}

async function startInPlace(start: Start): Promise<Guarded> {
  const { serve } = await import("../runtime/compose.ts");
  const running = serve(start);
  return {
    exit: running.exit,
    send: (message) => {
      if (message.type === "stop") running.stop(message.reason);
      if (message.type === "reload") running.reload(message.config);
    },
  };
}

interface SignalActions {
  stop: (signal: string) => void;
  reload: () => void;
}

function onSignals({ stop, reload }: SignalActions): void {
  const windows = Deno.build.os === "windows";
  for (const signal of windows ? ["SIGINT", "SIGBREAK"] as const : ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => stop(signal));
  }
  if (!windows) Deno.addSignalListener("SIGHUP", reload);
}

/**
 * Whether the process was given a standard input and output. A closed one is opened as /dev/null by the runtime,
 * for reading and writing, which nobody else does.
 */
function standardStreams(): { stdin: boolean; stdout: boolean } {
  return { stdin: !isClosed(0), stdout: !isClosed(1) };
}

function isClosed(fd: number): boolean {
  if (Deno.build.os !== "linux") return false;
  try {
    if (Deno.readLinkSync(`/proc/self/fd/${fd}`) !== "/dev/null") return false;
    const flags = /^flags:\s*([0-7]+)/m.exec(Deno.readTextFileSync(`/proc/self/fdinfo/${fd}`))?.[1] ?? "0";
    return (parseInt(flags, 8) & 0o3) === 0o2;
  } catch {
    return false; // not allowed to look: the first read or write will tell
  }
}
