/** What the server sees of a surface: its tools and how to host them, a text for clients, and a new config. */
import { type SurfaceConfig } from "../base/config.ts";
import { type ToolHost } from "../tools/registry.ts";

export interface Surface<C> extends ToolHost<C> {
  /** Told to clients when they connect. */
  readonly instructions: string;
  /** What the start line says of it. */
  startFields(): Record<string, unknown>;
  /** Takes over a changed configuration for the calls that begin from now on. */
  reload(config: SurfaceConfig): void;
}
