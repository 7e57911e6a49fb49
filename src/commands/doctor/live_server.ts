/**
 * A server to examine: the Worker that `paddock` serves from, started by the same code with the same
 * permissions and tools, without a transport. So the doctor needs no permission to start a program, which an
 * executable may lack.
 */
import type { Config } from "../../base/config.ts";
import type { KernelPlan } from "../../base/kernel.ts";
import { Metrics } from "../../base/metrics.ts";
import { Stats } from "../../base/stats.ts";
import { hostFacts } from "../../cli/host_facts.ts";
import type { FenceReport, FenceTask } from "../../sandbox/fence_probe.ts";
import { type Guarded, kernelPlanFor, startWorker } from "../../sandbox/host.ts";
import {
  kernelRulesFor,
  type ProgramFiles,
  searchRulesFor,
  toolRulesFor,
} from "../../sandbox/kernel/rules.ts";
import type { Start, ToWorker } from "../../sandbox/messages.ts";
import { permissionsFor, toolPermissionsFor } from "../../sandbox/plan.ts";

export interface Listed {
  readonly name: string;
  readonly inputSchema: Record<string, unknown>;
  readonly annotations: { readonly readOnlyHint: boolean };
}

export interface Answer {
  readonly text: string;
  readonly failed: boolean;
  /** The whole answer, to search for what must not be in it. */
  readonly whole: string;
  /** The error's code, if it failed. Only right if one call is made after the other. */
  readonly code: string | undefined;
}

export interface LiveServer extends AsyncDisposable {
  list(): Promise<readonly Listed[]>;
  call(tool: string, args: Record<string, unknown>, client?: string): Promise<Answer>;
  probeFence(task: FenceTask): Promise<FenceReport>;
}

/** Starts a Worker and sends it its first message; tests use a variant. */
export type WorkerStarter = (first: ToWorker, options: Parameters<typeof startWorker>[1]) => Guarded;

export interface LiveServerOptions {
  note: (text: string) => void;
  programFiles: ProgramFiles | undefined;
  start?: WorkerStarter;
}

/** How long a call may wait, also for a lock: the doctor waits for one that it holds itself. */
const TIMEOUT_MS = 2_000;

export function trialConfig(field: string): Config {
  return {
    surface: {
      kind: "roots",
      roots: [{ name: "field", path: field, allowedTools: ["*"], protectGit: true }],
      maxFullReadSize: 1_048_576,
    },
    transport: { kind: "stdio" },
    maxSize: 10 * 1024 * 1024,
    timeoutMs: TIMEOUT_MS,
    readOnly: false,
    sandbox: true,
    logFormat: "json",
    logLevel: "error", // refusals are expected here
    callLogLevel: "debug",
    configPath: undefined,
    host: hostFacts(),
  };
}

export async function startTools(
  config: Config,
  { note, programFiles, start = startWorker }: LiveServerOptions,
): Promise<LiveServer> {
  const { RemoteTools } = await import("../../runtime/remote_tools.ts");
  const { port1, port2 } = new MessageChannel();
  const inWorker = { fence: "worker", programFiles } as const;
  const kernel = kernelPlanFor(inWorker, (files) => toolRulesFor(config, files));
  const worker = start({ type: "start-tools", start: startOf(config, kernel), port: port2 }, {
    permissions: toolPermissionsFor(config),
    searchKernel: kernelPlanFor(inWorker, (files) => searchRulesFor(config, files)),
    report: note,
    transfer: [port2],
  });
  const outcome = await Promise.race([worker.listening, worker.exit]);
  if (typeof outcome === "number") throw new Error(`the server ended with exit code ${outcome}`);
  const metrics = new Metrics();
  let code: string | undefined;
  metrics.onRecord = (record) => code = record.code; // it comes before the answer
  const remote = new RemoteTools(port1, { stats: new Stats(), metrics });
  const ended = worker.exit.then((code) => {
    throw new Error(`the server ended with exit code ${code}`);
  });
  ended.catch(() => {}); // reported by the call that awaits an answer
  return {
    list: async () => await remote.tools.list() as readonly Listed[],
    call: async (tool, args, client = "doctor") => {
      const call = { requestId: 1, client, signal: new AbortController().signal };
      const result = await Promise.race([remote.tools.call(tool, args, call), ended]);
      return { ...answerOf(result), code };
    },
    probeFence: (task) => {
      const { port1: here, port2: there } = new MessageChannel();
      const report = new Promise<FenceReport>((resolve) => {
        here.onmessage = ({ data }: MessageEvent<FenceReport>) => resolve(data);
        worker.send({ type: "probe-fence", task, port: there }, [there]);
      });
      return Promise.race([report, ended]).finally(() => here.close());
    },
    async [Symbol.asyncDispose]() {
      await Promise.race([remote.retire(), worker.exit]); // a crashed one never answers
      await worker.exit;
    },
  };
}

/** The whole server on a local address; the returned function stops it. */
export async function startHttp(
  config: Config,
  { note, programFiles, start = startWorker }: LiveServerOptions,
): Promise<() => Promise<void>> {
  const inWorker = { fence: "worker", programFiles } as const;
  const kernel = kernelPlanFor(inWorker, (files) => kernelRulesFor(config, files));
  const worker = start({ type: "start", start: startOf(config, kernel) }, {
    permissions: permissionsFor(config),
    searchKernel: kernelPlanFor(inWorker, (files) => searchRulesFor(config, files)),
    report: note,
  });
  const outcome = await Promise.race([worker.listening, worker.exit]);
  if (typeof outcome === "number") throw new Error(`the server ended with exit code ${outcome}`);
  return async () => {
    worker.send({ type: "stop", reason: "examined" });
    await worker.exit;
  };
}

function startOf(config: Config, kernel: KernelPlan): Start {
  const facts = { begunAt: performance.timeOrigin, counts: Stats.memory(), watched: true };
  const kernelRequired = config.requireKernelFence === true;
  return {
    config,
    fence: "worker",
    kernel,
    kernelRequired,
    fenced: true,
    ...facts,
    stdin: false,
    stdout: false,
  };
}

function answerOf(result: unknown): Omit<Answer, "code"> {
  const { content = [], isError = false } = (result ?? {}) as {
    content?: { text: string }[];
    isError?: boolean;
  };
  return {
    text: content.map(({ text }) => text).join(""),
    failed: isError || result === undefined,
    whole: JSON.stringify(result) ?? "",
  };
}
