/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/** The entry of the Worker inside the fence: runs the server on main's word, and reports its exit code. */
import { type Running, serve } from "../runtime/compose.ts";
import { type FromWorker, type ToWorker } from "./messages.ts";

let running: Promise<Running> | undefined;

const tell = (message: FromWorker) => self.postMessage(message);

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === "start") {
    running = serve(data.start);
    const server = await running;
    server.listening.then(() => tell({ type: "listening" }));
    server.exit.then((code) => tell({ type: "exit", code }));
    return;
  }
  const server = await running;
  switch (data.type) {
    case "stop":
      return server?.stop(data.reason);
    case "reload":
      return server?.reload(data.config);
    case "hand-over":
      return server?.handOver(data.port);
    case "take-over":
      return server?.takeOver(data.port);
  }
};
