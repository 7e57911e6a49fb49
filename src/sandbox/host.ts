/**
 * Main's side of the outer fence: starts the server inside it, forwards signals, and ends the process with
 * the server's exit code. A server that does not stop in time ends with the process.
 */
import { type Config, type ConsoleSources, consoleSourcesOf } from "../base/config.ts";
import { UsageError } from "../base/errors.ts";
import { type KernelFence, kernelFenceWords, type KernelPlan, type KernelRules } from "../base/kernel.ts";
import { createLogger, type Logger } from "../base/log.ts";
import { LogSink, stderrLook } from "../base/stderr_sink.ts";
import { Stats } from "../base/stats.ts";
import type { ConsoleRole, SpawnConsole, SpawnSearcher } from "../base/spawn.ts";
import type { FromWorker, Start, ToolsReason, ToWorker } from "./messages.ts";
import {
  changedSettings,
  chooseFence,
  covers,
  type Fence,
  fencesStanding,
  type Granted,
  grantedBy,
  keptUntilRestart,
  noFence,
  permissionsFor,
  searchPermissionsOf,
  toolPermissionsFor,
  WATCHED,
  withInspector,
  withLibraries,
} from "./plan.ts";
import {
  consoleRulesFor,
  kernelRulesFor,
  type ProgramFiles,
  searchRulesFor,
  toolRulesFor,
} from "./kernel/rules.ts";
import { mayInspect } from "./collector.ts";
import { ConsoleWorkers } from "./console_workers.ts";
import { withOwnSources } from "./own_sources.ts";
import { post } from "./post.ts";
import { type Signals, standardStreams } from "./process.ts";
import { Searchers } from "./searchers.ts";

/** Longer than the server itself needs to stop, so that it normally ends first. */
const STOP_MS = 3_000;

/** The same for a server that is still loading, which blocks its thread for long on a busy machine. */
const STOP_WHILE_LOADING_MS = 10_000;

/** How long writing main's own last log lines may take. */
const LAST_LINE_MS = 300;

export const EXIT_CRASHED = 70;

/** A running server, seen from outside. */
export interface Guarded {
  readonly exit: Promise<number>;
  /** Settles when the server can receive requests. */
  readonly listening: Promise<void>;
  /** Settles when everything is loaded. */
  readonly loaded: Promise<void>;
  send(message: ToWorker, transfer?: Transferable[]): void;
}

export interface HostOptions {
  config: Config;
  /** Whether Workers can have permissions of their own here. */
  workerOptions: boolean;
  /** The command line with which they can. */
  lineWithFence: () => string;
  /** What the runtime itself reads while the program runs. */
  programFiles: ProgramFiles | undefined;
  /** The program in Deno's cache, if it is run from its sources. */
  parts?: CachedParts | undefined;
  signals: Signals;
  /** Reads the configuration again, for SIGHUP. */
  reload: () => Promise<Config>;
  /** The configuration adapted to directories that have been replaced. */
  reopened: (config: Config) => Config;
  /** Holds the database of an undo store open, for the console. */
  hold: (store: string) => Promise<void>;
  /** Calls back for every line of input. */
  onLine: (read: () => void) => void;
}

/** What Deno's cache has of the program's parts. */
export interface CachedParts {
  /** Whether some may be missing. */
  areStale(): Promise<boolean>;
  /** All of them were loaded outside the kernel fence. */
  markFresh(): Promise<void>;
}

/** Runs the server until it ends; returns the exit code. */
export async function host(options: HostOptions): Promise<number> {
  // If nobody reads it, this sink neither blocks for ever nor keeps signals from being handled.
  const sink = new LogSink();
  try {
    return await run(options, (line) => sink.write(line));
  } finally {
    await sink.close(LAST_LINE_MS);
  }
}

