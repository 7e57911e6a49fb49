/**
 * The wiring: from a resolved configuration to a running server. It is what the Worker inside the fence runs,
 * or the process itself where that was started with narrow permissions.
 */
import {
  type Config,
  directoriesOf,
  type HttpConfig,
  type RootConfig,
  type SurfaceConfig,
} from "../base/config.ts";
import { createLogger, type LogFields, type Logger } from "../base/log.ts";
import { Metrics } from "../base/metrics.ts";
import { Stats } from "../base/stats.ts";
import { LogSink } from "../base/stderr_sink.ts";
import { contains } from "../confine/path_rules.ts";
import { type Start } from "../sandbox/messages.ts";
import { type Listener, RunLoop } from "../server/lifecycle.ts";
import { type BareMethods, type Tools } from "../server/mcp.ts";
import { BARE_METHODS, INSTRUCTIONS } from "../surfaces/instructions.ts";
import { banner, urlOf } from "../transports/http/banner.ts";
import { LazyTools } from "./lazy_tools.ts";
import { type LoadedSurface } from "./surfaces.ts";

/** What the outside tells a running server, and how it learns of its end. */
export interface Running {
  /** Resolves with the exit code. */
  readonly exit: Promise<number>;
  /** Settles when requests can be taken in. */
  readonly listening: Promise<void>;
  stop(reason: string): void;
  reload(config: Config): Promise<void>;
  /** Gives the address and the sessions up to the server at the other end. */
  handOver(port: MessagePort): void;
  /** Goes on with the sessions of the server at the other end. */
  takeOver(port: MessagePort): void;
}

export async function serve(start: Start): Promise<Running> {
  const { config } = start;
  const sink = new LogSink();
  const log = createLogger({
    level: config.logLevel,
    format: config.logFormat,
    write: (line) => sink.write(line),
  });
  const stats = new Stats();
  const metrics = new Metrics();
  let loaded: Promise<LoadedSurface> | undefined;
  const load = () =>
    loaded ??= import("./surfaces.ts").then(({ loadSurface }) =>
      loadSurface(config, {
        log,
        stats,
        metrics,
        timeoutMs: config.timeoutMs,
        callLogLevel: config.callLogLevel,
      })
    );
  const listener = await createListener({
    start,
    tools: new LazyTools(async () => (await load()).registry),
    instructions: INSTRUCTIONS[config.surface.kind],
    bare: {
      methods: BARE_METHODS[config.surface.kind],
      tools: new LazyTools(async () => {
        const { registry, bare } = await load();
        return bare ?? registry;
      }),
    },
    stats,
    metrics,
    log,
    lockWaits: async () => (await load()).lockWaits(),
  });
  const loop = new RunLoop({
    log,
    stats,
    toolNames: async () => {
      await listener.settled;
      return (await load()).registry.names;
    },
    startFields: startFields(start),
  });
  const { transport } = config;
  if (transport.kind === "http") {
    loop.listening.then(() => {
      if (config.logFormat === "text" && !start.takeOver) sink.write(banner(transport));
      if (isOpenToAll(transport)) log.warn("no_token", { address: urlOf(transport), reason: OPEN_TO_ALL });
    });
  }
  return {
    exit: runToExitCode(loop, listener, sink),
    listening: loop.listening,
    stop: (reason) => loop.shutdown(reason),
    reload: async (changed) => {
      const surface = withinFence(changed.surface, { start, log });
      (await load()).reload(surface);
      log.info("config_reloaded", { config: changed.configPath, ...surfaceFields(surface) });
    },
    handOver: (port) => {
      listener.handOver?.(port).then(() => loop.shutdown("another server has taken over"));
    },
    takeOver: (port) => void listener.takeOver?.(port),
  };
}

const OPEN_TO_ALL =
  "anybody who reaches this address can use the server; set --auth-token-file or PADDOCK_TOKEN";

function isOpenToAll({ host, token }: HttpConfig): boolean {
  return token === undefined && !/^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

/** Permissions cannot grow: a root that was added outside the directories of the start waits for a restart. */
function withinFence(surface: SurfaceConfig, { start, log }: { start: Start; log: Logger }): SurfaceConfig {
  if (surface.kind !== "roots" || !start.fenced) return surface;
  const directories = directoriesOf(start.config.surface);
  const reachable = (root: RootConfig) => directories.some((directory) => contains(directory, root.path));
  const added = surface.roots.filter((root) => !reachable(root)).map((root) => root.name);
  if (added.length > 0) {
    log.warn("restart_needed", {
      roots: added,
      reason: "a new root needs wider permissions than the server has",
    });
  }
  return { ...surface, roots: surface.roots.filter(reachable) };
}

/** What the transports have in common here, beside being listeners. */
interface AnyListener extends Listener {
  /** When there is time for what the first answer does not need. */
  readonly settled: Promise<unknown>;
  handOver?(port: MessagePort): Promise<void>;
  takeOver?(port: MessagePort): Promise<void>;
}

interface ListenerParts {
  start: Start;
  tools: Tools;
  bare: BareMethods;
  instructions: string;
  stats: Stats;
  metrics: Metrics;
  log: Logger;
  lockWaits: () => Promise<number>;
}

async function createListener({ start, ...parts }: ListenerParts): Promise<AnyListener> {
  const { transport, maxSize } = start.config;
  if (transport.kind === "http") {
    const { HttpListener } = await import("../transports/http_listener.ts");
    return new HttpListener({
      ...parts,
      config: transport,
      maxBody: maxSize,
      takeOver: start.takeOver,
      replaceable: start.replaceable,
    });
  }
  const { StdioListener } = await import("../transports/stdio_listener.ts");
  return new StdioListener({
    ...parts,
    input: start.stdin ? Deno.stdin : undefined,
    output: start.stdout ? Deno.stdout : undefined,
    maxLine: maxSize,
  });
}

function startFields({ config, fence }: Start): LogFields {
  const { transport } = config;
  return {
    surface: config.surface.kind,
    transport: transport.kind,
    address: transport.kind === "http" ? urlOf(transport) : undefined,
    ...surfaceFields(config.surface),
    config: config.configPath,
    read_only: config.readOnly,
    fence,
  };
}

/** Roots by name: the log is no place for host paths. */
function surfaceFields(surface: SurfaceConfig): LogFields {
  return surface.kind === "roots" ? { roots: surface.roots.map((root) => root.name) } : {};
}

async function runToExitCode(loop: RunLoop, listener: Listener, sink: LogSink): Promise<number> {
  try {
    await loop.run(listener);
    return 0;
  } catch {
    return 1; // the run loop has logged it
  } finally {
    await sink.close();
  }
}
