/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/**
 * The entry point of a search worker, which main starts for reading only: restricted by its permissions, or
 * by the kernel fence where that suffices. It gets a port to the server, and tells main when the server no
 * longer needs it.
 */
import { serveSearches } from "../runtime/searcher.ts";
import type { SearcherStart } from "./messages.ts";
import { raiseKernelFence } from "./kernel/raise.ts";
import { searchesUnlimited } from "./plan.ts";

self.onmessage = async ({ data: { port, kernel, unlimited } }: MessageEvent<SearcherStart>) => {
  const { fence, calls } = raiseKernelFence(kernel, { keepPermissions: unlimited });
  if (unlimited && !searchesUnlimited(fence)) throw new Error("the kernel fence is not in force");
  await serveSearches(port, calls);
  self.postMessage("done");
};
