/** Which surface a configuration asks for, with its tools in a registry. Loaded after the first answer. */
import { type Config, type SurfaceConfig } from "../base/config.ts";
import { RootsSurface } from "../surfaces/roots/surface.ts";
import { Registry, type RegistryOptions } from "../tools/registry.ts";

export interface LoadedSurface {
  registry: Pick<Registry, "names" | "list" | "accessOf" | "call">;
  /** Takes over a changed configuration for the calls that begin from now on. */
  reload(config: SurfaceConfig): void;
}

export function loadSurface(config: Config, options: RegistryOptions): LoadedSurface {
  const { surface } = config;
  if (surface.kind !== "roots") throw new TypeError(`no such surface: ${surface.kind}`);
  const roots = new RootsSurface(config, surface);
  return { registry: new Registry(roots, options), reload: (changed) => roots.reload(changed) };
}
