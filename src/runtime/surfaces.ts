/**
 * Loads the surface that a configuration asks for, with its tools in a registry. Imported after the first
 * answer.
 */
import type {
  ClassicSurfaceConfig,
  Config,
  FlatSurfaceConfig,
  RootsSurfaceConfig,
  SurfaceConfig,
  WorkspacesSurfaceConfig,
} from "../base/config.ts";
import type { SpawnSearcher } from "../base/spawn.ts";
import { SearchPool } from "../engine/search/crew/pool.ts";
import { Locks } from "../engine/locks.ts";
import { Deadlines } from "../base/deadlines.ts";
import type { ResourcePlaces } from "../surfaces/resource_places.ts";
import type { ToolCall } from "../tools/tool.ts";
import { Registry, type RegistryOptions } from "../tools/registry.ts";

type AnyRegistry = Pick<Registry, "names" | "list" | "accessOf" | "call">;

export interface LoadedSurface {
  registry: AnyRegistry;
  /** The same operations as methods of their own, in addition to MCP's, where the surface has them; loaded when asked for. */
  bare?(): Promise<AnyRegistry>;
  /** The methods about resources, where the surface has them; loaded when asked for. */
  resources?(): Promise<AnyRegistry>;
  /** Adopts a changed configuration for calls that begin from now on. */
  reload(config: SurfaceConfig): void;
  /** How often a call had to wait for a lock. */
  lockWaits(): number;
  /** Releases what it holds besides memory: workers. */
  close?(): void | Promise<void>;
}

export interface SurfaceOptions extends RegistryOptions {
  /** The fences in force, in words. */
  fences?: readonly string[];
  /** Without it searches have no workers. */
  spawnSearcher?: SpawnSearcher | undefined;
}

export async function loadSurface(config: Config, given: SurfaceOptions): Promise<LoadedSurface> {
  const { surface } = config;
  const options = { deadlines: new Deadlines(config.timeoutMs), ...given };
  switch (surface.kind) {
    case "roots":
      return await loadRoots(config, surface, options);
    case "classic":
      return await loadClassic(config, surface, options);
    case "flat":
      return await loadFlat(config, surface, options);
    case "workspaces":
      return await loadWorkspaces(config, surface, options);
  }
}

async function loadRoots(
  config: Config,
  surface: RootsSurfaceConfig,
  options: SurfaceOptions,
): Promise<LoadedSurface> {
  const { RootsSurface } = await import("../surfaces/roots/surface.ts");
  const locks = new Locks();
  const pool = searchPool(config, options);
  const { fences } = options;
  const roots = new RootsSurface(config, surface, { locks, pool, fences });
  return {
    registry: new Registry(roots, options),
    resources: () => loadResources((call) => roots.places(call), options),
    reload: (changed) => roots.reload(changed),
    lockWaits: () => locks.waits,
    close: async () => {
      pool?.close();
      await roots.close();
    },
  };
}

/** They are methods and not tools: --tools does not apply to them. */
async function loadResources(
  places: (call: ToolCall) => ResourcePlaces,
  options: RegistryOptions,
): Promise<AnyRegistry> {
  const { ResourceHost } = await import("../surfaces/resources/host.ts");
  return new Registry(new ResourceHost(places), { ...options, tools: undefined });
}

const SEARCH_CACHE_BYTES = 64 * 1024 * 1024;

function searchPool(config: Config, { spawnSearcher, metrics }: SurfaceOptions): SearchPool | undefined {
  if (spawnSearcher === undefined) return undefined;
  return new SearchPool({
    spawn: spawnSearcher,
    cacheBytes: config.searchCacheBytes ?? SEARCH_CACHE_BYTES,
    onCache: (lookups, hits) => metrics?.recordSearchCache(lookups, hits),
  });
}

async function loadClassic(
  config: Config,
  surface: ClassicSurfaceConfig,
  options: RegistryOptions,
): Promise<LoadedSurface> {
  const { ClassicSurface } = await import("../surfaces/classic/surface.ts");
  const locks = new Locks();
  const classic = new ClassicSurface(config, surface, { locks });
  return {
    registry: new Registry(classic, options),
    reload: (changed) => classic.reload(changed),
    lockWaits: () => locks.waits,
    close: () => classic.close(),
  };
}

async function loadFlat(
  config: Config,
  surface: FlatSurfaceConfig,
  options: RegistryOptions,
): Promise<LoadedSurface> {
  const { FlatSurface } = await import("../surfaces/flat/surface.ts");
  const { FlatFolder } = await import("../surfaces/flat/folder.ts");
  const locks = new Locks();
  const folder = new FlatFolder({
    directory: surface.dir,
    maxBytes: config.maxSize,
    undo: surface.undo,
    timeoutMs: config.timeoutMs,
  });
  const flat = new FlatSurface(config, { folder, locks });
  return {
    registry: new Registry(flat, options),
    bare: async () => {
      const { FlatOperations } = await import("../surfaces/flat/rest_face.ts");
      return new Registry(new FlatOperations(config, { folder, locks }), options);
    },
    reload: (changed) => flat.reload(changed),
    lockWaits: () => locks.waits,
    close: () => folder.close(),
  };
}

async function loadWorkspaces(
  config: Config,
  surface: WorkspacesSurfaceConfig,
  options: SurfaceOptions,
): Promise<LoadedSurface> {
  const { WorkspacesSurface } = await import("../surfaces/workspaces/surface.ts");
  const locks = new Locks();
  const pool = searchPool(config, options);
  const workspaces = new WorkspacesSurface(config, surface, { locks, pool });
  return {
    registry: new Registry(workspaces, options),
    resources: () => loadResources((call) => workspaces.places(call), options),
    reload: (changed) => workspaces.reload(changed),
    lockWaits: () => locks.waits,
    close: () => pool?.close(),
  };
}
