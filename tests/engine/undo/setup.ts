/** The roots surface on a temporary folder with an undo store beside it, called through a registry. */
import type { Config, RootConfig, UndoSettings } from "../../../src/base/config.ts";
import type { ToolCall } from "../../../src/tools/tool.ts";
import { nativePath } from "../../support/engine.ts";
import { type TempFolder, tempFolder } from "../../support/temp.ts";
import { type Calling, root, rootsSurface } from "../../surfaces/roots/setup.ts";

export interface UndoSetup extends AsyncDisposable {
  /** The folder that holds both. */
  readonly base: TempFolder;
  /** Absolute paths. */
  readonly root: string;
  readonly store: string;
  /** The structured answer; a failed call throws its text. */
  // deno-lint-ignore no-explicit-any
  call(tool: string, args: Record<string, unknown>, how?: Partial<ToolCall>): Promise<any>;
  /** The text of a failed call. */
  refusal(tool: string, args: Record<string, unknown>, how?: Partial<ToolCall>): Promise<string>;
  /** Another server on the same root and store. */
  another(settings?: Partial<UndoSettings>): Calling;
  read(path: string): string;
  write(path: string, content: string | Uint8Array): void;
  exists(path: string): boolean;
  close(): Promise<void>;
}

export function undoSettings(store: string, settings: Partial<UndoSettings> = {}): UndoSettings {
  const usual = {
    keepDays: 30,
    maxBytes: 1024 ** 3,
    maxChangeBytes: 200 * 1024 ** 2,
    exclude: [],
    required: false,
  };
  return { ...usual, ...settings, store: nativePath(settings.store ?? store) };
}

export interface SetupOptions extends Partial<UndoSettings> {
  config?: Partial<Config>;
  inMemory?: boolean;
  /** Other roots beside "r". */
  roots?: readonly RootConfig[];
}

export function undoSetup(
  { config = {}, roots = [], inMemory = false, ...settings }: SetupOptions = {},
): UndoSetup {
  const base = tempFolder({ inMemory });
  Deno.mkdirSync(`${base.path}/root`);
  const rootPath = nativePath(`${base.path}/root`);
  const store = nativePath(settings.store ?? `${base.path}/store`);
  const start = (more: Partial<UndoSettings> = {}) =>
    rootsSurface(
      [{ ...root("r", rootPath), undo: undoSettings(store, { ...settings, ...more }) }, ...roots],
      config,
    );
  const own = start();
  const all = [own];
  const SESSION = "test-session";
  return {
    base,
    root: rootPath,
    store,
    call: async (tool, args, how = {}) => {
      const result = await own.call(tool, args, { session: SESSION, client: "tester", ...how });
      if (result.isError) throw new Error(`${tool}: ${result.content[0].text}`);
      return result.structuredContent;
    },
    refusal: async (tool, args, how = {}) => {
      const result = await own.call(tool, args, { session: SESSION, client: "tester", ...how });
      if (!result.isError) throw new Error(`${tool} was not refused: ${result.content[0].text}`);
      return result.content[0].text;
    },
    another: (more) => {
      const calling = start(more);
      all.push(calling);
      return calling;
    },
    read: (path) => Deno.readTextFileSync(`${rootPath}/${path}`),
    write: (path, content) => void base.write(`root/${path}`, content),
    exists: (path) => {
      try {
        return Deno.lstatSync(`${rootPath}/${path}`) !== undefined;
      } catch {
        return false;
      }
    },
    close: async () => {
      for (const { surface } of all) await surface.close();
    },
    async [Symbol.asyncDispose]() {
      for (const { surface } of all) await surface.close();
      base[Symbol.dispose]();
    },
  };
}
