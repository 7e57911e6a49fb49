/** Main's side of a console that runs as a separate process. */
import type { ConsoleSources, HttpConfig } from "../base/config.ts";
import type { ConsoleLog, ConsoleStart, FromConsole, ToConsole } from "./console_messages.ts";
import { ConsoleWorkers, startConsoleWorker } from "./console_workers.ts";
import { EXIT_CRASHED, kernelPlanFor } from "./host.ts";
import { consoleRulesFor, frontRulesFor, type ProgramFiles } from "./kernel/rules.ts";
import { frontPermissionsFor, withLibraries } from "./plan.ts";
import type { Signals } from "./process.ts";

export interface ConsoleHostOptions {
  readonly sources: () => ConsoleSources;
  readonly transport: HttpConfig;
  readonly log: ConsoleLog;
  readonly openFiles: number | undefined;
  readonly programFiles: ProgramFiles | undefined;
  readonly hold: (store: string) => Promise<void>;
  readonly signals: Signals;
  /** Called with every address that opens the page. */
  readonly onAddress: (url: string, fences: string) => void;
  readonly report: (message: string) => void;
  /** Calls `wanted` each time a person wants a new address. */
  readonly onEnter: (wanted: () => void) => void;
}

/** How long the front may take to end. */
const STOP_MS = 2_000;

/** Runs the console until it ends; returns the exit code. */
export async function hostConsole(options: ConsoleHostOptions): Promise<number> {
  const { sources, transport, log, openFiles, programFiles, hold, report, onAddress } = options;
  const inWorker = { fence: "worker", programFiles } as const;
  const workers = new ConsoleWorkers({
    sources,
    hold,
    kernel: (role, now) => kernelPlanFor(inWorker, (files) => consoleRulesFor(role, now, files)),
  });
  const kernel = kernelPlanFor(inWorker, (files) => frontRulesFor(transport, files));
  const permissions = frontPermissionsFor(transport);
  const front = startConsoleWorker("rules" in kernel ? withLibraries(permissions) : permissions, "front");
  const exit = Promise.withResolvers<number>();
  const send = (message: ToConsole) => front.postMessage(message);
  front.onmessage = ({ data }: MessageEvent<FromConsole>) => {
    switch (data.type) {
      case "spawn":
        return workers.start(data.role, data.port, (why) => send({ type: "lost", id: data.id, why }));
      case "address":
        return onAddress(data.url, data.fences);
      case "exit":
        if (data.reason !== undefined) report(`error: ${data.reason}`);
        return exit.resolve(data.code);
    }
  };
  front.onerror = (event) => {
    event.preventDefault();
    report(`error: the console crashed: ${event.message}`);
    exit.resolve(EXIT_CRASHED);
  };
  front.postMessage({ role: "front", transport, kernel, log, openFiles } satisfies ConsoleStart);
  options.signals.actOn({
    stop: () => {
      send({ type: "stop" });
      setTimeout(() => exit.resolve(0), STOP_MS);
    },
    reload: () => {},
  });
  options.onEnter(() => send({ type: "new-token" }));
  try {
    return await exit.promise;
  } finally {
    workers.end();
    front.terminate();
  }
}
