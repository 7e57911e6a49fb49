/** The flat surface without a process around it: on a temporary folder, called through its two registries. */
import type { Config } from "../../../src/base/config.ts";
import { createLogger, type LogFields } from "../../../src/base/log.ts";
import { Stats } from "../../../src/base/stats.ts";
import { Locks } from "../../../src/engine/locks.ts";
import { FlatFolder } from "../../../src/surfaces/flat/folder.ts";
import { FlatOperations } from "../../../src/surfaces/flat/rest_face.ts";
import { FlatSurface } from "../../../src/surfaces/flat/surface.ts";
import { Registry } from "../../../src/tools/registry.ts";
import type { ToolResult } from "../../../src/tools/tool.ts";
import { type TempFolder, tempFolder } from "../../support/temp.ts";

type Arguments = Record<string, unknown>;

export interface FlatSetup extends TempFolder {
  readonly surface: FlatSurface;
  readonly operations: FlatOperations;
  readonly tools: Registry<never>;
  readonly bare: Registry<never>;
  readonly log: LogFields[];
  /** The text of a tool's answer. */
  tool(name: string, args?: Arguments): Promise<string>;
  /** The object that an operation answers with, whether result or error. */
  operation(name: string, args?: unknown): Promise<Arguments>;
}

export function flatSetup(settings: Partial<Config> = {}): FlatSetup {
  const folder = tempFolder();
  const config: Config = {
    surface: { kind: "flat", dir: folder.path },
    transport: { kind: "stdio" },
    maxSize: 1_000_000,
    timeoutMs: 10_000,
    readOnly: false,
    sandbox: true,
    logFormat: "json",
    logLevel: "debug",
    callLogLevel: "info",
    configPath: undefined,
    host: { users: [], groups: [], umask: 0o022 },
    ...settings,
  };
  const lines: LogFields[] = [];
  const log = createLogger({ level: "debug", format: "json", write: (line) => lines.push(JSON.parse(line)) });
  const parts = {
    folder: new FlatFolder({ directory: folder.path, maxBytes: config.maxSize }),
    locks: new Locks(),
  };
  const surface = new FlatSurface(config, parts);
  const operations = new FlatOperations(config, parts);
  const options = { log, stats: new Stats(), timeoutMs: config.timeoutMs, callLogLevel: "info" as const };
  const tools = new Registry(surface, options) as unknown as Registry<never>;
  const bare = new Registry(operations, options) as unknown as Registry<never>;
  const call = async (registry: Registry<never>, name: string, args: unknown): Promise<ToolResult> => {
    const { signal } = new AbortController();
    const result = await registry.call(name, args, { signal, requestId: 1, client: undefined });
    if (result === undefined) throw new Error(`no such tool: ${name}`);
    return result;
  };
  return {
    ...folder,
    surface,
    operations,
    tools,
    bare,
    log: lines,
    tool: async (name, args = {}) => (await call(tools, name, args)).content[0]?.text ?? "",
    operation: async (name, args = {}) => (await call(bare, name, args)).structuredContent ?? {},
  };
}

/** Makes a function of Deno fail with these codes, one after the other, and then work again. */
export function failing<K extends "renameSync" | "realPathSync" | "readDirSync" | "openSync">(
  name: K,
  ...codes: string[]
): Disposable & { readonly calls: number } {
  const original = Deno[name];
  let calls = 0;
  const replaced = (...args: unknown[]) => {
    const code = codes[calls++];
    if (code === undefined) return (original as (...args: unknown[]) => unknown)(...args);
    throw Object.assign(new Error(`${code}: the system said so, about /a/host/path`), { code });
  };
  Deno[name] = replaced as typeof original;
  return {
    get calls() {
      return calls;
    },
    [Symbol.dispose]() {
      Deno[name] = original;
    },
  };
}
