/** The generated lists, compared with what the loaded tools list themselves. */
import { assert, assertEquals } from "@std/assert";
import type { Config, SurfaceConfig } from "../../src/base/config.ts";
import { createLogger } from "../../src/base/log.ts";
import { Metrics } from "../../src/base/metrics.ts";
import { Stats } from "../../src/base/stats.ts";
import { loadSurface } from "../../src/runtime/surfaces.ts";
import { listedTools } from "../../src/surfaces/listed/mod.ts";
import { undoSettings } from "../engine/undo/setup.ts";
import { tempFolder } from "../support/temp.ts";
import { root, surfaceConfig } from "./roots/setup.ts";

function configOf(surface: SurfaceConfig, more: Partial<Config> = {}): Config {
  return {
    surface,
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
    ...more,
  };
}

const CASES: [name: string, config: (folder: string) => Config, atLeast: number][] = [
  ["roots", (path) => configOf(surfaceConfig([root("r", path)])), 15],
  ["roots with undo", (path) => {
    const undo = undoSettings(`${path}/store`);
    return configOf(surfaceConfig([{ ...root("r", path), undo }]));
  }, 20],
  ["roots that allow little", (path) => {
    return configOf(surfaceConfig([root("r", path, ["read_file"]), root("s", path, ["grep", "write_file"])]));
  }, 4],
  ["roots, read-only", (path) => configOf(surfaceConfig([root("r", path)]), { readOnly: true }), 5],
  ["roots, some tools", (path) => {
    return configOf(surfaceConfig([root("r", path)]), { tools: ["read_file", "list_roots", "move"] });
  }, 3],
  ["classic", (path) => configOf({ kind: "classic", roots: [root("r", path)] }), 14],
  [
    "classic, read-only",
    (path) => configOf({ kind: "classic", roots: [root("r", path)] }, { readOnly: true }),
    10,
  ],
  ["flat", (dir) => configOf({ kind: "flat", dir }), 3],
  ["flat, read-only", (dir) => configOf({ kind: "flat", dir }, { readOnly: true }), 2],
  ["workspaces", (dir) => configOf({ kind: "workspaces", dir, toolNames: "plain" }), 14],
  [
    "workspaces by names with slashes",
    (dir) => configOf({ kind: "workspaces", dir, toolNames: "slash" }),
    14,
  ],
  ["workspaces, some tools", (dir) => {
    const surface = { kind: "workspaces", dir, toolNames: "slash" } as const;
    return configOf(surface, { tools: ["fs_read_text_file", "fs/write_file"] });
  }, 2],
];

for (const [name, configFor, atLeast] of CASES) {
  Deno.test(`listedTools lists without loading the tools what they list themselves: ${name}`, async () => {
    using folder = tempFolder();
    const config = configFor(folder.path);
    const { registry, close } = await loadSurface(config, {
      log: createLogger({ level: "error", format: "text", write: () => {} }),
      stats: new Stats(),
      metrics: new Metrics(),
      timeoutMs: 1,
      callLogLevel: "info",
      tools: config.tools,
    });
    const listed = await listedTools(config);
    assertEquals(JSON.stringify(listed), JSON.stringify(registry.list()), "run deno task docs");
    assert(listed.length >= atLeast, `only ${listed.length} tools`);
    await close?.();
  });
}