/** `report` shows the operator a message. */
async function run(options: HostOptions, report: (message: string) => void): Promise<number> {
  const { config, workerOptions } = options;
  const unlimited = WATCHED.filter(isUnlimited);
  const fence = chooseFence({ workerOptions, unlimited, refused: !config.sandbox });
  if (fence === undefined) {
    report(noFence(options.lineWithFence()));
    return 1;
  }
  const kernel = kernelPlanFor(
    { fence, programFiles: options.programFiles },
    (files) => kernelRulesFor(config, files),
  );
  if (config.requireKernelFence && "missing" in kernel) {
    report(`error: --require-kernel-fence: ${kernelFenceWords(kernel)}`);
    return 1;
  }
  const first: Start = {
    config,
    fence,
    kernel,
    kernelRequired: config.requireKernelFence === true,
    fenced: fence !== "none",
    begunAt: performance.timeOrigin,
    counts: Stats.memory(),
    watched: fence === "worker",
    ...standardStreams(),
  };
  const keeper = new Keeper(first, { ...options, report, inWorker: fence === "worker" });
  await keeper.start();
  options.signals.actOn({ stop: (signal) => keeper.stop(signal), reload: () => void keeper.reload() });
  if (config.console) options.onLine(() => keeper.newConsoleAddress());
  return await keeper.exit;
}

/** The kernel fence around a Worker, or why there can be none. */
export function kernelPlanFor(
  { fence, programFiles }: { fence: Fence; programFiles: ProgramFiles | undefined },
  rules: (programFiles: ProgramFiles) => KernelRules,
): KernelPlan {
  if (Deno.build.os !== "linux") return { missing: "only Linux has one" };
  if (fence === "none") return { missing: "--no-sandbox" };
  if (fence === "process") return { missing: "the server runs in a process with narrow permissions" };
  if (!isUnlimited("ffi")) return { missing: "the process may not load the C library (--allow-ffi)" };
  if (programFiles === undefined) {
    return { missing: "the location of Deno's cache is unknown (set DENO_DIR)" };
  }
  return { rules: rules(programFiles) };
}

/** `--allow-read=/` is not a limit either. */
function isUnlimited(name: Deno.PermissionName): boolean {
  const whole = name === "read" || name === "write" ? { name, path: "/" } : { name };
  return Deno.permissions.querySync(whole).state === "granted";
}

/** Whether this process may read the given directories and the program's own files. */
function mayRead(directories: Deno.PermissionOptionsObject["read"]): boolean {
  const paths = [...(Array.isArray(directories) ? directories : []), new URL("../", import.meta.url)];
  return paths.every((path) => Deno.permissions.querySync({ name: "read", path }).state === "granted");
}

interface KeeperOptions extends HostOptions {
  inWorker: boolean;
  report: (message: string) => void;
}

/** Keeps one server running, and gives it new tools where a new configuration needs wider permissions. */
class Keeper {
  readonly #options: KeeperOptions;
  readonly #exit = Promise.withResolvers<number>();
  readonly #start: Start;
  readonly #consoleWorkers: ConsoleWorkers;
  /** The configuration in force. */
  #config: Config;
  /** The directories that the tools have permissions for. */
  #granted: Granted;
  #server: Guarded | undefined;
  /** Once true, later tool Workers must have the kernel fence too. */
  #kernelStands = false;
  #isLoaded = false;
  #reloading: Promise<void> = Promise.resolve();

