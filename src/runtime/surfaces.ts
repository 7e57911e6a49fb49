/** Which surface a configuration asks for, with its tools in a registry. Loaded after the first answer. */
import { type Config, type SurfaceConfig } from "../base/config.ts";
import { Locks } from "../engine/locks.ts";
import { RootsSurface } from "../surfaces/roots/surface.ts";
import { Registry, type RegistryOptions } from "../tools/registry.ts";

export interface LoadedSurface {
  registry: Pick<Registry, "names" | "list" | "accessOf" | "call">;
  /** Takes over a changed configuration for the calls that begin from now on. */
  reload(config: SurfaceConfig): void;
  /** How often a lock could not be had at once. */
  lockWaits(): number;
}

export function loadSurface(config: Config, options: RegistryOptions): LoadedSurface {
  const { surface } = config;
  if (surface.kind !== "roots") throw new TypeError(`no such surface: ${surface.kind}`);
  const locks = new Locks();
  const roots = new RootsSurface(config, surface, locks);
  return {
    registry: new Registry(roots, options),
    reload: (changed) => roots.reload(changed),
    lockWaits: () => locks.waits,
  };
}
