/**
 * The wiring: turns a resolved configuration into a running server. The Worker inside the fence runs it, or
 * the process itself if it was started with narrow permissions.
 */
import { ByteBudget } from "../base/byte_budget.ts";
import {
  type Config,
  directoriesOf,
  type HttpConfig,
  recordedIn,
  undoDirectoriesOf,
} from "../base/config.ts";
import { ReopeningError } from "../base/errors.ts";
import type { KernelCalls } from "../base/kernel.ts";
import { createLogger, type LogFields, type Logger } from "../base/log.ts";
import { Metrics } from "../base/metrics.ts";
import type { SpawnConsole, SpawnSearcher } from "../base/spawn.ts";
import { Stats } from "../base/stats.ts";
import { LogSink, stderrLook, stderrWith } from "../base/stderr_sink.ts";
import { within } from "../base/within.ts";
import { HeldDirectories } from "../confine/held_directories.ts";
import { keepKernelCalls, kernelCalls } from "../confine/kernel_calls.ts";
import { watchNames } from "../confine/name_changes.ts";
import type { Start, ToolsReason } from "../sandbox/messages.ts";
import { BudgetedTools } from "../server/budgeted_tools.ts";
import { type Listener, RunLoop } from "../server/lifecycle.ts";
import type { BareMethods, Tools } from "../server/methods.ts";
import { Notices } from "../server/notices.ts";
import { BARE_METHODS, hasResources, INSTRUCTIONS } from "../surfaces/instructions.ts";
import { banner, urlOf } from "../transports/http/banner.ts";
import type { Visitor } from "../transports/http/visitors.ts";
import type { WritableBytes } from "../transports/line_writer.ts";
import { QuickInput } from "../transports/quick_input.ts";
import { StdioListener } from "../transports/stdio_listener.ts"; // imported eagerly: a client is waiting
import { Announcements } from "./announcements.ts";
import { PatientTools } from "./patient_tools.ts";
import type { ServerConsole } from "./server_console.ts";
import { type FencedParts, LocalTools, surfaceFields, type ToolHolder } from "./tool_holder.ts";

/** A running server, as seen from outside. */
export interface Running {
  /** Resolves with the exit code. */
  readonly exit: Promise<number>;
  /** Settles when the server can receive requests. */
  readonly listening: Promise<void>;
  /** Settles when everything is loaded. */
  readonly loaded: Promise<void>;
  stop(reason: string): void;
  /** Adopts a changed configuration, as far as the permissions of the current tools reach. */
  reload(config: Config): Promise<void>;
  /** Prints an address that opens the console, where there is one. */
  newConsoleAddress?(): Promise<void>;
  /** The same with the tools at the other end of the port, which have the permissions for it. */
  useTools(config: Config, tools: { port: MessagePort; reason: ToolsReason }): Promise<void>;
}

/** What a server inside its fences gets from whoever set them up. */
export interface Fenced {
  /** The fences in force, in words. */
  readonly fences: readonly string[];
  /** The system calls the thread has kept, if the kernel fence is in force. */
  readonly kernelCalls?: KernelCalls | undefined;
  /** Without it searches have no workers. */
  readonly spawnSearcher?: SpawnSearcher | undefined;
  /** Without it there is no console. */
  readonly spawnConsole?: SpawnConsole | undefined;
  /** Returns a function that collects this thread's garbage, if there is one. Must be called before any tool runs. */
  takeCollector?(): Promise<(() => void) | undefined>;
  /** The directories as they were before the kernel got rules for them. */
  readonly held?: HeldDirectories | undefined;
  /** Asks for new tools, with rules for the directories that are there now. */
  reopen?(): void;
}

/** The directories and undo stores, each of which gets a rule in the kernel fence. */
export function heldBy({ surface }: Config): HeldDirectories {
  return new HeldDirectories([...directoriesOf(surface), ...undoDirectoriesOf(surface)]);
}