  constructor(start: Start, options: KeeperOptions) {
    this.#start = start;
    this.#config = start.config;
    this.#granted = grantedBy(start.config);
    this.#options = options;
    const { programFiles, hold } = options;
    this.#consoleWorkers = new ConsoleWorkers({
      sources: () => this.#consoleSources(),
      kernel: (role, sources) =>
        kernelPlanFor({ fence: start.fence, programFiles }, (files) => consoleRulesFor(role, sources, files)),
      hold,
    });
  }

  get exit(): Promise<number> {
    return this.#exit.promise;
  }

  async start(): Promise<void> {
    const permissions = permissionsFor(this.#start.config);
    this.#server = this.#options.inWorker
      ? startWorker(this.#firstMessage(), this.#workerOptions(this.#start, permissions))
      : await startInPlace(this.#start, {
        spawnSearcher: this.#spawnSearcher(),
        spawnConsole: (role, port, lost) =>
          void this.#consoleInPlace(role, port).catch(({ message }) => lost(message)),
      });
    this.#server.exit.then(this.#exit.resolve).finally(() => this.#consoleWorkers.end());
    this.#server.loaded.then(() => this.#isLoaded = true);
  }

  /** Main looks at the cache while the Worker loads. */
  async #firstMessage(): Promise<ToWorker> {
    const { parts } = this.#options;
    const everyPart = "rules" in this.#start.kernel && await parts?.areStale() === true;
    return { type: "start", start: this.#start, everyPart };
  }

  #workerOptions({ config, fence }: Start, permissions: Deno.PermissionOptionsObject): WorkerOptions {
    const { report, programFiles, parts } = this.#options;
    return {
      permissions,
      everyPartLoaded: () => void parts?.markFresh(),
      searchKernel: kernelPlanFor({ fence, programFiles }, (files) => searchRulesFor(config, files)),
      report,
      kernelFenceStands: () => this.#kernelStands = true,
      reopen: () => this.#reopen(),
      consoleWorkers: this.#consoleWorkers,
    };
  }

  /** Prints another address that opens the console, when a person asks for it. */
  newConsoleAddress(): void {
    this.#server?.send({ type: "console-address" });
  }

  #consoleSources(): ConsoleSources {
    return consoleSourcesOf(this.#options.reopened(this.#config));
  }

  /** Where the process itself is the fence, the console is inside it too. */
  async #consoleInPlace(role: ConsoleRole, port: MessagePort): Promise<void> {
    const { serveConsole } = await import("../runtime/console.ts");
    const fence: KernelFence = { missing: "it needs a Worker" };
    const { hold } = this.#options;
    await serveConsole(role, { sources: this.#consoleSources(), port, hold, raise: () => ({ fence }) });
  }

  /**
   * For a server in this process. If that has narrow permissions, the workers' source file may be out of
   * reach, and Deno would prompt on the terminal: then there are no search workers.
   */
  #spawnSearcher(): SpawnSearcher | undefined {
    const { workerOptions } = this.#options;
    const permissions = searchPermissionsOf(permissionsFor(this.#start.config));
    if (this.#start.fenced && !(workerOptions && mayRead(permissions.read))) return undefined;
    const searchers = new Searchers({
      permissions: this.#start.fenced ? permissions : undefined,
      kernel: this.#start.kernel,
    });
    return (port, lost) => searchers.start(port, lost);
  }

  stop(signal: string): void {
    this.#server?.send({ type: "stop", reason: signal });
    setTimeout(() => this.#giveUp(), this.#isLoaded ? STOP_MS : STOP_WHILE_LOADING_MS);
  }

  /** The server's thread hangs, perhaps in a system call: main writes its closing line. */
  #giveUp(): void {
    const closing = new Stats(this.#start.counts).closing();
    const reason = "it did not stop in time";
    if (closing !== undefined) this.#log().info("server_stopped", { ...closing, reason });
    this.#exit.resolve(0);
  }

  /** Reloads run one after another if several signals arrive. */
  reload(): Promise<void> {
    return this.#reloading = this.#reloading.then(() => this.#reload());
  }

  async #reload(): Promise<void> {
    const { config, reload } = this.#options;
    if (config.configPath === undefined) return this.#reject(["there is no config file to reload"]);
    let changed: Config;
    try {
      changed = await reload();
    } catch (error) {
      return this.#reject(error instanceof UsageError ? error.mistakes : [(error as Error).message]);
    }
    const { inWorker } = this.#options;
    const { restart, tools } = changedSettings(this.#config, changed);
    const settings = inWorker ? restart : [...restart, ...tools];
    if (settings.length > 0) {
      this.#log().warn("restart_needed", { settings, reason: "these settings are read only at startup" });
    }
    const next = keptUntilRestart(this.#config, changed);
    const wider = !covers(this.#granted, grantedBy(next));
    if (inWorker && (wider || tools.length > 0)) return await this.#replaceTools(next, "config_reloaded");
    this.#config = next;
    this.#server?.send({ type: "reload", config: next });
  }

  /** Queued behind reloads. */
  #reopen(): void {
    this.#reloading = this.#reloading.then(async () => {
      try {
        await this.#replaceTools(this.#options.reopened(this.#config), "directories_reopened");
      } catch (error) {
        this.#reject([(error as Error).message]);
      }
    });
  }

  #reject(mistakes: readonly string[]): void {
    this.#log().error("config_rejected", {
      config: this.#options.config.configPath,
      reason: "the old configuration stays in force",
      mistakes,
    });
  }

  #log(): Logger {
    const { config, report } = this.#options;
    const { logLevel: level, logFormat: format } = config;
    return createLogger({ level, format, look: stderrLook(), write: report });
  }

  /**
   * A Worker's permissions cannot grow: a second Worker gets the wider ones, and the server forwards its
   * calls there.
   */
  async #replaceTools(config: Config, reason: ToolsReason): Promise<void> {
    const { port1, port2 } = new MessageChannel();
    const { fence } = this.#start;
    const { programFiles } = this.#options;
    const kernel = kernelPlanFor({ fence, programFiles }, (files) => toolRulesFor(config, files));
    const kernelRequired = this.#kernelStands || config.requireKernelFence === true;
    const start = { ...this.#start, config, kernel, kernelRequired };
    const options = this.#workerOptions(start, toolPermissionsFor(config));
    const next = startWorker({ type: "start-tools", start, port: port2 }, { ...options, transfer: [port2] });
    const outcome = await Promise.race([next.listening, next.exit]);
    if (typeof outcome === "number") return this.#reject(["the new tools could not be started"]);
    next.exit.then((code) => code === 0 || this.#exit.resolve(code));
    this.#config = config;
    this.#granted = grantedBy(config);
    this.#server?.send({ type: "use-tools", config, port: port1, reason }, [port1]);
  }
}

