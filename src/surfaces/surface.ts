/** What the server sees of a surface: its tools, how to host them, and a new config. */
import { type SurfaceConfig } from "../base/config.ts";
import { type ToolHost } from "../tools/registry.ts";

export interface Surface<C> extends ToolHost<C> {
  /** Takes over a changed configuration for the calls that begin from now on. */
  reload(config: SurfaceConfig): void;
}
