/**
 * The classic surface: the tools of the official filesystem server by their names, arguments and answers, on the
 * engine and inside the fence of the other surfaces. docs/guides/classic.md lists what is different, and why.
 */
import {
  type ClassicSurfaceConfig,
  type Config,
  type SurfaceConfig,
  undoDirectoriesOf,
} from "../../base/config.ts";
import { PaddockError } from "../../base/errors.ts";
import type { LogFields } from "../../base/log.ts";
import { createRoots } from "../../engine/fence.ts";
import { Locks } from "../../engine/locks.ts";
import { TempSweeper } from "../../engine/temp_sweeper.ts";
import type { Tool, ToolCall, ToolResult } from "../../tools/tool.ts";
import { changingFor } from "../call_changing.ts";
import { isOffered } from "../offered.ts";
import type { Surface } from "../surface.ts";
import { UndoStores } from "../undo_stores.ts";
import { AllowedPaths, type Directory } from "./allowed_paths.ts";
import { narrowedTo } from "./client_roots.ts";
import type { ClassicContext } from "./context.ts";
import { recorded } from "./recorded.ts";
import { TOOLS } from "./tools/mod.ts";

export const CLASSIC_TOOLS: readonly Tool<ClassicContext>[] = TOOLS.map(recorded);

/** The arguments of any tool that name a path. */
const PATH_ARGUMENTS = ["path", "source", "destination"] as const;

/** Clients that come and go bring lists of their own; this many are remembered. */
const MOST_LISTS = 100;

export class ClassicSurface implements Surface<ClassicContext> {
  readonly tools = CLASSIC_TOOLS;
  readonly forPrograms = true; // the schemas are the official server's
  readonly #config: Config;
  readonly #locks: Locks;
  readonly #sweeper = new TempSweeper();
  readonly #stores: UndoStores;
  #surface: ClassicSurfaceConfig;
  #directories: readonly Directory[];
  /** Every list of client roots that was logged. */
  readonly #logged = new Set<string>();

  constructor(config: Config, surface: ClassicSurfaceConfig, { locks }: { locks?: Locks } = {}) {
    this.#config = config;
    this.#surface = surface;
    this.#directories = directoriesOf(surface);
    this.#locks = locks ?? new Locks();
    this.#stores = new UndoStores(undoRootsOf(this.#directories), config);
  }

  reload(config: SurfaceConfig): void {
    if (config.kind !== "classic") throw new TypeError(`cannot turn the classic surface into ${config.kind}`);
    this.#surface = config;
    this.#directories = directoriesOf(config);
    this.#stores.reload(undoRootsOf(this.#directories));
  }

  async close(): Promise<void> {
    await this.#stores.close();
  }

  offers(tool: Tool<ClassicContext>): boolean {
    return isOffered(tool, this.#config);
  }

  gate(tool: Tool<ClassicContext>): void {
    if (this.offers(tool)) return;
    throw new PaddockError("NOT_ALLOWED", `${tool.name} is not allowed: the server is read-only`);
  }

  contextFor(tool: Tool<ClassicContext>, call: ToolCall): ClassicContext {
    this.#stores.warmUp();
    const paths = this.#pathsFor(call);
    const changing = changingFor(call, {
      config: this.#config,
      locks: this.#locks,
      sweeper: this.#sweeper,
    });
    return {
      call,
      maxSize: this.#config.maxSize,
      changing,
      allowed: paths.listed,
      record: async ({ tool, summary }, roots) => {
        for (const root of roots) await this.#stores.recover(root, changing);
        const who = { client: call.client ?? null, session: call.session ?? null };
        return await this.#stores.recorder({ tool, summary, ...who });
      },
      settle: (roots) => this.#config.readOnly ? undefined : this.#stores.recoverHalfDone(roots, changing),
      resolve: (path, options = {}) => {
        const resolved = paths.resolve(path, { change: tool.access === "write", ...options });
        const { owner, absolute } = resolved;
        call.explain?.({ root: owner.name, attempted_path: path, resolved_path: absolute });
        return resolved;
      },
      rootsOf: (all) => {
        const names = all.flatMap((path) => {
          const absolute = paths.absolute(path);
          return absolute === undefined ? [] : paths.directoryOf(absolute)?.config.name ?? [];
        });
        return [...new Set(names)];
      },
    };
  }

  renderError({ message }: PaddockError): ToolResult {
    return { content: [{ type: "text", text: message }], isError: true };
  }

  logFields(given: unknown): LogFields {
    if (typeof given !== "object" || given === null) return {};
    const fields: LogFields = {};
    for (const key of PATH_ARGUMENTS) {
      const value = (given as Record<string, unknown>)[key];
      if (typeof value === "string") fields[key] = value.length > 1_000 ? `${value.slice(0, 1_000)}…` : value;
    }
    return fields;
  }

  /** What a client may use: all directories, or what its own roots leave of them. */
  #pathsFor(call: ToolCall): AllowedPaths {
    const { home } = this.#surface;
    const all = new AllowedPaths(this.#directories, { home });
    const { clientRoots } = call;
    if (clientRoots === undefined) return all;
    const narrowed = narrowedTo(clientRoots, {
      directories: this.#directories.map(({ config }) => config.path),
      absolute: (path) => all.absolute(path),
      resolve: (path) => all.resolve(path, {}),
    });
    if (narrowed !== undefined) return new AllowedPaths(this.#directories, { home, narrowed });
    this.#logOnce(clientRoots, call);
    return all;
  }

  #logOnce(roots: readonly string[], call: ToolCall): void {
    const key = JSON.stringify(roots);
    if (this.#logged.has(key) || this.#logged.size >= MOST_LISTS) return;
    this.#logged.add(key);
    call.tell?.("client_roots_ignored", {
      client: call.client,
      client_roots: roots.length,
      reason:
        "none of the client's roots is inside or around a served directory; all directories stay allowed",
    });
  }
}

function undoRootsOf(directories: readonly Directory[]) {
  return new Map(
    directories.map(({ config, confined }) => [config.name, { confined, undo: config.undo }] as const),
  );
}

function directoriesOf(surface: ClassicSurfaceConfig): Directory[] {
  const confined = createRoots(surface.roots.map((root) => ({
    name: root.name,
    path: root.path,
    git: root.protectGit ? "read-only" as const : "open" as const,
    closed: [...undoDirectoriesOf(surface).map((path) => ({ path })), ...surface.closed ?? []],
  })));
  return surface.roots.flatMap((config) => {
    const root = confined.get(config.name);
    return root === undefined ? [] : [{ config, confined: root }];
  });
}
