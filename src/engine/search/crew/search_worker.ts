/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/**
 * The entry of a search worker, which main starts with permissions for reading alone. It is given a port to the
 * server, and tells main when the server needs it no more.
 */
import { serveSearches } from "./serve_searches.ts";

self.onmessage = async ({ data: port }: MessageEvent<MessagePort>) => {
  await serveSearches(port);
  self.postMessage("done");
};
