/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/**
 * The entry point of the Worker inside the fence: runs the server when main says so, and reports its exit
 * code.
 */
import { type Fenced, heldBy, type Running, serve, serveTools } from "../runtime/compose.ts";
import { kernelFenceWords } from "../base/kernel.ts";
import { takeCollector } from "./collector.ts";
import { raiseKernelFence } from "./kernel/raise.ts";
import type { FromWorker, Start, ToWorker } from "./messages.ts";
import { fencesStanding, searchesUnlimited } from "./plan.ts";
import { post } from "./post.ts";

/**
 * Deno warns once that `request.signal` is aborted after an answer, where the setting in deno.json does not
 * apply: in an executable, and from a URL. We can handle both, and standard error is for log lines.
 */
const warn = console.warn;
console.warn = (...parts: unknown[]) => {
  if (!String(parts[0]).startsWith("Deno.serve: request.signal")) warn(...parts);
};

let running: Promise<Running | undefined> | undefined;

const send = (message: FromWorker, transfer?: Transferable[]) => post(self, message, transfer);

/** Callbacks for lost search workers, by request number. */
const onLost: (() => void)[] = [];
const onConsoleLost: ((why: string) => void)[] = [];

/**
 * Sets up the kernel fence, before anything else but looking up the directories' identities; undefined when
 * it is required but cannot be set up.
 */
function fenced({ config, fence, kernel, kernelRequired }: Start): Fenced | undefined {
  const held = heldBy(config); // a directory replaced after this is noticed, whichever one got the rule
  const raised = raiseKernelFence(kernel);
  if (kernelRequired && "missing" in raised.fence) {
    const why = config.requireKernelFence ? "--require-kernel-fence: " : "";
    send({ type: "exit", code: 1, reason: `${why}${kernelFenceWords(raised.fence)}` });
    return undefined;
  }
  if ("abi" in raised.fence) send({ type: "kernel-fence-stands" });
  const unlimited = searchesUnlimited(raised.fence);
  return {
    fences: fencesStanding(fence, raised.fence),
    kernelCalls: raised.calls,
    spawnSearcher: (port, lost) => {
      const id = onLost.push(lost) - 1;
      send({ type: "spawn-searcher", id, port, unlimited }, [port]);
    },
    spawnConsole: (role, port, lost) => {
      const id = onConsoleLost.push(lost) - 1;
      send({ type: "spawn-console", id, role, port }, [port]);
    },
    held,
    takeCollector,
    reopen: () => send({ type: "reopen" }),
  };
}

async function begin(start: Start, everyPart: boolean): Promise<Running | undefined> {
  if (everyPart) {
    await import("../runtime/every_part.ts");
    send({ type: "every-part-loaded" });
  }
  const within = fenced(start);
  return within && await serve(start, within);
}

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  switch (data.type) {
    case "start": {
      running = begin(data.start, data.everyPart === true);
      const begun = await running;
      if (begun === undefined) return;
      const { listening, loaded, exit } = begun;
      listening.then(() => send({ type: "listening" }));
      loaded.then(() => send({ type: "loaded" }));
      return exit.then((code) => send({ type: "exit", code }));
    }
    case "start-tools": {
      const within = fenced(data.start);
      if (within === undefined) return;
      const { exit } = await serveTools(data.start, { port: data.port, ...within });
      send({ type: "listening" });
      return exit.then((code) => send({ type: "exit", code }));
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