export interface WorkerOptions {
  permissions: Deno.PermissionOptionsObject;
  /** The kernel fence around its search workers. */
  searchKernel: KernelPlan;
  report: (message: string) => void;
  kernelFenceStands?: () => void;
  /** Called when it has loaded every part, as its first message asked. */
  everyPartLoaded?: () => void;
  /** Called when its directories were replaced, which makes its rules useless. */
  reopen?: () => void;
  /** The console's workers. */
  consoleWorkers?: ConsoleWorkers;
  transfer?: Transferable[];
}

/** Starts `worker.ts` inside these fences and sends it its first message before any other. */
export function startWorker(first: ToWorker | Promise<ToWorker>, options: WorkerOptions): Guarded {
  const { searchKernel, report, kernelFenceStands, everyPartLoaded, reopen, consoleWorkers } = options;
  const needsLibraries = "rules" in searchKernel;
  const inspected = mayInspect() ? withInspector(options.permissions) : options.permissions;
  const permissions = needsLibraries ? withLibraries(inspected) : inspected;
  const worker = new Worker(new URL("./worker.ts", import.meta.url), {
    type: "module",
    name: "paddock",
    deno: { permissions: withOwnSources(permissions) },
  });
  const exit = Promise.withResolvers<number>();
  const listening = Promise.withResolvers<void>();
  const loaded = Promise.withResolvers<void>();
  const searchers = new Searchers({ permissions: searchPermissionsOf(permissions), kernel: searchKernel });
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    switch (data.type) {
      case "listening":
        return listening.resolve();
      case "loaded":
        return loaded.resolve();
      case "spawn-searcher":
        return searchers.start(
          data.port,
          () => send({ type: "searcher-lost", id: data.id }),
          needsLibraries && data.unlimited,
        );
      case "spawn-console":
        return consoleWorkers?.start(
          data.role,
          data.port,
          (why) => send({ type: "console-lost", id: data.id, why }),
        );
      case "every-part-loaded":
        return everyPartLoaded?.();
      case "kernel-fence-stands":
        return kernelFenceStands?.();
      case "reopen":
        return reopen?.();
      case "exit":
        if (data.reason !== undefined) report(`error: ${data.reason}`);
        worker.terminate();
        searchers.end();
        return exit.resolve(data.code);
    }
  };
  worker.onerror = (event) => {
    event.preventDefault();
    report(`error: the server crashed: ${event.message}`);
    exit.resolve(EXIT_CRASHED);
  };
  const begun = Promise.resolve(first).then((message) => post(worker, message, options.transfer));
  const send = (message: ToWorker, transfer?: Transferable[]) =>
    void begun.then(() => post(worker, message, transfer));
  return { exit: exit.promise, listening: listening.promise, loaded: loaded.promise, send };
}

async function startInPlace(
  start: Start,
  spawn: { spawnSearcher: SpawnSearcher | undefined; spawnConsole: SpawnConsole },
): Promise<Guarded> {
  const { serve } = await import("../runtime/compose.ts");
  const { fence, kernel } = start;
  const running = await serve(start, {
    fences: fencesStanding(fence, "missing" in kernel ? kernel : { missing: "it needs a Worker" }),
    ...spawn,
  });
  return {
    exit: running.exit,
    listening: running.listening,
    loaded: running.loaded,
    send: (message) => {
      if (message.type === "stop") running.stop(message.reason);
      if (message.type === "reload") running.reload(message.config);
      if (message.type === "console-address") running.newConsoleAddress?.();
    },
  };
}
