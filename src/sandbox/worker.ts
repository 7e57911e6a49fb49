/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/** The entry of the Worker inside the fence: runs the server on main's word, and reports its exit code. */
import { type Running, serve, serveTools } from "../runtime/compose.ts";
import { type FromWorker, type ToWorker } from "./messages.ts";

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

function spawnSearcher(port: MessagePort, lost: () => void): void {
  const id = onLost.push(lost) - 1;
  tell({ type: "spawn-searcher", id, port }, [port]);
}

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  switch (data.type) {
    case "start": {
      running = serve(data.start, spawnSearcher);
      const { listening, loaded, exit } = await running;
      listening.then(() => tell({ type: "listening" }));
      loaded.then(() => tell({ type: "loaded" }));
      return exit.then((code) => tell({ type: "exit", code }));
    }
    case "start-tools": {
      const { exit } = await serveTools(data.start, { port: data.port, spawnSearcher });
      tell({ type: "listening" });
      return exit.then((code) => tell({ type: "exit", code }));
    }
    case "stop":
      return (await running)?.stop(data.reason);
    case "reload":
      return await (await running)?.reload(data.config);
    case "searcher-lost":
      return onLost[data.id]?.();
    case "use-tools":
      return await (await running)?.useTools(data.config, data.port);
    case "probe-fence": {
      const { probeFence } = await import("./fence_probe.ts");
      return data.port.postMessage(await probeFence(data.task));
    }
  }
};
