/** Which surface a configuration asks for, with its tools in a registry. Loaded after the first answer. */
import {
  type Config,
  type FlatSurfaceConfig,
  type RootsSurfaceConfig,
  type SurfaceConfig,
} from "../base/config.ts";
import { Locks } from "../engine/locks.ts";
import { Registry, type RegistryOptions } from "../tools/registry.ts";

type AnyRegistry = Pick<Registry, "names" | "list" | "accessOf" | "call">;

export interface LoadedSurface {
  registry: AnyRegistry;
  /** The same operations as methods of their own, beside MCP's, where the surface has them. */
  bare?: AnyRegistry;
  /** Takes over a changed configuration for the calls that begin from now on. */
  reload(config: SurfaceConfig): void;
  /** How often a lock could not be had at once. */
  lockWaits(): number;
}

export async function loadSurface(config: Config, options: RegistryOptions): Promise<LoadedSurface> {
  const { surface } = config;
  switch (surface.kind) {
    case "roots":
      return await loadRoots(config, surface, options);
    case "flat":
      return await loadFlat(config, surface, options);
  }
}

async function loadRoots(
  config: Config,
  surface: RootsSurfaceConfig,
  options: RegistryOptions,
): Promise<LoadedSurface> {
  const { RootsSurface } = await import("../surfaces/roots/surface.ts");
  const locks = new Locks();
  const roots = new RootsSurface(config, surface, locks);
  return {
    registry: new Registry(roots, options),
    reload: (changed) => roots.reload(changed),
    lockWaits: () => locks.waits,
  };
}

async function loadFlat(
  config: Config,
  surface: FlatSurfaceConfig,
  options: RegistryOptions,
): Promise<LoadedSurface> {
  const { FlatSurface } = await import("../surfaces/flat/surface.ts");
  const { FlatFolder } = await import("../surfaces/flat/folder.ts");
  const { FlatOperations } = await import("../surfaces/flat/rest_face.ts");
  const locks = new Locks();
  const folder = new FlatFolder({ directory: surface.dir, maxBytes: config.maxSize });
  const flat = new FlatSurface(config, { folder, locks });
  return {
    registry: new Registry(flat, options),
    bare: new Registry(new FlatOperations(config, { folder, locks }), options),
    reload: (changed) => flat.reload(changed),
    lockWaits: () => locks.waits,
  };
}
