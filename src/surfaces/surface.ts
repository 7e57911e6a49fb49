/** The server's view of a surface: its tools, how to host them, and how to reload its configuration. */
import type { SurfaceConfig } from "../base/config.ts";
import type { ToolHost } from "../tools/registry.ts";

export interface Surface<C> extends ToolHost<C> {
  /** Applies a changed configuration to the calls that begin from now on. */
  reload(config: SurfaceConfig): void;
}