export async function serve(start: Start, fenced: Fenced): Promise<Running> {
  const { config } = start;
  const { sink, log } = logOf(config);
  const counts = { stats: new Stats(start.counts), metrics: new Metrics() };
  const own = new LocalTools({ start, log, sink, ...counts, ...partsOf(start, fenced) });
  let holder: ToolHolder = own;
  let replaced = Promise.withResolvers<void>();
  const { kind } = config.surface;
  const budget = new ByteBudget();
  const budgeted = (tools: () => Tools) => {
    const patient = new PatientTools(tools, () => replaced.promise);
    return new BudgetedTools(patient, budget);
  };
  const notices = new Notices();
  const changed = (place: string) => notices.changed(place);
  watchNames(changed);
  const tools = budgeted(() => holder.tools);
  const resources = hasResources(config) ? budgeted(() => holder.resources) : undefined;
  const announcements = new Announcements(config, { notices, tools, resources });
  const { transport } = config;
  const webConsole = await consoleFor(config, { log, spawn: fenced.spawnConsole, ...counts });
  const listener = await createListener({
    start,
    console: webConsole,
    budget,
    tools,
    resources,
    notices,
    instructions: INSTRUCTIONS[kind],
    wantsRoots: kind === "classic",
    bare: { methods: BARE_METHODS[kind], tools: budgeted(() => holder.bare) },
    ...counts,
    log,
    lockWaits: () => holder.lockWaits(),
    fences: fenced.fences,
  });
  const newConsoleAddress = async () => {
    if (webConsole === undefined || listener.address === undefined) return;
    webConsole.connected = () => listener.visitors?.() ?? [];
    const url = await webConsole.newAddress(listener.address);
    await Deno.stdout.write(new TextEncoder().encode(`${url}\n`)).catch(() => {}); // nobody reads it
  };
  /** The console's address is printed before any other. */
  let announcing: Promise<void> | undefined;
  const announced = () => announcing ??= newConsoleAddress();
  const loop = new RunLoop({
    log,
    stats: counts.stats,
    toolNames: async () => {
      await announced();
      await listener.settled;
      const names = own.names(); // loads the list, for which the client is about to ask
      names.catch(() => {}); // reported below
      await listener.quiet;
      return await names;
    },
    startFields: () => startFields(start, { listener, fences: fenced.fences }),
    begunAt: start.begunAt,
    ...(kind === "flat" && { startTargetMs: FLAT_START_MS }),
  });
  if (transport.kind === "http") {
    loop.listening.then(async () => {
      own.warmUp().catch(() => {}); // the first call reports why
      await announced();
      if (config.logFormat === "text") sink.write(banner(transport));
      warnIfOpenToAll(transport, { listener, log });
    });
  }
  const letIn = (changed: Config) => {
    listener.reload?.(changed);
    webConsole?.reload(changed);
    if (changed.transport.kind === "http") warnIfOpenToAll(changed.transport, { listener, log });
  };
  return {
    exit: runToExitCode(loop, listener, async () => {
      await within(RETIRE_MS, holder.retire());
      await sink.close();
    }),
    listening: loop.listening,
    loaded: loop.loaded,
    stop: (reason) => loop.shutdown(reason),
    newConsoleAddress,
    reload: (config) =>
      announcements.around(config, async () => {
        letIn(config);
        await holder.reload(config);
      }),
    useTools: async (config, { port, reason }) => {
      const { RemoteTools } = await import("./remote_tools.ts");
      const before = holder;
      await announcements.around(config, () => {
        holder = new RemoteTools(port, { ...counts, changed });
        replaced.resolve();
        replaced = Promise.withResolvers();
        letIn(config);
        log.info(reason, { config: config.configPath, ...surfaceFields(config.surface) });
        return Promise.resolve();
      });
      await before.retire();
    },
  };
}

/**
 * Makes the kept system calls available to everything that runs here. The kernel's rules and the undo stores
 * each belong to one directory, not to whatever has its name.
 */
function partsOf(
  { config: { surface } }: Start,
  { fences, kernelCalls, spawnSearcher, held, takeCollector, reopen }: Fenced,
): FencedParts {
  keepKernelCalls(kernelCalls);
  const parts = { fences, spawnSearcher, takeCollector };
  const isBound = kernelCalls !== undefined || undoDirectoriesOf(surface).length > 0;
  if (!isBound || held === undefined || reopen === undefined) return parts;
  return {
    ...parts,
    beforeCall: refuseReplaced(() => held.areReplaced({ pinned: kernelCalls !== undefined }), reopen),
  };
}

/** How long to wait for new tools before asking again: perhaps they could not be started. */
const ASK_AGAIN_MS = 10_000;

/** Calls that come together are checked together: looking takes a tenth of a small call. */
const TOGETHER_MS = 1;

/** Tools whose directories were replaced cannot use the new ones. So this asks for new tools. */
function refuseReplaced(areReplaced: () => boolean, reopen: () => void): () => void {
  let [askedAt, lookedAt] = [-Infinity, -Infinity];
  return () => {
    const now = performance.now();
    if (now - lookedAt < TOGETHER_MS) return;
    if (!areReplaced()) return void (lookedAt = now);
    if (now - askedAt > ASK_AGAIN_MS) {
      askedAt = now;
      reopen();
    }
    throw new ReopeningError();
  };
}

/** What tools without a server of their own can reach. */
interface Reached extends Fenced {
  port: MessagePort;
}

/** Serves only the tools, to the server at the other end of the port, once they are loaded. */
export async function serveTools(
  start: Start,
  { port, ...fenced }: Reached,
): Promise<{ exit: Promise<number> }> {
  const { countsOver, offerTools } = await import("./remote_tools.ts");
  const { tellNamesOver } = await import("./far_names.ts");
  tellNamesOver(port);
  const { sink, log } = logOf(start.config);
  const holder = new LocalTools({ start, log, sink, ...countsOver(port), ...partsOf(start, fenced) });
  await holder.warmUp();
  return { exit: offerTools(port, holder).then(() => sink.close()).then(() => 0) };
}

function logOf(config: Config): { sink: LogSink; log: Logger } {
  const sink = new LogSink(stderrWith((descriptor) => kernelCalls()?.pipeRoom(descriptor)));
  const { logLevel: level, logFormat: format } = config;
  return {
    sink,
    log: createLogger({
      level,
      format,
      look: stderrLook(),
      write: (line, level) => sink.write(line, { urgent: level === "warn" || level === "error" }),
    }),
  };
}

