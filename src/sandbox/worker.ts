/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/** The entry of the Worker inside the fence: runs the server on main's word, and reports its exit code. */
import { type Fenced, heldBy, type Running, serve, serveTools } from "../runtime/compose.ts";
import { kernelFenceWords } from "../base/kernel.ts";
import { raiseKernelFence } from "./kernel/raise.ts";
import { type FromWorker, type Start, type ToWorker } from "./messages.ts";
import { fencesStanding, searchesUnlimited } from "./plan.ts";

/**
 * Deno says once that `request.signal` is aborted after an answer, where the setting of deno.json does not reach:
 * in an executable, and from a URL. Either way suits us, and standard error is for the lines of the log.
 */
const warn = console.warn;
console.warn = (...said: unknown[]) => {
  if (!String(said[0]).startsWith("Deno.serve: request.signal")) warn(...said);
};

let running: Promise<Running> | undefined;

const tell = (message: FromWorker, transfer: Transferable[] = []) => self.postMessage(message, transfer);

/** What to do when a search worker is lost, by the number it was asked for by. */
const onLost: (() => void)[] = [];
const onConsoleLost: ((why: string) => void)[] = [];

/**
 * Puts the kernel's fence up, before anything else is done but a look at what the directories are; undefined when it
 * is asked for and cannot stand.
 */
function fenced({ config, fence, kernel, kernelRequired }: Start): Fenced | undefined {
  const held = heldBy(config); // one that is replaced from here on is known to be another, whichever has the rule
  const raised = raiseKernelFence(kernel);
  if (kernelRequired && "missing" in raised.fence) {
    const why = config.requireKernelFence ? "--require-kernel-fence: " : "";
    tell({ type: "exit", code: 1, reason: `${why}${kernelFenceWords(raised.fence)}` });
    return undefined;
  }
  if ("abi" in raised.fence) tell({ type: "kernel-fence-stands" });
  const unlimited = searchesUnlimited(raised.fence);
  return {
    fences: fencesStanding(fence, raised.fence),
    kernelCalls: raised.calls,
    spawnSearcher: (port, lost) => {
      const id = onLost.push(lost) - 1;
      tell({ type: "spawn-searcher", id, port, unlimited }, [port]);
    },
    spawnConsole: (role, port, lost) => {
      const id = onConsoleLost.push(lost) - 1;
      tell({ type: "spawn-console", id, role, port }, [port]);
    },
    held,
    reopen: () => tell({ type: "reopen" }),
  };
}

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  switch (data.type) {
    case "start": {
      const within = fenced(data.start);
      if (within === undefined) return;
      running = serve(data.start, within);
      const { listening, loaded, exit } = await running;
      listening.then(() => tell({ type: "listening" }));
      loaded.then(() => tell({ type: "loaded" }));
      return exit.then((code) => tell({ type: "exit", code }));
    }
    case "start-tools": {
      const within = fenced(data.start);
      if (within === undefined) return;
      const { exit } = await serveTools(data.start, { port: data.port, ...within });
      tell({ type: "listening" });
      return exit.then((code) => tell({ type: "exit", code }));
    }
    case "stop":
      return (await running)?.stop(data.reason);
    case "reload":
      return await (await running)?.reload(data.config);
    case "searcher-lost":
      return onLost[data.id]?.();
    case "console-address":
      return await (await running)?.newConsoleAddress?.();
    case "console-lost":
      return onConsoleLost[data.id]?.(data.why);
    case "use-tools":
      return await (await running)?.useTools(data.config, data);
    case "probe-fence": {
      const { probeFence } = await import("./fence_probe.ts");
      return data.port.postMessage(await probeFence(data.task));
    }
  }
};
