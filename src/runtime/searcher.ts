/** A search worker inside its fence. */
import type { KernelCalls } from "../base/kernel.ts";
import { keepKernelCalls } from "../confine/kernel_calls.ts";
import { serveSearches as serve } from "../engine/search/crew/serve_searches.ts";

/** Settles when the server at the other end of the port no longer needs it. */
export async function serveSearches(port: MessagePort, calls: KernelCalls | undefined): Promise<void> {
  keepKernelCalls(calls);
  await serve(port);
}
