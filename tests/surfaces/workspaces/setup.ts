/** The workspaces surface without a process around it: on a temporary folder, called through a registry. */
import { assert, assertEquals } from "@std/assert";
import type { Config, WorkspacesSurfaceConfig } from "../../../src/base/config.ts";
import { createLogger } from "../../../src/base/log.ts";
import { Stats } from "../../../src/base/stats.ts";
import { WorkspacesSurface } from "../../../src/surfaces/workspaces/surface.ts";
import { Registry } from "../../../src/tools/registry.ts";
import type { ToolResult } from "../../../src/tools/tool.ts";

export interface Calling {
  surface: WorkspacesSurface;
  registry: Registry<ReturnType<WorkspacesSurface["contextFor"]>>;
  call(tool: string, args: Record<string, unknown>): Promise<ToolResult>;
  /** The result of a call that must succeed. */
  // deno-lint-ignore no-explicit-any
  value(tool: string, args: Record<string, unknown>): Promise<any>;
  /** The error of a call that must fail. */
  failure(tool: string, args: Record<string, unknown>): Promise<{ code: string; message: string }>;
}

export function workspacesSurface(dir: string, settings: Partial<Config> = {}): Calling {
  const surfaceSettings: WorkspacesSurfaceConfig = { kind: "workspaces", dir, toolNames: "plain" };
  const config: Config = {
    surface: surfaceSettings,
    transport: { kind: "stdio" },
    maxSize: 1_000_000,
    timeoutMs: 10_000,
    readOnly: false,
    sandbox: true,
    logFormat: "text",
    logLevel: "error",
    callLogLevel: "debug",
    configPath: undefined,
    host: { users: [], groups: [], umask: 0o022 },
    ...settings,
  };
  const surface = new WorkspacesSurface(config, surfaceSettings);
  const registry = new Registry(surface, {
    log: createLogger({ level: "error", format: "text", write: () => {} }),
    stats: new Stats(),
    timeoutMs: config.timeoutMs,
    callLogLevel: "debug",
  });
  const call = async (tool: string, args: Record<string, unknown>) => {
    const { signal } = new AbortController();
    const result = await registry.call(tool, args, { signal, requestId: 1, client: "unit" });
    if (result === undefined) throw new Error(`no such tool: ${tool}`);
    return result;
  };
  return {
    surface,
    registry,
    call,
    value: async (tool, args) => {
      const { structuredContent, isError, content } = await call(tool, args);
      assert(!isError, content[0].text);
      return structuredContent;
    },
    failure: async (tool, args) => {
      const { structuredContent, isError, content } = await call(tool, args);
      assertEquals([isError, structuredContent], [true, undefined]);
      return JSON.parse(content[0].text);
    },
  };
}
