/**
 * The flat surface: one folder of text files, three operations, three interfaces. Over MCP they are tools that
 * answer with text and count lines from 0; over REST and as bare JSON-RPC methods they answer with objects and
 * count from 1 (rest_face.ts). Behind all of them is one FlatFolder.
 */
import type { Config, SurfaceConfig } from "../../base/config.ts";
import { PaddockError } from "../../base/errors.ts";
import type { LogFields } from "../../base/log.ts";
import { LOCK_WAIT_MS, type Locks } from "../../engine/locks.ts";
import { TempSweeper } from "../../engine/temp_sweeper.ts";
import type { Tool, ToolCall, ToolResult } from "../../tools/tool.ts";
import { isOffered } from "../offered.ts";
import type { Surface } from "../surface.ts";
import type { FlatContext } from "./context.ts";
import type { FlatFolder } from "./folder.ts";
import * as definitions from "./tools/mod.ts";

export const FLAT_TOOLS: readonly Tool<FlatContext>[] = Object.values(definitions);

const LOCK_MARGIN_MS = 100;

/** What the interfaces share. */
export interface FlatParts {
  folder: FlatFolder;
  locks: Locks;
}

export class FlatSurface implements Surface<FlatContext> {
  readonly tools: readonly Tool<FlatContext>[] = FLAT_TOOLS;
  readonly #config: Config;
  readonly #folder: FlatFolder;
  readonly #locks: Locks;
  readonly #sweeper = new TempSweeper();

  constructor(config: Config, { folder, locks }: FlatParts) {
    this.#config = config;
    this.#folder = folder;
    this.#locks = locks;
  }

  reload(_config: SurfaceConfig): void {
    throw new TypeError("the flat surface has no config file");
  }

  offers(tool: Tool<FlatContext>): boolean {
    return isOffered(tool, this.#config);
  }

  gate(tool: Tool<FlatContext>): void {
    if (this.offers(tool)) return;
    throw new PaddockError("NOT_ALLOWED", `${tool.name} is not allowed: the server is read-only`);
  }

  contextFor(_tool: Tool<FlatContext>, call: ToolCall): FlatContext {
    return {
      call,
      folder: this.#folder,
      changing: {
        locks: this.#locks,
        sweeper: this.#sweeper,
        umask: this.#config.host.umask,
        signal: call.signal,
        // A little less than the call's time limit, so that the error says what it waited for.
        lockWaitMs: Math.min(this.#config.timeoutMs - LOCK_MARGIN_MS, LOCK_WAIT_MS),
      },
    };
  }

  renderError(error: PaddockError): ToolResult {
    return { content: [{ type: "text", text: `Error: ${error.message}` }], isError: true };
  }

  logFields(given: unknown): LogFields {
    const name = (given as { name?: unknown } | null | undefined)?.name;
    return typeof name === "string" ? { path: name.slice(0, 300) } : {};
  }
}
