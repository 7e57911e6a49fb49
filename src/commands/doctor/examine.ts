/** Everything the doctor checks in one directory, in order. */
import { isGranted } from "../../cli/permissions.ts";
import { type Check, type Finding, finding } from "./finding.ts";
import { attackChecks, patternCheck } from "./attacks.ts";
import { fileSystemChecks, type HoldLock } from "./file_system.ts";
import { Ground } from "./ground.ts";
import { type LiveServer, startHttp, startTools, trialConfig, type WorkerStarter } from "./live_server.ts";
import { holdLock } from "./lock_process.ts";
import { webGuardCheck } from "./web_guard.ts";
import { writingChecks } from "./writing.ts";
import type { ProgramFiles } from "../../sandbox/kernel/rules.ts";

export interface Examination {
  /** Whether Workers can have permissions of their own here. */
  readonly workerOptions: boolean;
  /** What the runtime itself reads while the program runs. */
  readonly programFiles: ProgramFiles | undefined;
  readonly note: (text: string) => void;
  readonly signal?: AbortSignal;
  /** Tests replace these with faulty parts; nothing else can. */
  readonly start?: WorkerStarter;
  readonly holdLock?: HoldLock;
  /** Only the checks with these names. */
  readonly only?: readonly string[];
}

const NO_WORKER_OPTIONS = "cannot be set up: Deno was started without the settings in paddock's deno.json " +
  "(--unstable-worker-options)";

const NARROW = "a process with narrow permissions cannot start the server's Worker; run the doctor with -A";

/** Yields each finding as it is made. `directory` is real and absolute. */
export async function* examine(directory: string, options: Examination): AsyncGenerator<Finding> {
  let ground: Ground;
  try {
    ground = new Ground(directory);
  } catch (error) {
    yield finding("working folder", "failed", `cannot be created: ${messageOf(error)}`);
    return;
  }
  try {
    yield* runAll(fileSystemChecks(ground, options.holdLock ?? holdLock), options);
    if (!options.workerOptions) {
      yield finding("fence", "failed", NO_WORKER_OPTIONS);
      return;
    }
    if (!Deno.build.standalone && !isGranted({ name: "read" })) {
      yield finding("server", "skipped", NARROW);
      return;
    }
    yield* examineServer(ground, options);
  } catch (error) {
    yield finding("server", "failed", messageOf(error));
  } finally {
    ground[Symbol.dispose]();
  }
}

async function* examineServer(ground: Ground, options: Examination): AsyncGenerator<Finding> {
  const config = trialConfig(ground.field);
  await using server = await startTools(config, options);
  yield* runAll([
    fenceCheck(server, ground),
    kernelFenceCheck(server),
    ...writingChecks({ server, ground, holdLock: options.holdLock ?? holdLock }),
    ...attackChecks(server, ground),
    patternCheck(server, ground),
    webGuardCheck(config, (http) => startHttp(http, options)),
  ], options);
}

async function* runAll(checks: readonly Check[], { only, signal }: Examination): AsyncGenerator<Finding> {
  for (const { name, run } of checks) {
    if (signal?.aborted) return;
    if (only !== undefined && !only.includes(name)) continue;
    try {
      yield* await run();
    } catch (error) {
      yield finding(name, "failed", messageOf(error));
    }
  }
}

/** The kernel fence holds even when a folder is replaced by a link in the middle of a call. */
function kernelFenceCheck(server: LiveServer): Check {
  const name = "kernel fence";
  return {
    name,
    run: async () => {
      const { fences } = JSON.parse((await server.call("list_roots", {})).text) as { fences: string[] };
      const words = fences.find((words) => /kernel/.test(words)) ?? "not reported";
      return [finding(name, words.startsWith("kernel") ? "ok" : "warning", words)];
    },
  };
}

function fenceCheck(server: LiveServer, ground: Ground): Check {
  const name = "fence";
  return {
    name,
    run: async () => {
      const { tried, open, inside } = await server.probeFence({
        inside: `${ground.field}/ok.txt`,
        outside: `${ground.path}/outside`,
        program: Deno.execPath(),
      });
      ground.clear();
      if (open.length > 0) return [finding(name, "failed", `the server can ${open.join(", ")}`)];
      if (!inside) return [finding(name, "failed", "the server cannot read the files it serves")];
      return [finding(name, "ok", `${tried.length} ways out, each blocked by the permissions`)];
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
