/**
 * Holds the tools: the server itself, or a Worker that was started later with wider permissions. The server's
 * connections and sessions stay where they are; only the calls go elsewhere.
 */
import { type Config, directoriesOf, type RootConfig, type SurfaceConfig } from "../base/config.ts";
import type { Logger } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import type { SpawnSearcher } from "../base/spawn.ts";
import type { Stats } from "../base/stats.ts";
import type { LogSink } from "../base/stderr_sink.ts";
import { Rest } from "../base/rest.ts";
import { kernelCalls } from "../confine/kernel_calls.ts";
import { contains } from "../confine/path_rules.ts";
import type { Start } from "../sandbox/messages.ts";
import type { Tools } from "../server/methods.ts";
import { listedTools } from "../surfaces/listed/mod.ts";
import type { ToolListing } from "../tools/tool.ts";
import { LazyTools } from "./lazy_tools.ts";
import type { LoadedSurface } from "./surfaces.ts";

export interface ToolHolder {
  readonly tools: Tools;
  /** The same operations as methods of their own, where the surface has them. */
  readonly bare: Tools;
  /** The methods about resources, where the surface has them. */
  readonly resources: Tools;
  /** Adopts a changed configuration, as far as its permissions reach, for calls that begin from now on. */
  reload(config: Config): Promise<void>;
  /** How often a call had to wait for a lock. */
  lockWaits(): Promise<number>;
  /** Call this when no more calls will come; settles when those in progress have ended. */
  retire(): Promise<void>;
}

/** What tools need to know about the fences around them. */
export interface FencedParts {
  /** The fences in force, in words. */
  readonly fences: readonly string[];
  readonly spawnSearcher?: SpawnSearcher | undefined;
  /** Throws a ReopeningError when these tools cannot serve a call and are about to be replaced. */
  readonly beforeCall?: (() => void) | undefined;
  /** Returns a function that collects this thread's garbage, if there is one. */
  readonly takeCollector?: (() => Promise<(() => void) | undefined>) | undefined;
}

/** After this long without a call, memory that calls have left is returned. */
const REST_MS = 3_000;

export interface LocalToolsOptions extends FencedParts {
  start: Start;
  log: Logger;
  /** Where the log goes, for other output to standard error. */
  sink: LogSink;
  stats: Stats;
  metrics: Metrics;
}

/** Tools in this Worker, loaded when first used. */
export class LocalTools implements ToolHolder {
  readonly #options: LocalToolsOptions;
  #loaded: Promise<LoadedSurface> | undefined;
  #reported: Promise<Tools> | undefined;
  #bare: Promise<Tools> | undefined;
  #resources: Promise<Tools> | undefined;
  #surface: SurfaceConfig;
  #rest: Rest | undefined;
  readonly tools: Tools = new LazyTools(
    () => this.#reported ??= this.#load().then(({ registry }) => this.#withEvents(registry)),
    () => this.#list(),
  );
  readonly bare: Tools = new LazyTools(() => this.#bare ??= this.#face("bare"));
  readonly resources: Tools = new LazyTools(() => this.#resources ??= this.#face("resources"));

  constructor(options: LocalToolsOptions) {
    this.#options = options;
    this.#surface = options.start.config.surface;
  }

  async names(): Promise<readonly string[]> {
    return (await this.#list()).map(({ name }) => name);
  }

  /** Loads them before they are needed. */
  async warmUp(): Promise<void> {
    await this.#load();
  }

  #list(): Promise<ToolListing[]> {
    return listedTools({ ...this.#options.start.config, surface: this.#surface });
  }

  async reload({ surface, configPath }: Config): Promise<void> {
    const { start, log } = this.#options;
    const reachable = withinFence(surface, { start, log });
    (await this.#load()).reload(reachable);
    this.#surface = reachable;
    log.info("config_reloaded", { config: configPath, ...surfaceFields(reachable) });
  }

  async lockWaits(): Promise<number> {
    return (await this.#loaded)?.lockWaits() ?? 0;
  }

  async retire(): Promise<void> {
    this.#rest?.close();
    await (await this.#loaded)?.close?.();
  }

  /** The tools, reporting to an ACP client if there is one. */
  async #withEvents(tools: Tools): Promise<Tools> {
    const { start: { config: { acpEvents } }, log, sink, beforeCall } = this.#options;
    if (acpEvents === undefined) return tools;
    const { withAcpEvents } = await import("./acp_tools.ts");
    return withAcpEvents(tools, {
      ...acpEvents,
      stderr: sink,
      log,
      beforeCall,
      surface: () => this.#surface,
    });
  }

  async #face(which: "bare" | "resources"): Promise<Tools> {
    const loaded = await this.#load();
    return await loaded[which]?.() ?? loaded.registry;
  }

  #load(): Promise<LoadedSurface> {
    return this.#loaded ??= this.#loadSurface();
  }

  async #loadSurface(): Promise<LoadedSurface> {
    const { start: { config }, sink: _, takeCollector, beforeCall, ...parts } = this.#options;
    const { timeoutMs, callLogLevel, text, tools } = config;
    const [{ loadSurface }, collect] = await Promise.all([import("./surfaces.ts"), takeCollector?.()]);
    const giveBack = () => {
      collect?.();
      kernelCalls()?.trimHeap();
    };
    const rest = this.#rest = collect && new Rest(giveBack, REST_MS);
    const before = () => {
      rest?.work();
      beforeCall?.();
    };
    return await loadSurface(config, {
      ...parts,
      timeoutMs,
      callLogLevel,
      text,
      tools,
      beforeCall: rest === undefined ? beforeCall : before,
    });
  }
}

/** Roots by name: host paths do not belong in the log, except that of the workspaces. */
export function surfaceFields(surface: SurfaceConfig): { roots?: string[]; workspaces_root?: string } {
  switch (surface.kind) {
    case "roots":
    case "classic":
      return { roots: surface.roots.map((root) => root.name) };
    case "workspaces":
      return { workspaces_root: surface.dir };
    case "flat":
      return {};
  }
}

/** Permissions cannot grow: a root outside the directories given at startup has to wait for a restart. */
function withinFence(surface: SurfaceConfig, { start, log }: { start: Start; log: Logger }): SurfaceConfig {
  if (!("roots" in surface) || !start.fenced) return surface;
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
