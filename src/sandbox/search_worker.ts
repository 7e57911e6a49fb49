/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/**
 * The entry of a search worker, which main starts for reading alone: by its permissions, or by the kernel's fence
 * where that is enough alone. It is given a port to the server, and tells main when the server needs it no more.
 */
import { serveSearches } from "../runtime/searcher.ts";
import { type SearcherStart } from "./messages.ts";
import { raiseKernelFence } from "./kernel/raise.ts";
import { searchesUnlimited } from "./plan.ts";

self.onmessage = async ({ data: { port, kernel, unlimited } }: MessageEvent<SearcherStart>) => {
  const { fence, calls } = raiseKernelFence(kernel, { keepPermissions: unlimited });
  if (unlimited && !searchesUnlimited(fence)) throw new Error("the kernel's fence does not stand");
  await serveSearches(port, calls);
  self.postMessage("done");
};
