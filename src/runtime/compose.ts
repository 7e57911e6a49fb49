/**
 * The wiring: from a resolved configuration to a running server. It is what the Worker inside the fence runs,
 * or the process itself where that was started with narrow permissions.
 */
import { type Config, directoriesOf, type RootConfig, type SurfaceConfig } from "../base/config.ts";
import { createLogger, type Logger } from "../base/log.ts";
import { Stats } from "../base/stats.ts";
import { LogSink } from "../base/stderr_sink.ts";
import { contains } from "../confine/path_rules.ts";
import { type Start } from "../sandbox/messages.ts";
import { type Listener, RunLoop } from "../server/lifecycle.ts";
import { type Tools } from "../server/mcp.ts";
import { RootsSurface } from "../surfaces/roots/surface.ts";
import { Registry } from "../tools/registry.ts";
import { StdioListener } from "../transports/stdio_listener.ts";

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
  const surface = createSurface(config);
  const registry = new Registry(surface, {
    log,
    stats,
    timeoutMs: config.timeoutMs,
    callLogLevel: config.callLogLevel,
  });
  const loop = new RunLoop({
    log,
    stats,
    toolNames: registry.names,
    startFields: startFields(start, surface.startFields()),
  });
  const listener = createListener({ start, tools: registry, instructions: surface.instructions, stats, log });
  return {
    exit: runToExitCode(loop, listener, sink),
    stop: (reason) => loop.shutdown(reason),
    reload: (changed) => {
      surface.reload(withinFence(changed.surface, { start, log }));
      log.info("config_reloaded", { config: changed.configPath, ...surface.startFields() });
    },
  };
}

function createSurface(config: Config): RootsSurface {
  const { surface } = config;
  if (surface.kind !== "roots") throw new TypeError(`no such surface: ${surface.kind}`);
  return new RootsSurface(config, surface);
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

interface ListenerParts {
  start: Start;
  tools: Tools;
  instructions: string;
  stats: Stats;
  log: Logger;
}

function createListener({ start, tools, instructions, stats, log }: ListenerParts): Listener {
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

function startFields({ config, fence }: Start, surface: Record<string, unknown>): Record<string, unknown> {
  const { transport } = config;
  return {
    surface: config.surface.kind,
    transport: transport.kind,
    address: transport.kind === "http" ? `http://${transport.host}:${transport.port}` : undefined,
    ...surface,
    config: config.configPath,
    read_only: config.readOnly,
    fence,
  };
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
