/**
 * The roots surface: named directories, each with its own list of allowed tools. A call names a root and a path
 * relative to it; the allowlist is checked first, then the path is resolved, and in nested roots the innermost
 * root's allowlist applies too.
 */
import {
  type Config,
  type RootConfig,
  type RootsSurfaceConfig,
  type SurfaceConfig,
  undoDirectoriesOf,
} from "../../base/config.ts";
import { PaddockError } from "../../base/errors.ts";
import type { LogFields } from "../../base/log.ts";
import { shown } from "../../base/shown.ts";
import {
  type ConfinedPath,
  type ConfinedRoot,
  createRoots,
  locateAbsolute,
  quote,
  resolvePath,
  rootsBelow,
} from "../../engine/fence.ts";
import { Locks } from "../../engine/locks.ts";
import { meantPath } from "../../engine/meant_path.ts";
import type { SearchPool } from "../../engine/search/crew/pool.ts";
import { TempSweeper } from "../../engine/temp_sweeper.ts";
import type { Tool, ToolCall, ToolResult } from "../../tools/tool.ts";
import { changingFor } from "../call_changing.ts";
import { isOffered, refusalOn } from "../offered.ts";
import type { Surface } from "../surface.ts";
import type { RootListing, RootsContext } from "./context.ts";
import { UndoStores } from "../undo_stores.ts";
import type { ResourcePlaces } from "../resource_places.ts";
import { recorded } from "./recorded.ts";
import * as definitions from "./tools/mod.ts";
import { readFile } from "./tools/read_file.ts";

export const ROOTS_TOOLS: readonly Tool<RootsContext>[] = Object.values(definitions).map(recorded);

/** The arguments of any tool that name a root, and a path in it. */
const ROOT_ARGUMENTS = ["root", "source_root", "dest_root"] as const;
const PATH_ARGUMENTS = ["path", "source_path", "dest_path"] as const;

interface Root {
  readonly config: RootConfig;
  readonly confined: ConfinedRoot;
}

/** What the surface shares with others, or gets from tests. */
export interface RootsParts {
  locks?: Locks | undefined;
  /** For searches that take long. */
  pool?: SearchPool | undefined;
  /** In words, the fences that are up. */
  fences?: readonly string[] | undefined;
}

export class RootsSurface implements Surface<RootsContext> {
  readonly tools = ROOTS_TOOLS;
  readonly #config: Config;
  readonly #locks: Locks;
  readonly #pool: SearchPool | undefined;
  readonly #fences: readonly string[];
  readonly #sweeper = new TempSweeper();
  readonly #stores: UndoStores;
  #surface: RootsSurfaceConfig;
  #roots: ReadonlyMap<string, Root>;

  constructor(config: Config, surface: RootsSurfaceConfig, { locks, pool, fences }: RootsParts = {}) {
    this.#config = config;
    this.#surface = surface;
    this.#roots = rootsOf(surface);
    this.#locks = locks ?? new Locks();
    this.#pool = pool;
    this.#fences = fences ?? [];
    this.#stores = new UndoStores(undoRootsOf(this.#roots), config);
  }

  reload(config: SurfaceConfig): void {
    if (config.kind !== "roots") throw new TypeError(`cannot turn the roots surface into ${config.kind}`);
    this.#surface = config;
    this.#roots = rootsOf(config);
    this.#stores.reload(undoRootsOf(this.#roots));
  }

  async close(): Promise<void> {
    await this.#stores.close();
  }

