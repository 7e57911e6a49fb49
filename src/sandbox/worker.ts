/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/** The entry of the Worker inside the fence: runs the server on main's word, and reports its exit code. */
import { type Running, serve } from "../runtime/compose.ts";
import { type FromWorker, type ToWorker } from "./messages.ts";

let running: Running | undefined;

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  switch (data.type) {
    case "start":
      running = serve(data.start);
      running.exit.then((code) => self.postMessage({ type: "exit", code } satisfies FromWorker));
      break;
    case "stop":
      running?.stop(data.reason);
      break;
    case "reload":
      running?.reload(data.config);
      break;
  }
};
