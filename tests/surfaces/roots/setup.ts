/** The roots surface without a process around it: on a temporary folder, called through a registry. */
import type { Config, RootConfig, RootsSurfaceConfig } from "../../../src/base/config.ts";
import { createLogger } from "../../../src/base/log.ts";
import { Stats } from "../../../src/base/stats.ts";
import { RootsSurface } from "../../../src/surfaces/roots/surface.ts";
import { Registry } from "../../../src/tools/registry.ts";
import type { ToolCall, ToolResult } from "../../../src/tools/tool.ts";
import { nativePath } from "../../support/engine.ts";

export function root(name: string, path: string, allowedTools: readonly string[] = ["*"]): RootConfig {
  return { name, path: nativePath(path), allowedTools, protectGit: true };
}

export function surfaceConfig(roots: readonly RootConfig[], maxFullReadSize = 1_000): RootsSurfaceConfig {
  return { kind: "roots", roots, maxFullReadSize };
}

export interface Calling {
  surface: RootsSurface;
  config: Config;
  call(tool: string, args: Record<string, unknown>, how?: Partial<ToolCall>): Promise<ToolResult>;
}

export function rootsSurface(roots: readonly RootConfig[], settings: Partial<Config> = {}): Calling {
  const surfaceSettings = surfaceConfig(roots);
  const config: Config = {
    surface: surfaceSettings,
    transport: { kind: "stdio" },
    maxSize: 1_000_000,
    timeoutMs: 10_000,
    readOnly: false,
    sandbox: true,
    logFormat: "text",
    logLevel: "error",
    callLogLevel: "info",
    configPath: undefined,
    host: { users: [], groups: [], umask: 0o022 },
    ...settings,
  };
  const surface = new RootsSurface(config, surfaceSettings);
  const registry = new Registry(surface, {
    log: createLogger({ level: "error", format: "text", write: () => {} }),
    stats: new Stats(),
    timeoutMs: config.timeoutMs,
    callLogLevel: "info",
  });
  return {
    surface,
    config,
    call: async (tool, args, how = {}) => {
      const { signal } = new AbortController();
      const result = await registry.call(tool, args, { signal, requestId: 1, client: undefined, ...how });
      if (result === undefined) throw new Error(`no such tool: ${tool}`);
      return result;
    },
  };
}
