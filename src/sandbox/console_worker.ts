/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/**
 * The entry point of the console's Workers, each inside its fence: one talks to browsers and may touch no
 * file, one looks at files and may only read, and one, started when a person has confirmed an undo, may
 * change them.
 */
import { type Front, serveConsole, startFront } from "../runtime/console.ts";
import { raiseKernelFence } from "./kernel/raise.ts";
import type { ConsoleStart, FromConsole, ToConsole } from "./console_messages.ts";
import { fencesStanding } from "./plan.ts";
import { post } from "./post.ts";

const send = (message: FromConsole, transfer?: Transferable[]) => post(self, message, transfer);

/** Callbacks waiting for main, by number. */
const held: (() => void)[] = [];
const lost: ((why: string) => void)[] = [];
let front: Front | undefined;

function hold(store: string): Promise<void> {
  return new Promise((resolve) => send({ type: "hold", id: held.push(resolve) - 1, store }));
}

async function start(data: ConsoleStart): Promise<void> {
  if (data.role !== "front") {
    const { role, sources, kernel, port } = data;
    return await serveConsole(role, { sources, port, hold, raise: () => raiseKernelFence(kernel) });
  }
  const { fence } = raiseKernelFence(data.kernel);
  front = await startFront(data, {
    spawn: (role, port, onLost) => {
      const id = lost.push(onLost) - 1;
      send({ type: "spawn", id, role, port }, [port]);
    },
    ended: (code, reason) => send({ type: "exit", code, ...(reason !== undefined && { reason }) }),
    opened: (url) => send({ type: "address", url, fences: fencesStanding("worker", fence).join("; ") }),
  });
}

self.onmessage = async ({ data }: MessageEvent<ConsoleStart | ToConsole>) => {
  if ("role" in data) return await start(data);
  switch (data.type) {
    case "held":
      return held[data.id]?.();
    case "lost":
      return lost[data.id]?.(data.why);
    case "new-token":
      return await front?.newToken();
    case "stop":
      return await front?.stop();
  }
};