async function consoleFor(
  config: Config,
  { spawn, log, metrics }: { spawn: SpawnConsole | undefined; log: Logger; metrics: Metrics },
): Promise<ServerConsole | undefined> {
  const { transport } = config;
  if (!config.console || transport.kind !== "http" || spawn === undefined) return undefined;
  const { ServerConsole } = await import("./server_console.ts");
  return new ServerConsole({ config, log, metrics, spawn }, transport);
}

/** How quickly the flat surface should start. */
const FLAT_START_MS = 100;

/** How long tools in another Worker may take to write their last log lines. */
const RETIRE_MS = 300;

const OPEN_TO_ALL =
  "anyone who can reach this address can use the server; set --auth-token-file or PADDOCK_TOKEN";

function warnIfOpenToAll(
  { token }: HttpConfig,
  { listener: { address }, log }: { listener: AnyListener; log: Logger },
): void {
  if (token !== undefined || address === undefined || isOfThisMachine(address.host)) return;
  log.warn("no_token", { address: urlOf(address), reason: OPEN_TO_ALL });
}

function isOfThisMachine(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

type Address = Pick<HttpConfig, "host" | "port">;

/** What all transports offer here, besides being listeners. */
interface AnyListener extends Listener {
  /** Settles when there is time for what the first answer does not need. */
  readonly settled: Promise<unknown>;
  /** Settles when there is time for what no client waits for. */
  readonly quiet?: Promise<unknown> | undefined;
  /** The address it listens on, if it has one. */
  readonly address?: Address | undefined;
  /** Adopts what a changed configuration says about who may connect. */
  reload?(config: Config): void;
  /** Who is connected. */
  visitors?(): Visitor[];
}

interface ListenerParts {
  start: Start;
  console: ServerConsole | undefined;
  budget: ByteBudget;
  tools: Tools;
  resources: Tools | undefined;
  notices: Notices;
  bare: BareMethods;
  instructions: string;
  wantsRoots: boolean;
  stats: Stats;
  metrics: Metrics;
  log: Logger;
  lockWaits: () => Promise<number>;
  fences: readonly string[];
}

async function createListener({ start, ...parts }: ListenerParts): Promise<AnyListener> {
  const { transport, maxSize, host } = start.config;
  if (transport.kind === "http") {
    const { HttpListener } = await import("../transports/http_listener.ts");
    const { connectionsFor } = await import("../transports/http/connections.ts");
    const limits = { maxConnections: connectionsFor(host.openFiles) };
    return new HttpListener({ ...parts, config: transport, maxBody: maxSize, limits });
  }
  return new StdioListener({
    ...parts,
    input: start.stdin ? new QuickInput(Deno.stdin) : undefined,
    output: start.stdout ? outputOf(start) : undefined,
    maxLine: maxSize,
  });
}

const STDOUT = 1;

function outputOf({ watched }: Start): WritableBytes {
  const write = (bytes: Uint8Array) => Deno.stdout.write(bytes);
  if (!watched) return { write };
  const calls = kernelCalls();
  if (calls?.sendNow(STDOUT, new Uint8Array(0)) !== undefined) return socketOutput(write, calls);
  calls?.widenPipe(STDOUT); // what fits needs no trip through the thread pool
  return {
    write,
    writeSync: (bytes) => Deno.stdout.writeSync(bytes),
    room: () => calls?.pipeRoom(STDOUT),
  };
}

/** Node starts servers with a socket as standard output: that says itself how much it takes. */
function socketOutput(write: WritableBytes["write"], { sendNow }: KernelCalls): WritableBytes {
  return {
    write,
    writeSync: (bytes) => {
      const sent = sendNow(STDOUT, bytes as Uint8Array<ArrayBuffer>);
      if (sent === undefined) throw new Deno.errors.WouldBlock();
      return sent;
    },
    room: () => Infinity,
  };
}

interface StartFacts {
  listener: AnyListener;
  fences: readonly string[];
}

function startFields({ config }: Start, { listener: { address }, fences }: StartFacts): LogFields {
  const { transport } = config;
  return {
    surface: config.surface.kind,
    transport: transport.kind,
    address: address === undefined ? undefined : urlOf(address),
    ...surfaceFields(config.surface),
    config: config.configPath,
    read_only: config.readOnly,
    undo: undoField(config.surface),
    fence: fences.join("; "),
  };
}

/** Whether changes can be undone, or why not; undefined where nobody asked for it. */
function undoField(surface: Config["surface"]): string | undefined {
  const states = new Set(
    recordedIn(surface).flatMap(({ undo }) => {
      if (undo === undefined) return [];
      return "store" in undo ? ["on"] : [`off: ${undo.off}`];
    }),
  );
  return states.size === 0 ? undefined : [...states].join("; ");
}

async function runToExitCode(loop: RunLoop, listener: Listener, close: () => Promise<void>): Promise<number> {
  try {
    await loop.run(listener);
    return 0;
  } catch {
    return 1; // the run loop has logged it
  } finally {
    await close();
  }
}
