/** The console inside its fences: what each of its Workers runs. */
import { consoleDirectoriesOf, type ConsoleSources, type HttpConfig } from "../base/config.ts";
import type { KernelCalls, KernelFence } from "../base/kernel.ts";
import type { ConsoleRole, SpawnConsole } from "../base/spawn.ts";
import { createLogger } from "../base/log.ts";
import { LogSink, stderrLook } from "../base/stderr_sink.ts";
import { HeldDirectories } from "../confine/held_directories.ts";
import { keepKernelCalls } from "../confine/kernel_calls.ts";
import type { ConsoleLog } from "../sandbox/console_messages.ts";

export interface ConsoleParts {
  readonly sources: ConsoleSources;
  readonly port: MessagePort;
  readonly hold: (store: string) => Promise<void>;
  /** Sets up the kernel fence. */
  readonly raise: () => { fence: KernelFence; calls?: KernelCalls };
}

/** Answers at its end of the port, for as long as the thread lives. */
export async function serveConsole(
  role: ConsoleRole,
  { sources, port, hold, raise }: ConsoleParts,
): Promise<void> {
  const held = new HeldDirectories(consoleDirectoriesOf(sources).all); // before they get kernel rules
  const { fence, calls } = raise();
  keepKernelCalls(calls);
  const areReplaced = () => held.areReplaced({ pinned: "abi" in fence });
  const { serveHand, serveView } = await import("../console/serve.ts");
  if (role === "view") await serveView(port, sources, { hold, areReplaced });
  else await serveHand(port, sources, { areReplaced });
}

export interface Front {
  newToken(): Promise<void>;
  stop(): Promise<void>;
}

export interface FrontParts {
  readonly spawn: SpawnConsole;
  /** Called with every address that opens the page. */
  readonly opened: (url: string) => void;
  readonly ended: (code: number, reason?: string) => void;
}

/** A console that runs as a separate process: its address, and what is behind it. */
export async function startFront(
  { transport, log: { format, level }, openFiles }: {
    transport: HttpConfig;
    log: ConsoleLog;
    openFiles: number | undefined;
  },
  { spawn, opened, ended }: FrontParts,
): Promise<Front> {
  const { ConsoleFront } = await import("../console/front/front.ts");
  const { ConsoleListener } = await import("../console/front/listener.ts");
  const { consoleUrl } = await import("../console/front/address.ts");
  const sink = new LogSink();
  const log = createLogger({ level, format, look: stderrLook(), write: (line) => sink.write(line) });
  let port = transport.port;
  const front = new ConsoleFront({ gate: transport, port: () => port, spawn, log });
  const listener = new ConsoleListener({ config: transport, front, log, openFiles });
  const reportAddress = async () => opened(consoleUrl({ ...transport, port }, await front.newToken()));
  try {
    port = listener.open();
  } catch (error) {
    ended(1, (error as Error).message);
    return { newToken: () => Promise.resolve(), stop: () => Promise.resolve() };
  }
  await reportAddress();
  front.warmUp();
  return {
    newToken: reportAddress,
    stop: async () => {
      front.close();
      await listener.close();
      await sink.close();
      ended(0);
    },
  };
}
