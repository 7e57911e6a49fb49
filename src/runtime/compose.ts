/**
 * The wiring: from a resolved configuration to a running server. It is what the Worker inside the fence runs,
 * or the process itself where that was started with narrow permissions.
 */
import { type Config, directoriesOf, type RootConfig, type SurfaceConfig } from "../base/config.ts";
import { createLogger, type LogFields, type Logger } from "../base/log.ts";
import { Stats } from "../base/stats.ts";
import { LogSink } from "../base/stderr_sink.ts";
import { contains } from "../confine/path_rules.ts";
import { type Start } from "../sandbox/messages.ts";
import { type Listener, RunLoop } from "../server/lifecycle.ts";
import { type Tools } from "../server/mcp.ts";
import { INSTRUCTIONS } from "../surfaces/instructions.ts";
import { StdioListener } from "../transports/stdio_listener.ts";
import { LazyTools } from "./lazy_tools.ts";
import { type LoadedSurface } from "./surfaces.ts";

/** What the outside tells a running server, and how it learns of its end. */
export interface Running {
  /** Resolves with the exit code. */
  readonly exit: Promise<number>;
  stop(reason: string): void;
  reload(config: Config): void;
}

export function serve(start: Start): Running {
  const { config } = start;
  const sink = new LogSink();
  const log = createLogger({
    level: config.logLevel,
    format: config.logFormat,
    write: (line) => sink.write(line),
  });
  const stats = new Stats();
  let loaded: Promise<LoadedSurface> | undefined;
  const load = () =>
    loaded ??= import("./surfaces.ts").then(({ loadSurface }) =>
      loadSurface(config, { log, stats, timeoutMs: config.timeoutMs, callLogLevel: config.callLogLevel })
    );
  const listener = createListener({
    start,
    tools: new LazyTools(async () => (await load()).registry),
    instructions: INSTRUCTIONS[config.surface.kind],
    stats,
    log,
  });
  const loop = new RunLoop({
    log,
    stats,
    toolNames: async () => {
      await Promise.race([listener.busy, new Promise((resolve) => setTimeout(resolve, SETTLE_MS))]);
      return (await load()).registry.names;
    },
    startFields: startFields(start),
  });
  return {
    exit: runToExitCode(loop, listener, sink),
    stop: (reason) => loop.shutdown(reason),
    reload: async (changed) => {
      const surface = withinFence(changed.surface, { start, log });
      (await load()).reload(surface);
      log.info("config_reloaded", { config: changed.configPath, ...surfaceFields(surface) });
    },
  };
}

/** How long a client that has just started the server may take to say something. */
const SETTLE_MS = 50;

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

interface ListenerParts {
  start: Start;
  tools: Tools;
  instructions: string;
  stats: Stats;
  log: Logger;
}

function createListener({ start, tools, instructions, stats, log }: ListenerParts): StdioListener {
  return new StdioListener({
    tools,
    instructions,
    input: start.stdin ? Deno.stdin : undefined,
    output: start.stdout ? Deno.stdout : undefined,
    maxLine: start.config.maxSize,
    stats,
    log,
  });
}

function startFields({ config, fence }: Start): LogFields {
  const { transport } = config;
  return {
    surface: config.surface.kind,
    transport: transport.kind,
    address: transport.kind === "http" ? `http://${transport.host}:${transport.port}` : undefined,
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