  offers(tool: Tool<RootsContext>): boolean {
    return isOffered(tool, { readOnly: this.#config.readOnly, surface: this.#surface });
  }

  gate(tool: Tool<RootsContext>, args: Record<string, unknown>): void {
    if (tool.access === "meta") return;
    for (const [i, key] of ROOT_ARGUMENTS.entries()) {
      const name = args[key];
      if (typeof name !== "string") continue;
      this.#gateRoot(tool, this.#find(name), { attempted_path: args[PATH_ARGUMENTS[i] ?? ""] });
    }
  }

  contextFor(tool: Tool<RootsContext>, call: ToolCall): RootsContext {
    const leftOut = new Set<string>();
    this.#stores.warmUp();
    const who = { client: call.client ?? null, session: call.session ?? null };
    const changing = changingFor(call, {
      config: this.#config,
      locks: this.#locks,
      sweeper: this.#sweeper,
    });
    return {
      call,
      maxFullReadSize: this.#surface.maxFullReadSize,
      maxSize: this.#config.maxSize,
      host: this.#config.host,
      changing,
      pool: this.#pool,
      stores: this.#stores,
      record: async ({ tool, summary }, roots) => {
        for (const root of roots) await this.#stores.recover(root, changing);
        return await this.#stores.recorder({ tool, summary, ...who });
      },
      settle: (roots) => this.#config.readOnly ? undefined : this.#stores.recoverHalfDone(roots, changing),
      undo: async (name) => {
        const { confined } = this.#find(name);
        const operations = await this.#stores.operations(name, { changing, ...who });
        return {
          operations,
          relativeOf: (path) =>
            resolvePath(confined, meantPath(confined, path), { follow: false, change: true }).relative,
        };
      },
      roots: () => this.#list(),
      fences: this.#fences,
      resolve: (name, path, options = {}) => {
        const change = tool.access === "write";
        const { confined } = this.#find(name);
        const resolved = resolvePath(confined, meantPath(confined, path), { change, ...options });
        this.#gateOwner(tool, resolved);
        call.explain?.({ root: resolved.owner.name, ...auditOf(resolved) });
        return resolved;
      },
      resolveAbsolute: (path) => {
        const { name, relative } = locateAbsolute(
          path,
          [...this.#roots.values()].map(({ confined }) => confined),
        );
        const root = this.#find(name);
        this.#gateRoot(tool, root, { attempted_path: path });
        const resolved = resolvePath(root.confined, relative, { change: tool.access === "write" });
        this.#gateOwner(tool, resolved);
        call.explain?.({ root: resolved.owner.name, ...auditOf(resolved) });
        return resolved;
      },
      mayEnter: (folder) => {
        const { name } = folder.owner;
        const isOpen = folder.owner === folder.root ||
          this.#refusal(tool, this.#find(name).config) === undefined;
        if (!isOpen) leftOut.add(name);
        return isOpen;
      },
      leftOut: () => [...leftOut].sort(), // workers come across them in any order
      gateBelow: (folder) => {
        for (const root of rootsBelow(folder)) this.#gateRoot(tool, this.#find(root.name), auditOf(folder));
      },
    };
  }

  /** What a call may read as resources: what read_file may read. */
  places(call: ToolCall): ResourcePlaces {
    const { maxFullReadSize, pool, resolve } = this.contextFor(readFile, call);
    return {
      call,
      maxBytes: maxFullReadSize,
      timeoutMs: this.#config.timeoutMs,
      pool,
      names: () =>
        [...this.#roots.values()].flatMap(({ config }) =>
          this.#refusal(readFile, config) === undefined ? [config.name] : []
        ),
      resolve: (root, path, options) => {
        this.#gateRoot(readFile, this.#find(root), { attempted_path: path });
        return resolve(root, path, options);
      },
    };
  }

  renderError(error: PaddockError, given: unknown): ToolResult {
    const fields = this.logFields(given);
    const { message } = error;
    const isNamed = PATH_ARGUMENTS.some((key) => names(message, fields[key]));
    const where = ROOT_ARGUMENTS.flatMap((key, i) => {
      const root = fields[key];
      if (typeof root !== "string" || !this.#roots.has(root)) return [];
      const path = fields[PATH_ARGUMENTS[i] ?? ""];
      const shown = isNamed || typeof path !== "string" ? [] : [`${PATH_ARGUMENTS[i]}: ${quote(path)}`];
      return [`${key}: ${root}`, ...shown];
    });
    const text = where.length === 0 ? message : `${message} (${where.join(", ")})`;
    return { content: [{ type: "text", text }], isError: true };
  }

  logFields(given: unknown): LogFields {
    if (typeof given !== "object" || given === null) return {};
    const fields: LogFields = {};
    for (const key of [...ROOT_ARGUMENTS, ...PATH_ARGUMENTS]) {
      const value = (given as Record<string, unknown>)[key];
      if (typeof value === "string") fields[key] = value.length > 1_000 ? `${value.slice(0, 1_000)}…` : value;
    }
    return fields;
  }

  #list(): RootListing[] {
    return [...this.#roots.values()].map(({ config }) => ({
      name: config.name,
      allowed_tools: this.tools.filter((tool) =>
        this.#refusal(tool, config) === undefined && tool.access !== "meta" &&
        (!tool.needsUndo || this.#stores.isOnFor(config.name))
      )
        .map((tool) => tool.name),
      ...this.#stores.describe(config.name),
    }));
  }

  #find(name: string): Root {
    const root = this.#roots.get(name);
    if (root !== undefined) return root;
    const known = [...this.#roots.keys()].join(", ");
    throw new PaddockError("NOT_FOUND", `unknown root: ${name.slice(0, 100)}; known roots: ${known}`, {
      data: { argument: "root" },
    });
  }

  #gateRoot(tool: Tool<RootsContext>, root: Root, audit: Record<string, unknown>): void {
    const refusal = this.#refusal(tool, root.config);
    if (refusal !== undefined) {
      throw new PaddockError("NOT_ALLOWED", refusal, { audit: { root: root.config.name, ...audit } });
    }
  }

  #refusal(tool: Tool<RootsContext>, root: RootConfig): string | undefined {
    return refusalOn(root, tool, this.#config.readOnly);
  }

  /** A path inside a nested root obeys that one's allowlist too. */
  #gateOwner(tool: Tool<RootsContext>, path: ConfinedPath): void {
    if (path.owner === path.root || tool.access === "meta") return;
    this.#gateRoot(tool, this.#find(path.owner.name), auditOf(path));
  }
}

function undoRootsOf(roots: ReadonlyMap<string, Root>) {
  return new Map([...roots].map(([name, { config, confined }]) => [name, { confined, undo: config.undo }]));
}

/** Whether a message already names a path. */
function names(message: string, path: unknown): boolean {
  return typeof path === "string" && (message.includes(quote(path)) || message.includes(`: ${shown(path)}`));
}

function auditOf(path: ConfinedPath): Record<string, unknown> {
  return { attempted_path: path.given, resolved_path: path.absolute };
}

function rootsOf(surface: RootsSurfaceConfig): ReadonlyMap<string, Root> {
  const confined = createRoots(surface.roots.map((root) => ({
    name: root.name,
    path: root.path,
    aliases: root.aliases,
    anyCase: root.anyCase,
    git: root.protectGit ? "read-only" as const : "open" as const,
    closed: [...undoDirectoriesOf(surface).map((path) => ({ path })), ...surface.closed ?? []],
  })));
  const pairs = surface.roots.flatMap((config): [string, Root][] => {
    const root = confined.get(config.name);
    return root === undefined ? [] : [[config.name, { config, confined: root }]];
  });
  return new Map(pairs);
}
