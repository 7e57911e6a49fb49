/** Starts the server's Worker as the host does, with a fault in it. */
import type { WorkerStarter } from "../../src/commands/doctor/live_server.ts";
import type { FromWorker, Start } from "../../src/sandbox/messages.ts";

export type Fault = "fence" | "links" | "locks";

export function startWith(fault: Fault): WorkerStarter {
  return (first, { permissions, transfer = [] }) => {
    const worker = new Worker(new URL("./faulty_worker.ts", import.meta.url), {
      type: "module",
      name: fault,
      deno: { permissions: fault === "fence" ? "inherit" : permissions },
    });
    const exit = Promise.withResolvers<number>();
    const listening = Promise.withResolvers<void>();
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === "listening") return listening.resolve();
      worker.terminate();
      exit.resolve(data.type === "exit" ? data.code : 1);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      exit.resolve(70);
    };
    // Without the kernel fence, which would keep the faults from showing.
    worker.postMessage("start" in first ? { ...first, start: withoutKernel(first.start) } : first, transfer);
    return {
      exit: exit.promise,
      listening: listening.promise,
      loaded: listening.promise,
      send: (message, transfer = []) => worker.postMessage(message, transfer),
    };
  };
}

function withoutKernel(start: Start): Start {
  return { ...start, kernel: { missing: "a test" } };
}
