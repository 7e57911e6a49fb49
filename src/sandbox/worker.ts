/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/** The entry of the Worker inside the fence: runs the server on main's word, and reports its exit code. */
import { type Running, serve, serveTools } from "../runtime/compose.ts";
import { type FromWorker, type ToWorker } from "./messages.ts";

let running: Promise<Running> | undefined;

const tell = (message: FromWorker) => self.postMessage(message);

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  switch (data.type) {
    case "start": {
      running = serve(data.start);
      const { listening, exit } = await running;
      listening.then(() => tell({ type: "listening" }));
      return exit.then((code) => tell({ type: "exit", code }));
    }
    case "start-tools": {
      const { exit } = await serveTools(data.start, data.port);
      tell({ type: "listening" });
      return exit.then((code) => tell({ type: "exit", code }));
    }
    case "stop":
      return (await running)?.stop(data.reason);
    case "reload":
      return await (await running)?.reload(data.config);
    case "use-tools":
      return await (await running)?.useTools(data.config, data.port);
  }
};
